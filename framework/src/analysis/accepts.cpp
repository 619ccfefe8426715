// Refusals of elements that an analysis cannot treat.
#include "analysis/accepts.h"

#include <fmt/format.h>

#include "config/problems.h"
#include "model/contacts.h"
#include "trammel/error.h"

namespace trammel {

// Equilibria would lie beyond them, and hops that never end keep a system from settling.
void refuse_rigid_stops(const RunFile& run, Plant& plant, const char* what, bool touching_only) {
  constexpr double touching = 1e-9;  // m; modes about a state away from a stop do not feel it
  ConstrainedModel& numbers = *plant.model();
  const Contacts stops(numbers.assembly());
  if (stops.count() == 0) return;
  const Observation& o = plant.observation();
  std::vector<double> gaps(static_cast<std::size_t>(stops.count()), 0.0);
  Status status = numbers.evaluate(0, o.q, o.v, o.z, evaluate_Phi);
  if (status) status = stops.gaps(numbers, {gaps.data(), stops.count()});
  for (Index i = 0; i < stops.count(); ++i) {
    const ConstraintSlot& slot = stops.slot(i);
    if (touching_only && status && gaps[static_cast<std::size_t>(i)] > touching) continue;
    for (const Section& section : run.constraints) {
      if (section.name != slot.name) continue;
      throw Error(
          ErrorKind::input,
          message_at(section.place, section.path,
                     fmt::format("'{}' (type '{}') is a rigid stop, which acts on the velocities of dynamics only "
                                 "and not on {}; use the compliant force 'stop' in its place",
                                 slot.name, slot.type, what)));
    }
  }
}

void refuse_internal_states(const RunFile& run, Plant& plant, const char* why) {
  for (const ForceSlot& slot : plant.model()->assembly().forces) {
    if (slot.force->internal_states() == 0) continue;
    throw Error(ErrorKind::input, message_at(run.system.node->place, "/system",
                                             fmt::format("force '{}' (type '{}') has an internal state, which {}",
                                                         slot.name, slot.type, why)));
  }
}

}  // namespace trammel
