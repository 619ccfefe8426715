// What analyses do not accept of a model.
#pragma once

#include "config/run_file.h"
#include "run/plant/plant.h"

namespace trammel {

/// [setup] Rigid stops act on the velocities of dynamics only. `what`: "modes"; `touching_only`: those that are open do
/// not matter. Throws Error(input) with file, line and path.
void refuse_rigid_stops(const RunFile& run, Plant& plant, const char* what, bool touching_only = false);

/// [setup] Internal states depend on the past. `why`: "depends on ...; use dynamics". Throws Error(input).
void refuse_internal_states(const RunFile& run, Plant& plant, const char* why);

}  // namespace trammel
