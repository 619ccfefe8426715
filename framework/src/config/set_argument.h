// --set PATH=VALUE: changes to a run file from the command line or a study.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"

namespace trammel {

/// A value for a dotted path; its place is where it was written.
struct Setting {
  std::string path;  ///< "system.bodies.crank.mass"
  Node value;
};

/// Reads "PATH=VALUE"; VALUE is JSON, else a text. Throws Error (usage) without '=' or with an empty path.
Setting parse_setting(const std::string& argument);
std::vector<Setting> parse_settings(const std::vector<std::string>& arguments);

/// "PATH=VALUE" on one line, which parse_setting reads back.
std::string setting_text(const Setting& setting);

/// JSON text of a node on one line.
std::string to_line(const Node& node);

/// Puts the setting's value into the document, as apply_set describes. Throws Error (input), with the setting's place.
void apply_setting(Node& document, const Setting& setting);

/// Applies one argument to the document, before expressions are resolved. PATH is dotted, array entries are numbers
/// from 0; VALUE is JSON, else a text. What it writes has the place "--set PATH=VALUE". It may replace anything and add
/// keys, creating missing objects on the way except the members of the maps of named things (a body that does not
/// exist has no mass to set); whether added keys are legal is decided by validation.
/// Throws Error: usage without '=' or with an empty path, input for a path that cannot be followed.
void apply_set(Node& document, const std::string& argument);

}  // namespace trammel
