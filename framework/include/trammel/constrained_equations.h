// ConstrainedEquations: the equations M a + Phi_q^T lambda = Q, Phi(t, q) = 0 at a point. A role of ConstrainedSystem.
#pragma once

#include "trammel/constrained_layout.h"
#include "trammel/status.h"

namespace trammel {

/// Parts of one evaluation, to be combined with |.
enum EvaluationPart : unsigned {
  evaluate_Phi = 1u,       ///< residual
  evaluate_jacobian = 2u,  ///< Phi_q
  evaluate_nu = 4u,        ///< -Phi_t
  evaluate_gamma = 8u,     ///< acceleration right-hand side
  evaluate_force = 16u,    ///< Q, and the rates of internal states
  /// What `factorize` with the mass works on: Phi_q, or what the linear solver takes in its place; then Phi_q is computed
  /// where it is first asked for.
  evaluate_solve = 32u,
  evaluate_dynamics = evaluate_solve | evaluate_gamma | evaluate_force,
};

/// `evaluate` at a point, then query there.
class ConstrainedEquations : public ConstrainedLayout {
 public:
  /// [hot] Computes the wanted parts at (t, q, v, z). v may be empty for Phi and Phi_q only.
  virtual Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) = 0;
  /// [hot] Residual, m or rad; m entries. This and the next four hold what the last evaluation that wanted them found;
  /// the views stay in place, their contents change with the next such evaluation.
  virtual ConstVectorView Phi() const = 0;
  /// [hot] -Phi_t; m entries.
  virtual ConstVectorView nu() const = 0;
  /// [hot] Right-hand side of Phi_q a = gamma; m entries.
  virtual ConstVectorView gamma() const = 0;
  /// [hot] Generalized force with all quadratic velocity terms; n entries.
  virtual ConstVectorView Q() const = 0;
  /// [hot] dz/dt; nz entries.
  virtual ConstVectorView z_rate() const = 0;

  /// [hot] out (m) = Phi_q x with the last evaluated Jacobian, that of `evaluate_solve` included.
  virtual void apply_jacobian(ConstVectorView x, VectorView out) const = 0;
  /// [hot] out (n) = Phi_q^T y with the last evaluated Jacobian.
  virtual void apply_jacobian_transpose(ConstVectorView y, VectorView out) const = 0;
  /// [hot] out (n) = M x at the last evaluation point.
  virtual void apply_mass(ConstVectorView x, VectorView out) const = 0;

 protected:
  ~ConstrainedEquations() = default;
};

}  // namespace trammel
