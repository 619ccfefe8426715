// InternalRest: whether the internal states of forces have settled where the bodies are at rest.
#pragma once

#include <Eigen/Core>

#include "model/constrained_model.h"

namespace trammel {

/// Bodies may be at rest, or held, while states of forces still move: what lags behind its command. With z' = g(z) at
/// rest, what is left of the way is the step of Newton's method, g_z dz = -g, as a share of the largest values of z so
/// far; of states that nothing brings back (g_z = 0), g itself.
class InternalRest {
 public:
  /// [step] Every accepted state of the settling motion.
  void see(ConstVectorView z);
  /// [step] Moves the model to (t, q), at rest. `rtol`: what the integrator leaves of a state; `slowest`: rate below which
  /// one stands still, 1/s.
  bool reached(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z, double rtol, double slowest);

 private:
  Eigen::VectorXd seen_;
};

}  // namespace trammel
