// The consistent start of a model: positions and velocities on the constraints, at rest if that is asked for.
#pragma once

#include <vector>

#include "model/component.h"
#include "model/model.h"
#include "model/rank_report.h"
#include "record/initial_report.h"
#include "run/plant/body_state.h"

namespace trammel {

/// What was found while it was made.
struct ModelStart {
  InitialReport report;
  std::vector<RedundantSet> redundant;  ///< constraints
};

/// [setup] The start of `model`, as `options` ask for it, into `at`.
/// Throws Error(input): initial state too far off, redundant or contradictory constraints, bodies without inertia.
ModelStart make_start(const Model& model, ConstrainedModel& numbers, const StartOptions& options, BodyBuffer& at);

}  // namespace trammel
