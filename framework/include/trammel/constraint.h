// Constraint: rows Phi(t, q) = 0 over one to a few bodies, with the contractions that exact implicit methods need.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/parameters.h"
#include "trammel/status.h"

namespace trammel {

/// What one evaluation is asked for; an empty view or null pointer means "not wanted".
/// m rows, k attached bodies; a body has c = 3 (planar) or 7 (spatial) local columns.
struct ConstraintOutput {
  VectorView Phi;                     ///< m: residual, m or rad
  const MatrixView* Phi_q = nullptr;  ///< k blocks m x c; the block of ground is empty
  VectorView nu;                      ///< m: -Phi_t
  VectorView gamma;                   ///< m: -((Phi_q v)_q v + 2 Phi_qt v + Phi_tt)
};

/// Rheonomic terms, for the time derivative of the state-space equations. Empty views: not wanted.
struct ConstraintTimeDerivatives {
  const MatrixView* Phi_tq = nullptr;  ///< k blocks m x c
  VectorView Phi_tt;                   ///< m
  VectorView acceleration_t;           ///< m: partial d/dt of (Phi_q a - gamma) at fixed q, v, a
};

/// A row block. Local columns only; the kernel places them. Rows are scaled to metres or radians.
/// All [hot] methods are const, re-entrant and do not allocate; each writes all of every wanted output.
class Constraint : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.constraint/1";

  /// [setup] Number of rows m, fixed.
  virtual Index rows() const = 0;
  /// [setup] Number of attached bodies k >= 1.
  virtual Index body_count() const = 0;
  /// [setup] Attached body number i of the model, or ground.
  virtual BodyRef body(Index i) const = 0;

  /// [hot] Residual, Jacobian and right-hand sides, whichever are wanted, from one pass over the shared terms.
  virtual Status evaluate(const ElementState& s, const ConstraintOutput& out) const = 0;

  /// [hot] (Phi_q x)_q for a fixed x: k blocks m x c. `x` has one local vector per attached body (ground's is zero).
  virtual Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const = 0;

  /// [hot] (Phi_q^T lambda)_q for a fixed lambda: k*k blocks c x c, out[i*k + j] = d(rows of body i)/d(q of body j);
  /// blocks with ground are empty.
  virtual Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const = 0;

  /// [hot] Gradients of Phi_q a - gamma with respect to q and v for a fixed a: k blocks m x c each.
  virtual Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                                       const MatrixView* out_v) const = 0;

  /// [hot] Only rows that depend on time override this. `unsupported`: a Function has no third derivative.
  virtual Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                                  const ConstraintTimeDerivatives& out) const;

  /// [setup] Whether Phi depends on t explicitly (drivers); if not, nu is zero and is not asked for.
  virtual bool rheonomic() const { return false; }

 protected:
  ~Constraint() = default;
};

inline Status Constraint::time_derivatives(const ElementState&, const ConstVectorView*,
                                           const ConstraintTimeDerivatives& out) const {
  for (Index k = 0; out.Phi_tq != nullptr && k < body_count(); ++k) {
    if (out.Phi_tq[k]) out.Phi_tq[k].map().setZero();
  }
  if (out.Phi_tt.data != nullptr) out.Phi_tt.map().setZero();
  if (out.acceleration_t.data != nullptr) out.acceleration_t.map().setZero();
  return Status::success();
}

}  // namespace trammel
