// What a run file leaves to the program of formulation and integrator ("auto"), and the choice put in its place.
#pragma once

#include <string>
#include <vector>

#include "config/problems.h"
#include "config/run_file.h"
#include "plugin/catalogue.h"

namespace trammel {

/// The section says "auto", or the file leaves the integrator of a run of dynamics out.
inline bool is_automatic(const Section& section) { return section.type == "auto"; }
/// One of the two is to be chosen, or the formulation was left out, which some integrators then need.
inline bool leaves_method(const RunFile& run) {
  return is_automatic(run.formulation) || is_automatic(run.integrator) || (run.integrator && !run.formulation);
}

/// Keys beside "auto" of an integrator: those of step control that every method with tolerances takes.
std::vector<ParameterInfo> automatic_integrator_keys();
/// Adds what is wrong with the keys beside "auto", of either section, to `problems`.
void check_automatic(const RunFile& run, Problems& problems);

/// Types of both; "": none.
struct MethodTypes {
  std::string formulation, integrator;
};

/// Puts types where the file says "auto" or leaves the formulation out. The keys beside "auto" go to the integrator
/// that takes its place. What the file has is left as it is.
void put_method(RunFile& run, const MethodTypes& types);

/// What was chosen as settings, for the same file with the same method.
std::vector<Setting> settings_of_choice(const RunFile& run);

/// The two sections as they stand in a run file, with all keys: text to paste.
std::string method_text(const RunFile& run);

}  // namespace trammel
