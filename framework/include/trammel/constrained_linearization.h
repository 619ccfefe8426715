// ConstrainedLinearization: gradients of a constrained system's equations, as contractions. Optional roles of
// ConstrainedSystem.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// `linearize` after an evaluation; what depends on it serves until the next.
class ConstrainedLinearization {
 public:
  /// [step] Contractions at the last evaluation point (which must have had evaluate_dynamics) for given a and lambda.
  virtual Status linearize(ConstVectorView a, ConstVectorView lambda) = 0;
  /// [hot] With the linearization: f = ((M a)_q + (Phi_q^T lambda)_q - Q_q) dq - Q_v dv,
  /// g = (Phi_q a - gamma)_q dq + (Phi_q a - gamma)_v dv.
  virtual Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) = 0;
  /// [hot] out (m) = (Phi_q x)_q y at the last evaluation point.
  virtual Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) = 0;
  /// [hot] out (m) = Phi_tq y at the last evaluation point; zero for rows that do not depend on time.
  virtual Status apply_time_jacobian(ConstVectorView y, VectorView out) = 0;
  /// [hot] Explicit time dependence at fixed (q, v, a): Q_t (n), Phi_tt (m), d/dt(Phi_q a - gamma) (m). Empty views of
  /// rows: not wanted.
  virtual Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) = 0;

 protected:
  ~ConstrainedLinearization() = default;
};

/// The same of the internal states z; only systems that have some need it.
class InternalStateLinearization {
 public:
  /// [hot] With the linearization: f (n) = -Q_z dz, r (nz) = (z')_q dq + (z')_v dv + (z')_z dz.
  virtual Status apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                              VectorView r) = 0;
  /// [hot] With the linearization: (z')_t (nz) at fixed (q, v, z).
  virtual Status internal_time_gradient(VectorView r) = 0;

 protected:
  ~InternalStateLinearization() = default;
};

}  // namespace trammel
