// Inputs that are legal but hardly meant: found before the run, reported as warnings.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"
#include "config/step_control_keys.h"
#include "model/model.h"
#include "plugin/catalogue.h"

namespace trammel {

class ConstrainedModel;

/// [setup] Parameters without use, angles that look like degrees, output steps longer than the run, tolerances without
/// a digit, tables that end before the run. `control`: of runs over time with an integrator, else nullptr. Throws
/// Error(input): fixed steps longer than the run.
std::vector<std::string> input_warnings(const RunFile& run, const Catalogue& catalogue, const Model& model,
                                        const StepControlOptions* control);

/// [setup] Of a model whose initial state was refused: a driver of an angle, a condition, or an angle of the drawing that
/// is given in degrees as it seems, with its place; or "".
std::string given_in_degrees(const RunFile& run, const Catalogue& catalogue, const Model& model);

/// [setup] At the state that `model` was evaluated at, the initial one: stops and tyres pressed in deeper than weights
/// and the other forces explain, bodies that fall because nothing holds them.
std::vector<std::string> start_warnings(const RunFile& run, const ConstrainedModel& model);

/// [step] "...: defined up to 3 only, but ...": of the first function of time that ends at or before `t`, or "".
/// `t_end`: of the run.
std::string function_that_ends(const Model& model, double t, double t_end);

}  // namespace trammel
