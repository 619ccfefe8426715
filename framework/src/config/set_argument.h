// --set PATH=VALUE: changes to a run file from the command line or a study.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"

namespace trammel {

/// Applies one argument to the document, before expressions are resolved. PATH is dotted, array entries are numbers
/// from 0; VALUE is JSON, else a text. What it writes has the place "--set PATH=VALUE". It may replace anything and add
/// keys, creating missing objects on the way except the members of the maps of named things (a body that does not
/// exist has no mass to set); whether added keys are legal is decided by validation.
/// Throws Error: usage without '=' or with an empty path, input for a path that cannot be followed.
void apply_set(Node& document, const std::string& argument);

}  // namespace trammel
