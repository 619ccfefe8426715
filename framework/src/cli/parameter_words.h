// A parameter's type, range and default in words, as `describe` and the reference pages print them.
#pragma once

#include <string>

#include "plugin/catalogue.h"

namespace trammel::cli {

/// "number", "rms | max", "bodies (2)", "vector (3)"
std::string type_words(const ParameterInfo& parameter);
/// "> 0", ">= 0, < 1", or ""
std::string range_words(const ParameterInfo& parameter);

}  // namespace trammel::cli
