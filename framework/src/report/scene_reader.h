// Values of a resolved run file as a scene needs them; whatever is absent or of another form reads as "not there".
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>

#include "report/scene.h"

namespace trammel {

inline const ReportJson* member(const ReportJson& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

inline std::string text_of(const ReportJson& object, const char* key) {
  const ReportJson* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

inline std::optional<double> number_of(const ReportJson& object, const char* key) {
  const ReportJson* value = member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

/// Two or three numbers; the third is 0 in planar models.
inline std::optional<Eigen::Vector3d> vector_in(const ReportJson* value) {
  if (value == nullptr || !value->is_array() || value->size() < 2 || value->size() > 3) return std::nullopt;
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < value->size(); ++k) {
    if (!(*value)[k].is_number()) return std::nullopt;
    v[static_cast<Eigen::Index>(k)] = (*value)[k].get<double>();
  }
  return v;
}

inline std::optional<Eigen::Vector3d> vector_of(const ReportJson& object, const char* key) {
  return vector_in(member(object, key));
}

/// Where a body starts: its `position` and `rotation` or `angle`.
Eigen::Affine3d start_of(const ReportJson& body);

/// The turn of an object's `rotation`; none without one.
Eigen::Quaterniond turn_of(const ReportJson& object);

/// "#4477aa" for a colour of HTML ("#rgb", "#rrggbb", one of the common names), "" for anything else.
std::string canonical_color(const std::string& color);

}  // namespace trammel
