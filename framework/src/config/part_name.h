// Names of parts of a model: of bodies, points, constraints and forces, as run files, paths and columns have them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace trammel {

/// `NAME { "." NAME }`, where NAME is `[A-Za-z_][A-Za-z0-9_]*` and may have an index: "crank", "leg[2].knee",
/// "robot.arm.wrist". What is behind the last '.' is the part's name in its sub-model.
bool is_part_name(std::string_view text);

/// What is_part_name demands of this text, for messages.
std::string part_name_rule(std::string_view text);

/// Length of the owner in "leg[2].knee.angle": the first beginning before a '.', or the whole, that `known` accepts; npos
/// if there is none. No name of a part is another one with '.' and more behind it, so that one at most fits.
template <class Known>
std::size_t owner_length(std::string_view path, Known&& known) {
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    if (known(path.substr(0, dot))) return dot;
  }
  return known(path) ? path.size() : std::string_view::npos;
}

/// "leg[2].spring.stiffness" as the section "leg[2].spring" and the rest, "stiffness"; the first name where none fits.
template <class Sections>
std::pair<std::string, std::string> owner_and_key(const std::string& path, const Sections& sections) {
  const auto known = [&](std::string_view name) {
    return std::any_of(sections.begin(), sections.end(), [&](const auto& section) { return section.name == name; });
  };
  std::size_t length = owner_length(path, known);
  if (length == std::string_view::npos) length = std::min(path.find('.'), path.size());
  return {path.substr(0, length), length < path.size() ? path.substr(length + 1) : std::string()};
}

}  // namespace trammel
