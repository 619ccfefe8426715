// RunMaxima: the largest residuals and the drift of the energy of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "record/observation.h"

namespace trammel {

/// 2-norms of the constraints, of their derivatives and of the residual of the equations of motion.
struct ResidualMaxima {
  double constraint_position = 0, constraint_velocity = 0, constraint_acceleration = 0, multiplier_residual = 0;

  static ResidualMaxima of(const Observation& state);
  /// Before there is a state.
  static ResidualMaxima unknown();
  /// [step] At a further state.
  void look(const Observation& now);
};

/// "max" of summary.json; energies in J.
struct RunMaxima {
  ResidualMaxima residuals;
  double energy_drift = 0, energy_exchanged = 0, energy_drift_relative = 0;

  void add_to(nlohmann::ordered_json& summary) const;
  /// A line for people.
  std::string to_text() const;
};

}  // namespace trammel
