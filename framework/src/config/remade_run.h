// Run files made anew with other numbers.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"

namespace trammel {

/// The run file with more settings; one of an earlier setting's path takes its place. Throws Error: what is wrong without
/// knowing any plugin.
RunFile remade(const RunFile& run, const std::vector<Setting>& more);

/// "system.forces.spring.stiffness" set to a number.
Setting number_setting(const std::string& path, double value);

/// The number at a dotted path of a run file, expressions resolved. Throws Error(input): no such place, no number.
double number_at(const RunFile& run, const std::string& path);

}  // namespace trammel
