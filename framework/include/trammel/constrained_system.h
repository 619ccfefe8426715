// View of a model as the index-3 system M a + Phi_q^T lambda = Q, Phi(t, q) = 0; implemented by the kernel.
#pragma once

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel {

/// Parts of one evaluation, to be combined with |.
enum EvaluationPart : unsigned {
  evaluate_Phi = 1u,       ///< residual
  evaluate_jacobian = 2u,  ///< Phi_q
  evaluate_nu = 4u,        ///< -Phi_t
  evaluate_gamma = 8u,     ///< acceleration right-hand side
  evaluate_force = 16u,    ///< Q, and the rates of internal states
  evaluate_dynamics = evaluate_jacobian | evaluate_gamma | evaluate_force,
};

/// Norm in which projections are of minimal length.
enum class ProjectionWeights : std::int32_t { mass, identity };

/// What a projection did.
struct ProjectionReport {
  Index iterations = 0;
  /// Largest change of a coordinate (or velocity); of positions in the units of CoordinateSizes
  double correction = 0;
  double violation = 0;  ///< 2-norm of the residual before
};

/// Usage: `evaluate` at a point, then query or `factorize` and `solve` there. n coordinates q (velocities v = dq/dt),
/// m rows (intrinsic ones last), nz internal states z. Owns its workspace; no [hot] method allocates.
/// Integrators, and formulations of second order, never see internal states: there nz = 0, and the last coordinates s
/// are those whose velocities are the states, s' = z, with mass 1 and the force z' (Q). Nothing depends on s.
class ConstrainedSystem : public Extensible {
 public:
  /// [setup] n, the length of q, v and a.
  virtual Index coordinates() const = 0;
  /// [setup] m, the length of Phi and lambda, intrinsic rows included.
  virtual Index constraints() const = 0;
  /// [setup] nz, the length of z.
  virtual Index internal_states() const = 0;
  /// [setup] "crank.x" for 0 <= i < n; valid as long as the view. For messages.
  virtual const char* coordinate_name(Index i) const = 0;
  /// [setup] "pin[2]", "crank.normalisation" for 0 <= i < m; valid as long as the view. For messages.
  virtual const char* row_name(Index i) const = 0;
  /// [setup] Whether Phi depends on time.
  virtual bool rheonomic() const = 0;

  /// [step] Weight of each coordinate and, behind them, of each velocity in error norms (1 or 0): 2 n entries, or none:
  /// all count.
  virtual ConstVectorView mask() const { return {}; }

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

  /// [hot] out (m) = Phi_q x with the last evaluated Jacobian.
  virtual void apply_jacobian(ConstVectorView x, VectorView out) const = 0;
  /// [hot] out (n) = Phi_q^T y with the last evaluated Jacobian.
  virtual void apply_jacobian_transpose(ConstVectorView y, VectorView out) const = 0;
  /// [hot] out (n) = M x at the last evaluation point.
  virtual void apply_mass(ConstVectorView x, VectorView out) const = 0;

  /// [hot] Factorizes [W Phi_q^T; Phi_q 0], W = M or I; Phi_q must have been evaluated. `singular`: the subject is the
  /// dependent row, or constraints() + body.
  virtual Status factorize(ProjectionWeights weights) = 0;
  /// [hot] Solves [W Phi_q^T; Phi_q 0] [x; lambda] = [f; g] with the last factorization. lambda may be empty; x must
  /// not overlap f.
  virtual Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) = 0;

  /// [step] Contractions at the last evaluation point (which must have had evaluate_dynamics) for given a and lambda.
  virtual Status linearize(ConstVectorView a, ConstVectorView lambda) = 0;
  /// [hot] With the linearization: f = ((M a)_q + (Phi_q^T lambda)_q - Q_q) dq - Q_v dv,
  /// g = (Phi_q a - gamma)_q dq + (Phi_q a - gamma)_v dv.
  virtual Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) = 0;
  /// [hot] With the linearization, for models with internal states: f (n) = -Q_z dz,
  /// r (nz) = (z')_q dq + (z')_v dv + (z')_z dz. Default: `unsupported`.
  virtual Status apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                              VectorView r) {
    (void)dq, (void)dv, (void)dz, (void)f, (void)r;
    return Status::failure(StatusCode::unsupported, "no gradients of internal states");
  }
  /// [hot] With the linearization: (z')_t (nz) at fixed (q, v, z). Default: `unsupported`.
  virtual Status internal_time_gradient(VectorView r) {
    (void)r;
    return Status::failure(StatusCode::unsupported, "no gradients of internal states");
  }
  /// [hot] out (m) = (Phi_q x)_q y at the last evaluation point.
  virtual Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) = 0;
  /// [hot] out (m) = Phi_tq y at the last evaluation point; zero for rows that do not depend on time.
  virtual Status apply_time_jacobian(ConstVectorView y, VectorView out) = 0;
  /// [hot] Explicit time dependence at fixed (q, v, a): Q_t (n), Phi_tt (m), d/dt(Phi_q a - gamma) (m).
  virtual Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) = 0;
  /// [step] Factorizes [M + c1 C + c0 K, Phi_q^T; Phi_q, 0], K = (M a)_q + (Phi_q^T lambda)_q - Q_q, C = -Q_v, from
  /// which internal states, where there are any, are eliminated as velocities, once for each of `count` shifts, under
  /// the handles `first`, `first` + 1, ... (see SecondOrderSystem::prepare).
  virtual Status prepare(Index first, const Shift* shifts, Index count) = 0;
  /// [hot] Solves with one of a real shift: right-hand sides f (n), g (m).
  virtual Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x,
                                VectorView lambda) = 0;
  /// [hot] The same for a complex shift.
  virtual Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                        ComplexView lambda) {
    (void)handle, (void)f, (void)g, (void)x, (void)lambda;
    return Status::failure(StatusCode::unsupported, "no implicit steps with complex coefficients");
  }
  /// For methods with one real matrix: its handle is 0.
  Status prepare(double c0, double c1) {
    const Shift shift{c0, c1};
    return prepare(0, &shift, 1);
  }
  Status solve_implicit(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
    return solve_implicit(0, f, g, x, lambda);
  }

  /// [step] Kernel services. Newton to Phi(t, q) = 0 along the weighted minimal correction, until the largest change of
  /// a coordinate is below `tolerance`. q is moved in place; after a failure (not_converged, singular) it is somewhere
  /// on the way.
  virtual Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                                   ProjectionReport& report) = 0;
  /// [step] Kernel service. One linear solve that makes Phi_q v = nu by the weighted minimal change of v, in place.
  virtual Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                                    ProjectionReport& report) = 0;
  /// [step] Removes from dq (n) its part off the tangent space of the constraints at the last factorization.
  virtual Status project_tangent(VectorView dq) = 0;

 protected:
  ~ConstrainedSystem() = default;
};

}  // namespace trammel
