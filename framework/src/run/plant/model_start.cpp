// The start of a model's run.
#include "run/plant/model_start.h"

#include <fmt/format.h>

#include "model/consistency.h"
#include "model/element_report.h"
#include "model/equilibrium.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// Moves q to the static equilibrium; the velocities of the file stay.
void start_at_rest(ConstrainedModel& model, const BodyState& at) {
  EquilibriumReport report;
  Status status = find_equilibrium(model, 0.0, at.q, report);
  if (!status) {
    throw Error::parameter(
        "start", fmt::format("no static equilibrium was found: {}{}; the largest acceleration at rest is "
                             "still {:.3g} m/s^2 or rad/s^2 after {} iterations",
                             status.what, *status.what != '\0' ? fmt::format(" {}", status_name(status.code)) : "",
                             report.acceleration, report.iterations));
  }
  ProjectionReport projected;
  status = model.project_velocities(0.0, at.q, at.v, ProjectionWeights::mass, projected);
  if (status) status = model.evaluate(0.0, at.q, at.v, at.z, evaluate_dynamics | evaluate_Phi | evaluate_nu);
  // The equilibrium is one of what elements kept on the way there, which was a step to them.
  if (ElementMemory& memory = model.point().memory(); status && memory.any()) {
    status = memory.jump(model.point());
    model.point().invalidate();
    if (status) status = model.evaluate(0.0, at.q, at.v, at.z, evaluate_dynamics | evaluate_Phi | evaluate_nu);
  }
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (!status)
    throw Error::parameter("start",
                           fmt::format("the state of static equilibrium cannot be used: {}{}{}", status.what,
                                       *model.point().failed_in() != '\0' ? " at " : "",
                                       *model.point().failed_in() != '\0' ? failed_element(model.point()) : ""));
}

/// At the consistent state: what was evaluated on the way there began at the one that was given.
void begin_memory(ConstrainedModel& model, const BodyState& at) {
  ModelPoint& point = model.point();
  if (!point.memory().any()) return;
  Status status = model.evaluate(0.0, at.q, at.v, at.z, 0u);
  if (status) status = point.memory().begin(point);
  point.invalidate();
  if (status) return;
  throw Error::parameter(failed_element_key(point),
                         fmt::format("the initial state cannot be evaluated: {} {}: {}", failed_element(point),
                                     status_name(status.code), status.what));
}

}  // namespace

ModelStart make_start(const Model& model, const StartOptions& options) {
  const Assembly& assembly = *model.assembly();
  ModelStart start{.model = {.numbers = std::make_unique<ConstrainedModel>(model),
                             .at = {.q = model.q0(),
                                    .v = model.v0(),
                                    .z = std::vector<double>(static_cast<std::size_t>(assembly.internal_states()))}},
                   .report = {},
                   .redundant = {},
                   .near_dependence = {}};
  ConstrainedModel& numbers = *start.model.numbers;
  const BodyState at = start.model.at.view();
  numbers.point().initial_internal(at.z);
  make_consistent(numbers, 0.0, at.q, at.v, at.z, options, start.report);
  begin_memory(numbers, at);
  if (options.equilibrium) start_at_rest(numbers, at);
  start.model.memory_begun = options.equilibrium;
  start.redundant = redundant_sets(numbers);
  start.near_dependence = near_dependence(numbers);
  return start;
}

}  // namespace trammel
