// Observation: everything known about one state, for outputs, checks and metrics.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Energy balance at the last evaluation point.
struct EnergyBudget {
  double kinetic = 0;
  double potential = 0;
  double dissipation = 0;  ///< W
  double work = 0;         ///< W, applied forces and drivers
};

/// Views stay at fixed addresses.
struct Observation {
  double t = 0;
  ConstVectorView q, v, z;    ///< problems: x and x' (empty for first-order problems)
  ConstVectorView a, lambda;  ///< models: accelerations and multipliers of the unstabilized equations
  bool has_energy = false;
  EnergyBudget energy;
  double constraint_position = 0, constraint_velocity = 0;  ///< 2-norms
  double constraint_acceleration = 0, multiplier_residual = 0;
};

}  // namespace trammel
