// Values of SDF elements: numbers with a default, bounds, the version.
#pragma once

#include <cctype>
#include <charconv>
#include <string>

#include "xml_tree.h"

namespace trammel::robot_xml {

inline double child_number(const XmlNode& node, const char* name, double otherwise) {
  const XmlNode* child = node.child(name);
  return child == nullptr ? otherwise : child->text_number();
}

/// A number that may be "inf" or "-inf", as Gazebo writes what has no bound: 1e16 stands for it, as in the format.
inline double child_bound(const XmlNode& node, const char* name, double otherwise) {
  const XmlNode* child = node.child(name);
  if (child == nullptr) return otherwise;
  std::string text;
  for (const char c : child->words()) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text == "inf" || text == "+inf" || text == "infinity") return 1e16;
  if (text == "-inf" || text == "-infinity") return -1e16;
  return child->text_number();
}

/// Versions are no decimals: 1.10 is later than 1.9.
inline int version_of(const XmlNode& root, sdk::ImportNotes& notes) {
  if (!root.has("version")) notes.remark(root.place(), "has no version: it is read as 1.7");
  const std::string text = root.get("version", "1.7");
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result first = std::from_chars(text.data(), end, major);
  const bool dot = first.ec == std::errc() && first.ptr != end && *first.ptr == '.';
  const std::from_chars_result second = dot ? std::from_chars(first.ptr + 1, end, minor) : first;
  if (!dot || second.ec != std::errc() || second.ptr != end || major != 1)
    root.refuse("version '" + text + "' is not known here; versions 1.0 to 1.12 are");
  return minor;
}

}  // namespace trammel::robot_xml
