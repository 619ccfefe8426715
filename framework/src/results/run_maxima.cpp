// The accuracy that a run kept, in summary.json and for people.
#include "results/run_maxima.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/json_number.h"
#include "trammel/parameters.h"

namespace trammel {

ResidualMaxima ResidualMaxima::of(const Observation& state) {
  return {state.constraint_position, state.constraint_velocity, state.constraint_acceleration,
          state.multiplier_residual};
}

ResidualMaxima ResidualMaxima::unknown() { return {left_out(), left_out(), left_out(), left_out()}; }

void ResidualMaxima::look(const Observation& now) {
  constraint_position = std::max(constraint_position, now.constraint_position);
  constraint_velocity = std::max(constraint_velocity, now.constraint_velocity);
  constraint_acceleration = std::max(constraint_acceleration, now.constraint_acceleration);
  multiplier_residual = std::max(multiplier_residual, now.multiplier_residual);
}

void RunMaxima::add_to(nlohmann::ordered_json& summary) const {
  summary["max"] = {{"constraint_position", json_number(residuals.constraint_position)},
                    {"constraint_velocity", json_number(residuals.constraint_velocity)},
                    {"constraint_acceleration", json_number(residuals.constraint_acceleration)},
                    {"multiplier_residual", json_number(residuals.multiplier_residual)},
                    {"energy_drift", json_number(energy_drift)},
                    {"energy_exchanged", json_number(energy_exchanged)},
                    {"energy_drift_relative", json_number(energy_drift_relative)}};
}

std::string RunMaxima::to_text() const {
  return fmt::format(
      "  Accuracy   largest constraint violation {:.2e} (position), {:.2e} (velocity); energy drift {:.2e} J\n",
      residuals.constraint_position, residuals.constraint_velocity, energy_drift);
}

}  // namespace trammel
