// The start of a model's run.
#include "run/plant/model_start.h"

#include <fmt/format.h>

#include "model/consistency.h"
#include "model/contacts.h"
#include "model/equilibrium.h"
#include "trammel/error.h"

namespace trammel {
namespace {

void refuse_internal_states(const Assembly& assembly) {
  for (const ForceSlot& slot : assembly.forces) {
    if (slot.force->internal_states() == 0) continue;
    throw Error(ErrorKind::input,
                fmt::format("force '{}' (type '{}') has an internal state, which this integrator does "
                            "not treat; use an integrator for first-order systems, such as dopri5",
                            slot.name, slot.type));
  }
}

/// Moves q to the static equilibrium; the velocities of the file stay.
void start_at_rest(const Assembly& assembly, ConstrainedModel& model, const BodyState& at, EquilibriumReport& report) {
  if (const Contacts stops(assembly); stops.count() > 0) {
    throw Error::parameter("start",
                           fmt::format("'{}' (type '{}') is a rigid stop, which searches for an equilibrium ignore; "
                                       "use the compliant force 'stop' in its place, or start from the given positions",
                                       stops.slot(0).name, stops.slot(0).type));
  }
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
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (!status)
    throw Error::parameter("start", fmt::format("the state of static equilibrium cannot be used: {}", status.what));
}

}  // namespace

ModelStart make_start(const Model& model, ConstrainedModel& numbers, const StartOptions& options,
                      bool carries_internal_states, BodyBuffer& buffer) {
  const Assembly& assembly = *model.assembly();
  buffer.q = model.q0();
  buffer.v = model.v0();
  buffer.z.assign(static_cast<std::size_t>(assembly.internal_states()), 0.0);
  const BodyState at = buffer.view();
  ModelStart start;
  if (!options.assemble && !carries_internal_states) refuse_internal_states(assembly);
  numbers.point().initial_internal(at.z);
  make_consistent(numbers, 0.0, at.q, at.v, at.z, options, start.report);
  if (options.equilibrium) start_at_rest(assembly, numbers, at, start.report.equilibrium);
  start.redundant = redundant_sets(numbers);
  start.report.near_dependence = near_dependence(numbers);
  return start;
}

}  // namespace trammel
