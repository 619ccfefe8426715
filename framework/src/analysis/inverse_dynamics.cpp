// Inverse dynamic analysis.
#include "analysis/inverse_dynamics.h"

#include "analysis/owner_channels.h"

namespace trammel {

Accepts InverseDynamics::accepts() const {
  Accepts accepts = Kinematics::accepts();
  accepts.internal_states = Accepts::States::refused;
  accepts.no_states = "depends on the past motion, so an analysis of a single time cannot compute it; use dynamics";
  return accepts;
}

std::vector<std::string> InverseDynamics::default_channels(const Assembly& assembly) const {
  return owner_channels(assembly, {.accelerations = true, .reactions = true});
}

}  // namespace trammel
