// Poses of SDF: each relative to what its element says, or to what it is attached to.
#include "sdf_poses.h"

namespace trammel::robot_xml {

void Poses::add(const XmlNode& node, const std::string& otherwise) {
  const std::string name = node.need_text("name");
  if (!nodes_.emplace(name, Entry{&node, otherwise}).second)
    node.refuse("a second link, joint or frame '" + name + "'");
}

sdk::Frame Poses::of(const std::string& name, const XmlNode& user) {
  if (name == "__model__" || name.empty()) return {};
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) user.refuse("there is no link, joint or frame '" + name + "'");
  if (!open_.insert(name).second) user.refuse("the pose of '" + name + "' is relative to itself");
  const sdk::Frame frame = of(*found->second.node, found->second.otherwise);
  open_.erase(name);
  return frame;
}

sdk::Frame Poses::of(const XmlNode& node, const std::string& otherwise) {
  const XmlNode* pose = node.child("pose");
  if (pose == nullptr) return of(otherwise, node);
  const std::string to = pose->get("relative_to", pose->get("frame", ""));
  return of(to.empty() ? otherwise : to, *pose) * parse(*pose);
}

std::string Poses::link_of(const std::string& name, const XmlNode& user) const {
  std::string at = name;
  for (std::size_t step = 0; step <= nodes_.size(); ++step) {
    if (at.empty() || at == "__model__") at = canonical_;
    const auto found = nodes_.find(at);
    if (found == nodes_.end()) user.refuse("there is no link, joint or frame '" + at + "' in this model");
    if (found->second.node->tag == "link") return at;
    at = found->second.otherwise;
    if (at == "world") return at;
  }
  user.refuse("'" + name + "' is attached to itself");
}

sdk::Frame Poses::own(const XmlNode& pose) {
  const std::string to = pose.get("relative_to", pose.get("frame", ""));
  if (!to.empty() && to != "world" && to != "__model__")
    pose.refuse("is relative to '" + to + "', which is read for links, joints and frames of a model only");
  return parse(pose);
}

sdk::Frame Poses::parse(const XmlNode& pose) {
  const double unit = pose.boolean("degrees", false) ? 3.14159265358979323846 / 180 : 1;
  const std::string format = pose.get("rotation_format", "euler_rpy");
  if (format == "quat_xyzw") {
    const std::vector<double> v = pose.text_numbers(7, 7);
    Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
    if (!(q.norm() > 1e-14)) pose.refuse("a quaternion may not be zero");
    return {q.normalized().toRotationMatrix(), {v[0], v[1], v[2]}};
  }
  if (format != "euler_rpy") pose.refuse("rotation_format must be euler_rpy or quat_xyzw, not '" + format + "'");
  if (pose.words().empty()) return {};
  const std::vector<double> v = pose.text_numbers(6, 6);
  return {sdk::rotation_from_rpy(unit * Eigen::Vector3d(v[3], v[4], v[5])), {v[0], v[1], v[2]}};
}

}  // namespace trammel::robot_xml
