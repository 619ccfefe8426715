// HeldDrivers: drivers that stand still where they are, for searches of equilibria.
#pragma once

#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

class ModelPoint;

/// Drivers are f(q) = c(t): what nu and gamma are at rest, -Phi_t and -Phi_tt, is what their motion contributes, and it
/// is taken off again.
class HeldDrivers {
 public:
  /// nu and gamma of the element rows at rest.
  HeldDrivers(ConstVectorView nu, ConstVectorView gamma)
      : nu_(nu.data, nu.data + nu.size), gamma_(gamma.data, gamma.data + gamma.size) {}
  /// [hot] From nu and gamma of the element rows; either may be null.
  void take_off(double* nu, double* gamma) const {
    for (std::size_t r = 0; r < nu_.size(); ++r) {
      if (nu != nullptr) nu[r] -= nu_[r];
      if (gamma != nullptr) gamma[r] -= gamma_[r];
    }
  }

 private:
  std::vector<double> nu_, gamma_;
};

/// [setup] From now on nu and gamma of `point` are those of drivers that stand still where they are at (t, q).
Status hold_drivers(ModelPoint& point, double t, ConstVectorView q);

}  // namespace trammel
