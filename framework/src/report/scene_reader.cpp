// Starting places and colours.
#include "report/scene_reader.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "config/json_source.h"
#include "config/rotation.h"

namespace trammel {
namespace {

struct NamedColor {
  const char* name;
  const char* value;
};

constexpr NamedColor named_colors[] = {
    {"black", "#000000"},     {"silver", "#c0c0c0"},    {"gray", "#808080"},     {"grey", "#808080"},
    {"white", "#ffffff"},     {"maroon", "#800000"},    {"red", "#ff0000"},      {"purple", "#800080"},
    {"fuchsia", "#ff00ff"},   {"magenta", "#ff00ff"},   {"green", "#008000"},    {"lime", "#00ff00"},
    {"olive", "#808000"},     {"yellow", "#ffff00"},    {"navy", "#000080"},     {"blue", "#0000ff"},
    {"teal", "#008080"},      {"aqua", "#00ffff"},      {"cyan", "#00ffff"},     {"orange", "#ffa500"},
    {"brown", "#a52a2a"},     {"gold", "#ffd700"},      {"pink", "#ffc0cb"},     {"tan", "#d2b48c"},
    {"steelblue", "#4682b4"}, {"tomato", "#ff6347"},    {"crimson", "#dc143c"},  {"indigo", "#4b0082"},
    {"lightgray", "#d3d3d3"}, {"lightgrey", "#d3d3d3"}, {"darkgray", "#a9a9a9"}, {"darkgrey", "#a9a9a9"},
    {"dimgray", "#696969"},   {"dimgrey", "#696969"},
};

bool is_hexadecimal(const std::string& digits) {
  return std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

Eigen::Affine3d start_of(const ReportJson& body) {
  Eigen::Affine3d start = Eigen::Affine3d::Identity();
  if (const auto position = vector_of(body, "position")) start.translation() = *position;
  if (const auto angle = number_of(body, "angle")) {
    start.linear() = Eigen::AngleAxisd(*angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
  if (member(body, "rotation") != nullptr) start.linear() = turn_of(body).toRotationMatrix();
  return start;
}

Eigen::Quaterniond turn_of(const ReportJson& object) {
  const ReportJson* rotation = member(object, "rotation");
  if (rotation == nullptr) return Eigen::Quaterniond::Identity();
  std::array<double, 4> p{1, 0, 0, 0};
  Problems problems;
  if (!read_rotation(parse_json(rotation->dump(), "rotation"), "", p.data(), problems))
    return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(p[0], p[1], p[2], p[3]).normalized();
}

std::string canonical_color(const std::string& color) {
  std::string lower = color;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.size() == 7 && lower[0] == '#' && is_hexadecimal(lower.substr(1))) return lower;
  if (lower.size() == 4 && lower[0] == '#' && is_hexadecimal(lower.substr(1))) {
    return {'#', lower[1], lower[1], lower[2], lower[2], lower[3], lower[3]};
  }
  for (const NamedColor& named : named_colors) {
    if (lower == named.name) return named.value;
  }
  return "";
}

}  // namespace trammel
