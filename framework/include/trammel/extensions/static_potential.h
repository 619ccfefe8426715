// What statics asks of forces: a potential where their work is told as work from outside, and whether they have dry
// friction.
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

/// Dry friction is zero at rest only because it is smoothed: it has no potential, and where it holds a system still is
/// nothing that a minimum of the energy tells.
class DryFriction {
 public:
  static constexpr const char* id = "trammel.dry_friction/1";

  /// [setup] Whether the element's parameters give it any.
  virtual bool dry_friction() const = 0;

 protected:
  ~DryFriction() = default;
};

}  // namespace trammel
