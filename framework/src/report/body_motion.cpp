// Places of bodies.
#include "report/body_motion.h"

#include <unordered_map>

namespace trammel {

std::vector<std::string> place_columns(const SceneBody& body, const Scene& scene) {
  std::vector<std::string> names;
  for (const auto& [name, unit] : scene.coordinates) {
    if (body.turns || unit == "m") names.push_back(body.name + "." + name);
  }
  return names;
}

BodyMotion::BodyMotion(const Scene& scene, const ResultTable& table) : table_(table), planar_(scene.planar) {
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < table.columns.size(); ++i) positions.emplace(table.columns[i], i);
  for (const SceneBody& body : scene.bodies) {
    std::vector<std::size_t>& found = columns_.emplace_back();
    const std::vector<std::string> names = place_columns(body, scene);
    for (const std::string& name : names) {
      const auto at = positions.find(name);
      if (at == positions.end())
        missing_.push_back(name);
      else
        found.push_back(at->second);
    }
    const std::size_t wanted = !body.turns ? (planar_ ? 2 : 3) : planar_ ? 3 : 7;
    if (found.size() != names.size() || found.size() != wanted) found.clear();
  }
}

BodyPlace BodyMotion::place(int body, std::size_t row) const {
  BodyPlace place;
  if (body == ground) return place;
  const std::vector<std::size_t>& columns = columns_[static_cast<std::size_t>(body)];
  const auto value = [&](std::size_t k) { return table_.column(columns[k])[row]; };
  if (planar_) {
    place.r = {value(0), value(1), 0};
    if (columns.size() == 2) return place;
    place.p = Eigen::AngleAxisd(value(2), Eigen::Vector3d::UnitZ());
    return place;
  }
  place.r = {value(0), value(1), value(2)};
  if (columns.size() == 3) return place;
  place.p = Eigen::Quaterniond(value(3), value(4), value(5), value(6)).normalized();
  return place;
}

}  // namespace trammel
