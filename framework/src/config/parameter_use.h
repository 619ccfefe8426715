// Which of a run file's parameters make a difference: those that a formula of the file names, directly or through
// others.
#pragma once

#include <string>
#include <vector>

#include "config/problems.h"
#include "config/run_file.h"

namespace trammel {

/// The parameter that a setting changes ("parameters.k"), or "".
std::string parameter_of(const Setting& setting);

/// [setup] Of a validated run file: whether the value of parameter number i arrives anywhere.
std::vector<char> parameters_in_use(const ParameterValues& parameters);

/// Adds a problem for every setting of a parameter that no formula uses, with the nearest name that one does.
void refuse_idle_settings(const RunFile& run, Problems& problems);

/// Whether the setting changes a text for readers: no run depends on it.
bool is_text_only(const Setting& setting);

/// Whether the setting changes a parameter without effect.
bool is_idle(const Setting& setting, const ParameterValues& parameters);

/// "...: no formula uses this parameter, so setting it changes nothing; did you mean 'k'?"
std::string idle_text(const std::string& name, const ParameterValues& parameters);

/// A warning for each parameter of the file that no formula uses.
std::vector<std::string> idle_parameter_warnings(const RunFile& run);

}  // namespace trammel
