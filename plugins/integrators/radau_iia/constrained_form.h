// The stages of a step on M(q) q'' + Phi_q^T lambda = Q(t, q, q'), Phi(t, q) = 0: the equations of index 3 as they are.
//
// Unknowns are the accelerations and multipliers of the stages, U_j = (a_j, lambda_j):
//   V_i = v + h sum_j a_ij a_j,   X_i = q + h sum_j a_ij V_j
//   M a_i + Phi_q^T lambda_i = Q(t_i, X_i, V_i),   Phi(t_i, X_i) = 0                                                (1)
// Newton's method falls apart as that of the second-order form does, into systems bordered by Phi_q,
//   [M + c_1 C + c_1^2 K, Phi_q^T; Phi_q, 0] (da, dlambda) = T^-1 (Q - M a - Phi_q^T lambda, -Phi / c_1^2)          (2)
// with K and C of ConstrainedLinearization; Phi is divided by c_1^2, so that entries do not depend on h.
// Rows B v = b that hold for velocities only have B in the place of Phi_q and b - B V_i in that of -Phi, divided by c_1:
// they are of index 2. What moves B V_i with X_i is left out of (2), as are the changes of M and Phi_q.
// By itself (1) gives velocities of order 3 and multipliers of order 2 (Hairer, Lubich, Roche, The Numerical Solution of
// Differential-Algebraic Systems by Runge-Kutta Methods (1989), Table 2.3; Jay, Numer. Math. 65 (1993) 407-421). The
// errors of the velocities are across the constraints but for those of order 5. Therefore the end of a step is moved
// onto the constraints, by one step of Newton's method for what the iteration left of the positions, and accelerations
// and multipliers there are those of q and v:
//   [M Phi_q^T; Phi_q 0] (dq, .) = (0, -Phi),  (dv, .) = (0, nu - Phi_q v),  (a, lambda) = (Q, gamma)               (3)
// The error estimate, (3) of table.h for y = (q, v), is that of the second-order form in the tangent space:
//   r_q = c_1 (v + sum d_j V_j),  r_v = c_1 (a + sum d_j a_j)
//   [M + c_1 C + c_1^2 K, Phi_q^T; Phi_q, 0] (e_v, .) = (M r_v - c_1 K r_q, 0),   e_q = r_q + c_1 e_v               (4)
#pragma once

#include <complex>
#include <limits>

#include "record.h"
#include "trammel/sdk/formulations/velocity_level.h"

namespace trammel::radau {

class ConstrainedForm {
 public:
  static constexpr double kept_step = 1.2;  ///< as in FirstOrderForm

  struct Work {
    Work(Layout& at, const ProblemSize& size)
        : ones(at.vector(size.n)),
          none(at.vector(size.n)),
          x_weights(at.vector(size.n)),
          v_weights(at.vector(size.n)),
          X(stages_in(at, size.n)),
          V(stages_in(at, size.n)),
          image(at.vector(size.n)),
          other_image(at.vector(size.n)),
          no_rows(at.vector(size.m)),
          rows(at.vector(size.m)),
          other_rows(at.vector(size.m)),
          beside(at.vector(3 * size.n)) {}
    VectorView ones, none, x_weights, v_weights;
    Stages X, V;
    VectorView image, other_image, no_rows, rows, other_rows, beside;
  };

  ConstrainedForm(const Problem& problem, const ConstStateView& state, double h, const Start& start, const Cached&,
                  const Work& work)
      : system_(*problem.constrained),
        linearization_(*problem.constrained->linearization()),
        implicit_(*problem.constrained->implicit_solve()),
        level_(sdk::velocity_level(*problem.constrained)),
        state_(state),
        h_(h),
        n_(state.x.size),
        m_(state.lambda.size),
        start_(start),
        ones_(filled(work.ones, 1)),
        none_(filled(work.none, 0)),
        norm_(problem.tolerances, ones_, state, work.x_weights, work.v_weights),
        X_(work.X),
        V_(work.V),
        image_(work.image),
        other_image_(work.other_image),
        no_rows_(filled(work.no_rows, 0)),
        rows_(work.rows),
        other_rows_(work.other_rows),
        beside_(work.beside) {}

  /// f_0 of the estimate: what the last stage left, or the acceleration, in which stiff forces multiply what an iteration
  /// left of the state.
  Status begin() {
    if (start_.known == 0) start_.derivative.map() = state_.a.map();
    start_.known = 1;
    return Status::success();
  }
  void first_guess(VectorView U) const {
    U.segment(0, n_).map() = state_.a.map();
    U.segment(n_, m_).map() = state_.lambda.map();
  }
  Status linearize(const Record&) {
    const Status status = system_.evaluate(state_.t, state_.x, state_.v, {}, evaluate_dynamics);
    at_start_ = status.ok();
    return status ? linearization_.linearize(state_.a, state_.lambda) : status;
  }
  /// M and Phi_q are those of the step's start, also behind a void attempt from there; K and C may be older.
  Status prepare(const Shift* shifts) {
    Status status;
    if (!at_start_) status = system_.evaluate(state_.t, state_.x, state_.v, {}, evaluate_jacobian);
    at_start_ = false;
    return status ? implicit_.prepare(0, shifts, 2) : status;
  }

  /// (1): residual_i = (Q - M a_i - Phi_q^T lambda_i, -Phi).
  Status evaluate(const Stages& U, const Stages& residual) {
    place(U);
    for (std::size_t i = 0; i < stages; ++i) {
      const Status status =
          system_.evaluate(state_.t + c[i] * h_, X_[i], V_[i], {},
                           evaluate_Phi | evaluate_jacobian | evaluate_force | (level_ != nullptr ? evaluate_nu : 0u));
      if (!status) return status;
      system_.apply_mass(U[i].segment(0, n_), image_);
      system_.apply_jacobian_transpose(U[i].segment(n_, m_), other_image_);
      residual[i].segment(0, n_).map() = system_.Q().map() - image_.map() - other_image_.map();
      rows_of(X_[i], residual[i].segment(n_, m_));
      if (level_ != nullptr) velocity_rows_of(V_[i], residual[i].segment(n_, m_));
    }
    return Status::success();
  }
  /// (2), in place.
  Status solve(VectorView w) {
    const double c_1 = h_ / gamma;
    const VectorView a = w.segment(0, n_), lambda = w.segment(n_, m_);
    image_.map() = a.map();
    for (Index r = 0; r < m_; ++r) rows_[r] = lambda[r] / (of_velocity(r) ? c_1 : c_1 * c_1);
    return implicit_.solve_implicit(0, image_, rows_, a, lambda);
  }
  Status solve(const ComplexView& w) {
    const std::complex<double> root(alpha / h_, beta / h_);  // 1 / c_1
    const VectorView re = w.re.segment(n_, m_), im = w.im.segment(n_, m_);
    image_.map() = w.re.segment(0, n_).map(), other_image_.map() = w.im.segment(0, n_).map();
    for (Index r = 0; r < m_; ++r) {
      const std::complex<double> row = (of_velocity(r) ? root : root * root) * std::complex<double>(re[r], im[r]);
      rows_[r] = row.real(), other_rows_[r] = row.imag();
    }
    return implicit_.solve_implicit_complex(1, {image_, other_image_}, {rows_, other_rows_},
                                            {w.re.segment(0, n_), w.im.segment(0, n_)}, {re, im});
  }

  /// What dU changes in positions and velocities of the stages.
  double norm(const Stages& dU) {
    Row parts;
    for (std::size_t i = 0; i < stages; ++i) V_[i].map() = h_ * combined(A[i], dU, n_);
    for (std::size_t i = 0; i < stages; ++i) {
      image_.map() = h_ * combined(A[i], V_, n_);
      parts[i] = norm_(image_, V_[i]);
    }
    return norm_.joined(parts);
  }
  double size() const { return norm_(state_.x, state_.v); }

  /// The end of the step, (3).
  Status finish(const Stages& U, const StateView& next) {
    place(U);
    next.x.map() = X_[2].map();
    next.v.map() = V_[2].map();
    Status status = system_.evaluate(next.t, next.x, next.v, {}, evaluate_jacobian | evaluate_nu | evaluate_Phi);
    if (status) status = system_.factorize(ProjectionWeights::mass);
    if (!status) return status;
    system_.apply_jacobian(next.v, rows_);
    rows_.map() = system_.nu().map() - rows_.map();
    status = system_.solve(none_, rows_, image_, {});
    rows_of(next.x, rows_);
    if (status) status = system_.solve(none_, rows_, other_image_, {});
    next.v.map() += image_.map();
    next.x.map() += other_image_.map();
    if (status) status = system_.evaluate(next.t, next.x, next.v, {}, evaluate_dynamics);
    if (status) status = system_.factorize(ProjectionWeights::mass);  // nothing to do where x stayed
    return status ? system_.solve(system_.Q(), system_.gamma(), next.a, next.lambda) : status;
  }
  /// (4), behind `finish`; q then v.
  Status estimate(const Stages& U, VectorView error) { return estimate(U, state_.v, start_.derivative, error); }
  /// (4) with the derivatives at the start moved by the estimate, which it replaces (Hairer, Wanner, IV.8, (8.20)).
  Status estimate_again(const Stages& U, VectorView error) {
    const VectorView q = beside_.segment(0, n_), v = beside_.segment(n_, n_), a = beside_.segment(2 * n_, n_);
    q.map() = state_.x.map() + error.segment(0, n_).map();
    v.map() = state_.v.map() + error.segment(n_, n_).map();
    Status status = system_.evaluate(state_.t, q, v, {}, evaluate_dynamics);
    if (status) status = system_.factorize(ProjectionWeights::mass);
    if (status) status = system_.solve(system_.Q(), system_.gamma(), a, {});
    return status ? estimate(U, v, a, error) : status;
  }
  double error_norm(ConstVectorView error) const { return norm_(error.segment(0, n_), error.segment(n_, n_)); }
  /// Inside a step: what (3) moved comes in smoothly; accelerations are those of the stages.
  static void interpolate(const ConstStateView& from, const ConstStateView& to, double h, double s, const Stages& U,
                          const StateView& out) {
    const Index n = from.x.size;
    const double share = s * s * s;
    out.x.map() +=
        share * (to.x.map() - from.x.map() - h * from.v.map() - h * h * combined(second_integral_weights(1), U, n));
    out.v.map() += share * (to.v.map() - from.v.map() - h * combined(integral_weights(1), U, n));
    if (out.a.size > 0) out.a.map() = combined(value_weights(s), U, n);
    if (out.lambda.size > 0) out.lambda.map() = (1 - s) * from.lambda.map() + s * to.lambda.map();
  }

 private:
  /// -Phi of the last evaluation, at q. What rounding of q leaves of a row is none: divided by c_1^2, it would be an
  /// acceleration.
  void rows_of(ConstVectorView q, VectorView rows) const {
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * q.map().lpNorm<Eigen::Infinity>();
    const ConstVectorView Phi = system_.Phi();
    for (Index i = 0; i < m_; ++i) rows[i] = std::abs(Phi[i]) > rounding ? -Phi[i] : 0;
  }
  bool of_velocity(Index row) const { return level_ != nullptr && level_->is_velocity_row(row); }
  /// b - B V of the last evaluation, in the rows that it concerns.
  void velocity_rows_of(ConstVectorView V, VectorView rows) {
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * V.map().lpNorm<Eigen::Infinity>();
    system_.apply_jacobian(V, rows_);
    for (Index r = 0; r < m_; ++r) {
      if (!of_velocity(r)) continue;
      const double off = system_.nu()[r] - rows_[r];
      rows[r] = std::abs(off) > rounding ? off : 0;
    }
  }
  Status estimate(const Stages& U, ConstVectorView v, ConstVectorView a, VectorView error) {
    const double c_1 = h_ / gamma;
    const VectorView e_q = error.segment(0, n_), e_v = error.segment(n_, n_);
    e_q.map() = c_1 * (v.map() + combined(d, V_, n_));
    e_v.map() = c_1 * (a.map() + combined(d, U, n_));
    Status status = linearization_.apply_linearization(e_q, none_, other_image_, rows_);
    system_.apply_mass(e_v, image_);
    image_.map() -= c_1 * other_image_.map();
    if (status) status = implicit_.solve_implicit(0, image_, no_rows_, e_v, rows_);
    e_q.map() += c_1 * e_v.map();
    return status ? sdk::keep_to_tangent(system_, e_q, e_v) : status;
  }
  static VectorView filled(VectorView x, double value) {
    x.map().setConstant(value);
    return x;
  }
  void place(const Stages& U) {
    for (std::size_t i = 0; i < stages; ++i) V_[i].map() = state_.v.map() + h_ * combined(A[i], U, n_);
    for (std::size_t i = 0; i < stages; ++i) X_[i].map() = state_.x.map() + h_ * combined(A[i], V_, n_);
  }

  ConstrainedSystem& system_;
  ConstrainedLinearization& linearization_;
  ImplicitSolve& implicit_;
  bool at_start_ = false;       ///< of the step, the system was evaluated last
  const VelocityLevel* level_;  ///< nullptr: no rows that hold for velocities only
  ConstStateView state_;
  double h_;
  Index n_, m_;
  Start start_;
  VectorView ones_, none_;
  PairNorm norm_;
  Stages X_, V_;
  VectorView image_, other_image_, no_rows_, rows_, other_rows_, beside_;
};

}  // namespace trammel::radau
