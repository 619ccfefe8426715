// What MJCF knows: the attributes of its elements, those that import carries over, and why the others have no place.
#pragma once

#include <string>
#include <vector>

namespace trammel::robot_xml {

/// What becomes of an attribute, or of the defaults of an element.
struct MjcfFate {
  enum class Kind {
    unknown,  ///< no attribute of MJCF that is known here
    carried,  ///< some reader asks for it where it has a meaning
    picture,  ///< nothing of the mechanics: counted
    idle,     ///< says how MuJoCo compiles or runs, without a meaning for the mechanics
    lost      ///< means something, and has no place in a run file
  };
  Kind kind;
  const char* why;  ///< one clause
};

MjcfFate mjcf_fate(const std::string& tag, const std::string& attribute);
/// All attributes of an element that MJCF knows, for suggestions.
std::vector<std::string> mjcf_attributes(const std::string& tag);
/// Whether defaults of MJCF have such an element.
bool mjcf_has_defaults(const std::string& tag);

}  // namespace trammel::robot_xml
