// CarriesVelocityRows: formulations and integrators that take models with rows that hold for velocities only.
#pragma once

#include "trammel/integrator.h"

namespace trammel {

/// Of formulations, and of integrators that take the constrained view: they tell velocity rows apart where that is
/// needed. Integrators need nothing of it under a formulation.
class CarriesVelocityRows {
 public:
  static constexpr const char* id = "trammel.carries_velocity_rows/1";

  /// [setup] Whether in this view; formulations: of those they offer.
  virtual bool carries_velocity_rows(ViewKind view) const = 0;

 protected:
  ~CarriesVelocityRows() = default;
};

}  // namespace trammel
