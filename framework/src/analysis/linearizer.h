// Linearizer: what analyses of small motions ask of whoever knows the run file's numbers, inputs and channels.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "run/plant/plant.h"
#include "trammel/extensions/linear_systems.h"

namespace trammel {

/// On a model of its own, so that no run feels it.
class Linearizer : public LinearSystems {
 public:
  virtual ~Linearizer() = default;
  /// Why the last call failed, or "".
  virtual const std::string& reason() const = 0;
};

/// [setup] About states that the plant observes. Throws Error.
using MakeLinearizer = std::function<std::unique_ptr<Linearizer>(Plant& plant)>;

/// From which change on linearized equations are not those of a steady motion, and what a warning says then.
inline constexpr double unsteady = 1e-4;
std::string unsteady_text(double change, double t);

}  // namespace trammel
