// StaticPotential: forces whose work is told as work from outside although, time standing still, they have a potential.
#pragma once

#include "trammel/body_state.h"

namespace trammel {

/// A constant applied force is conservative (Haug, Eqs. 7.5.5 to 7.5.7), but its work is nothing that the system has
/// stored: it stands in energy.work, not in energy.potential. Minimum potential energy needs the potential.
class StaticPotential {
 public:
  static constexpr const char* id = "trammel.static_potential/1";

  /// [step] J, the potential whose negative gradient is the element's generalized force at s.t, for bodies at rest.
  /// False: there is none.
  virtual bool static_potential(const ElementState& s, double& potential) const = 0;

 protected:
  ~StaticPotential() = default;
};

}  // namespace trammel
