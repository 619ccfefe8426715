// The consistent start of a model: positions and velocities on the constraints, at rest if that is asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/component.h"
#include "model/model.h"
#include "model/rank_report.h"
#include "record/initial_report.h"
#include "run/plant/body_state.h"

namespace trammel {

/// What a plant takes over: the model's numbers and the bodies, both at the start.
struct StartedModel {
  std::unique_ptr<ConstrainedModel> numbers;
  BodyBuffer at;
  bool memory_begun = false;  ///< what elements keep is that of `at`, and of what led there: it does not begin anew
};

/// The model at its start, and what was found on the way there.
struct ModelStart {
  StartedModel model;
  InitialReport report;
  std::vector<RedundantSet> redundant;  ///< constraints
  std::string near_dependence;          ///< rows that nearly depend on others, in words, or ""
};

/// [setup] The start of `model`, as `options` ask for it.
/// Throws Error(input): initial state too far off, redundant or contradictory constraints, bodies without inertia.
ModelStart make_start(const Model& model, const StartOptions& options);

}  // namespace trammel
