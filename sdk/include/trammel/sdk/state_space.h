// State-space view of a partitioned model, M^ w'' = Q^ (Haug, 7.2.14), with its exact derivatives.
//
//   T = [-Phi_u^-1 Phi_w; I],  M^ = T^T M T                                                             (7.2.15), (1)
//   J1 y:  dq = T y,  Phi_u du' = -(Phi_q v)_q dq - Phi_tq dq,  dw' = 0                                             (2)
//   J2 y:  dq = 0,    dv = T y                                                                                      (3)
//   d/dt:  Phi_u du = nu, dw = 0,  Phi_u du' = -(Phi_q v)_q dq - Phi_tq (dq + v) - Phi_tt, dw' = 0                  (4)
// Each of them moves the equations of motion by
//   f = ((M a)_q + (Phi_q^T lambda)_q - Q_q) dq - Q_v dv [- Q_t + Phi_tq^T lambda]
//   g = (Phi_q a - gamma)_q dq + (Phi_q a - gamma)_v dv [+ (Phi_q a - gamma)_t]                                     (5)
// M da + Phi_q^T dlambda = -f and Phi_q da = -g give, with da = T dw'' + p and T^T Phi_q^T = 0,
//   Phi_u p_u = -g, p_w = 0,    M^ dw'' = -T^T (f + M p)                                                            (6)
// The blocks of (6) are those of A. Sandu et al. (2001), Eqs. (26) to (35), here also with drivers. In (4) the term
// T^T Phi_tq^T lambda is (Phi_tq T)^T lambda, which (2) has at hand.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "trammel/constrained_system.h"
#include "trammel/second_order_system.h"
#include "trammel/system_extensions.h"

namespace trammel::sdk {

/// (w, w') -> (q, v) by a partition.
class StateSpaceChart {
 public:
  /// [hot] Also factorizes Phi_u at the point that it arrives at.
  virtual Status lift(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot, VectorView q,
                      VectorView v) = 0;
  /// [hot] n entries, 1 for independent coordinates.
  virtual ConstVectorView independent() const = 0;

 protected:
  ~StateSpaceChart() = default;
};

/// Dense in the degrees of freedom d: made for mechanisms with up to some hundred of them. `linearize` costs 3 d solves
/// with Phi_u and 2 d contractions, `prepare` d^3 / 3.
class StateSpace final : public SecondOrderSystem {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

 public:
  /// [setup] d = length of w. `chart` and `system` outlive the view.
  void bind(StateSpaceChart& chart, ConstrainedSystem& system, Index d) {
    chart_ = &chart, system_ = &system, solver_ = find_extension<PartitionSolve>(system);
    const Index n = system.coordinates(), m = system.constraints();
    for (Vector* x : {&q_, &v_, &a_, &change_, &force_, &part_, &inertia_, &Q_t_}) x->setZero(n);
    for (Vector* x : {&lambda_, &rows_, &rate_, &Phi_tt_, &acceleration_t_}) x->setZero(m);
    for (Vector* x : {&w_, &w_dot_, &MJt_, &turned_}) x->setZero(d);
    for (Matrix* A : {&T_, &F1_, &F2_}) A->setZero(n, d);
    for (Matrix* A : {&M_, &MJ1_, &MJ2_, &implicit_}) A->setZero(d, d);
    mask_.setOnes(d);
    cholesky_.compute(Matrix::Identity(d, d));
    lu_.compute(Matrix::Identity(d, d));
    forget();
  }

  /// [step] The chart changed: nothing of the last point holds.
  void forget() { lifted_ = accelerated_ = false; }

  /// [step] (w, w') -> (q, v), kept for the calls at the same point that follow.
  Status lift(double t, ConstVectorView w, ConstVectorView w_dot) {
    if (lifted_ && t == t_ && w.map() == w_ && w_dot.map() == w_dot_) return Status::success();
    forget();
    t_ = t, w_ = w.map(), w_dot_ = w_dot.map();
    const Status status = chart_->lift(*system_, t, w, w_dot, view(q_), view(v_));
    lifted_ = status.ok();
    return status;
  }
  ConstVectorView q() const { return {q_.data(), static_cast<Index>(q_.size())}; }
  ConstVectorView v() const { return {v_.data(), static_cast<Index>(v_.size())}; }

  /// The independent ones of x (n).
  void pick(ConstVectorView x, VectorView out) const {
    const ConstVectorView independent = chart_->independent();
    for (Index i = 0, k = 0; i < x.size && k < out.size; ++i) {
      if (independent[i] != 0) out[k++] = x[i];
    }
  }

  Index size() const override { return static_cast<Index>(mask_.size()); }
  ConstVectorView mask() const override { return {mask_.data(), size()}; }

  Status acceleration(double t, ConstVectorView w, ConstVectorView w_dot, VectorView w_ddot) override {
    const Status status = accelerate(t, w, w_dot);
    if (status) pick(view(a_), w_ddot);
    return status;
  }

  Status linearize(double t, ConstVectorView w, ConstVectorView w_dot) override {
    Status status = accelerate(t, w, w_dot);
    if (status) status = solver_->factorize_dependent(chart_->independent());
    if (status) status = system_->linearize(view(a_), view(lambda_));
    if (status) status = form_mass();
    for (Index k = 0; status && k < size(); ++k) status = form_column(k);
    if (status) status = form_time_gradient();
    if (!status) return status;
    MJ1_.noalias() = -(T_.transpose() * F1_);  // (6)
    MJ2_.noalias() = -(T_.transpose() * F2_);
    return MJ1_.allFinite() && MJ2_.allFinite() && MJt_.allFinite()
               ? status
               : Status::failure(StatusCode::not_finite, "state-space Jacobian");
  }

  Status apply_mass(ConstVectorView y, VectorView out) override { return product(M_, y, out); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return product(MJ1_, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return product(MJ2_, y, out); }
  Status time_gradient(VectorView out) override {
    out.map() = MJt_;
    return Status::success();
  }

  Status prepare(double c0, double c1) override {
    implicit_.noalias() = M_ - c1 * MJ2_ - c0 * MJ1_;
    lu_.compute(implicit_);
    for (Index i = 0; i < size(); ++i) {
      const double pivot = lu_.matrixLU()(i, i);
      if (!(std::abs(pivot) > 0)) return Status::failure(StatusCode::singular, "implicit matrix", -1, pivot);
    }
    return Status::success();
  }
  Status solve(ConstVectorView r, VectorView z) override {
    z.map() = lu_.permutationP() * r.map();
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(z.map());
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(z.map());
    return Status::success();
  }

 private:
  static VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static VectorView column(Matrix& A, Index k) { return {A.data() + k * A.rows(), static_cast<Index>(A.rows())}; }

  static Status product(const Matrix& A, ConstVectorView y, VectorView out) {
    out.map().noalias() = A * y.map();
    return Status::success();
  }

  Status accelerate(double t, ConstVectorView w, ConstVectorView w_dot) {
    Status status = lift(t, w, w_dot);
    if (!status || accelerated_) return status;
    status = system_->evaluate(t, view(q_), view(v_), {}, evaluate_dynamics | evaluate_nu);
    if (status) status = system_->factorize(ProjectionWeights::mass);
    if (status) status = system_->solve(system_->Q(), system_->gamma(), view(a_), view(lambda_));
    accelerated_ = status.ok();
    return status;
  }

  /// T, and M^ by (1), positive definite where the model is sound (Sandu et al., Lemma 1.1).
  Status form_mass() {
    const ConstVectorView independent = chart_->independent();
    for (Index i = 0, k = 0; i < independent.size && k < size(); ++i) {
      if (independent[i] == 0) continue;
      change_.setZero();
      change_[i] = 1;
      system_->apply_jacobian(view(change_), view(rows_));
      rows_ = -rows_;
      solver_->solve_dependent(view(rows_), column(T_, k));
      T_(i, k) = 1;
      system_->apply_mass(column(T_, k), column(F1_, k));
      ++k;
    }
    M_.noalias() = T_.transpose() * F1_;
    cholesky_.compute(M_);
    if (cholesky_.info() == Eigen::Success) return Status::success();
    return Status::failure(StatusCode::singular, "reduced mass matrix, which is not positive definite,");
  }

  /// Column k of f + M p in (6), for (2) and (3).
  Status form_column(Index k) {
    const VectorView tangent = column(T_, k);
    change_.setZero();
    Status status = move_equations(view(change_), tangent, column(F2_, k));  // (3)
    if (status) status = system_->apply_time_jacobian(tangent, view(rate_));
    turned_[k] = rate_.dot(lambda_);
    if (status) status = system_->apply_jacobian_gradient(view(v_), tangent, view(rows_));
    if (!status) return status;
    rows_ = -rows_ - rate_;
    solver_->solve_dependent(view(rows_), view(change_));
    return move_equations(tangent, view(change_), column(F1_, k));  // (2)
  }

  Status form_time_gradient() {
    Status status = system_->time_gradients(view(a_), view(Q_t_), view(Phi_tt_), view(acceleration_t_));
    rows_ = system_->nu().map();
    solver_->solve_dependent(view(rows_), view(change_));
    if (status) status = system_->apply_jacobian_gradient(view(v_), view(change_), view(rows_));
    part_ = change_ + v_;
    if (status) status = system_->apply_time_jacobian(view(part_), view(rate_));
    if (!status) return status;
    rows_ = -rows_ - rate_ - Phi_tt_;
    solver_->solve_dependent(view(rows_), view(part_));  // (4)
    status = system_->apply_linearization(view(change_), view(part_), view(force_), view(rows_));
    rows_ = -rows_ - acceleration_t_;
    force_ -= Q_t_;
    add_particular(view(force_));
    MJt_.noalias() = -(T_.transpose() * force_);
    MJt_ -= turned_;
    return status;
  }

  /// out = f + M p by (5) and (6).
  Status move_equations(ConstVectorView dq, ConstVectorView dv, VectorView out) {
    const Status status = system_->apply_linearization(dq, dv, out, view(rows_));
    rows_ = -rows_;
    if (status) add_particular(out);
    return status;
  }
  /// f += M p with Phi_u p_u = rows_.
  void add_particular(VectorView f) {
    solver_->solve_dependent(view(rows_), view(part_));
    system_->apply_mass(view(part_), view(inertia_));
    f.map() += inertia_;
  }

  StateSpaceChart* chart_ = nullptr;
  ConstrainedSystem* system_ = nullptr;
  PartitionSolve* solver_ = nullptr;
  double t_ = 0;
  bool lifted_ = false, accelerated_ = false;
  Vector q_, v_, a_, change_, force_, part_, inertia_, Q_t_;         // n
  Vector lambda_, rows_, rate_, Phi_tt_, acceleration_t_;    // m
  Vector w_, w_dot_, mask_, MJt_, turned_;                   // d
  Matrix T_, F1_, F2_;                                       // n x d
  Matrix M_, MJ1_, MJ2_, implicit_;                          // d x d: M^, M^ J1, M^ J2
  Eigen::LLT<Matrix> cholesky_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace trammel::sdk
