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
#include <limits>

#include "trammel/constrained_system.h"
#include "trammel/extensions/state_space_solve.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/math/shifted_factors.h"
#include "trammel/second_order_system.h"

namespace trammel::sdk {

/// (w, w') -> (q, v) by a partition.
class StateSpaceChart {
 public:
  /// [hot] Also factorizes Phi_u at the point that it arrives at.
  virtual Status lift(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot, VectorView q,
                      VectorView v) = 0;
  /// [hot] Tells the accelerations at a point that it arrived at; they help to predict dependent coordinates.
  virtual void accelerated(double t, ConstVectorView a) = 0;
  /// [hot] Tells that Phi_u of the partition in force was factorized, at the point arrived at last.
  virtual void factorized() {}
  /// [hot] n entries, 1 for independent coordinates.
  virtual ConstVectorView independent() const = 0;

 protected:
  ~StateSpaceChart() = default;
};

/// With few degrees of freedom d the three matrices are formed: `linearize` costs 3 d solves with Phi_u, all columns at
/// once, `prepare` d^3 / 3. With many none is: products follow the equations, the implicit solve is iterative and
/// sparse.
class StateSpace final : public SecondOrderSystem {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

 public:
  /// [setup] d = length of w. `chart` and `system` outlive the view.
  void bind(StateSpaceChart& chart, ConstrainedSystem& system, Index d) {
    chart_ = &chart, system_ = &system, solver_ = find_extension<PartitionSolve>(system);
    linearization_ = system.linearization();
    const Index n = system.coordinates(), m = system.constraints();
    derivatives_ = find_extension<StateSpaceDerivatives>(system);
    solve_ = d > most_dense_freedoms ? find_extension<StateSpaceSolve>(system) : nullptr;
    sparse_ = nullptr;
    for (Vector* x : {&q_, &v_, &a_}) x->setZero(n);
    lambda_.setZero(m);
    for (Vector* x : {&w_, &w_dot_, &MJt_}) x->setZero(d);
    mask_.setOnes(2 * d);
    M_.resize(0, 0);
    if (solve_ == nullptr) make_dense_room(d);
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
  /// [step] The same for a point beside the way of the integration; what is kept stays.
  Status lift_aside(double t, ConstVectorView w, ConstVectorView w_dot, VectorView q, VectorView v) {
    const bool known = lifted_ && t == t_ && w.map() == w_ && w_dot.map() == w_dot_;
    if (!known) return chart_->lift(*system_, t, w, w_dot, q, v);
    q.map() = q_, v.map() = v_;
    return Status::success();
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

  Index size() const override { return static_cast<Index>(w_.size()); }
  ConstVectorView mask() const override { return {mask_.data(), 2 * size()}; }

  Status acceleration(double t, ConstVectorView w, ConstVectorView w_dot, VectorView w_ddot) override {
    const Status status = accelerate(t, w, w_dot);
    if (status) pick(view(a_), w_ddot);
    return status;
  }

  Status linearize(double t, ConstVectorView w, ConstVectorView w_dot) override {
    if (linearization_ == nullptr) return Status::failure(StatusCode::unsupported, "no linearization of the system");
    Status status = accelerate(t, w, w_dot);
    if (status) status = solver_->factorize_dependent(chart_->independent());
    if (status) chart_->factorized();
    if (status) status = linearization_->linearize(view(a_), view(lambda_));
    if (!status) return status;
    sparse_ = nullptr;
    if (solve_ != nullptr && solve_->linearize(chart_->independent(), view(a_), view(lambda_), view(MJt_))) {
      sparse_ = solve_;
      return checked_time_gradient();
    }
    make_dense_room(size());  // at once where freedoms are few; here where Phi_u is nearly singular
    status = derivatives_->reduce(chart_->independent(), view(a_), view(lambda_), view(M_), view(MJ1_), view(MJ2_),
                                  view(MJt_));
    if (!status) return status;
    if (!(MJ1_.allFinite() && MJ2_.allFinite())) return Status::failure(StatusCode::not_finite, "state-space Jacobian");
    status = checked_time_gradient();
    if (!status) return status;
    cholesky_.compute(M_);  // positive definite where the model is sound (Sandu et al., Lemma 1.1)
    if (cholesky_.info() == Eigen::Success) return status;
    return Status::failure(StatusCode::singular, "reduced mass matrix, which is not positive definite,");
  }

  Status apply_mass(ConstVectorView y, VectorView out) override {
    if (sparse_ == nullptr) return product(M_, y, out);
    sparse_->apply_mass(y, out);
    return Status::success();
  }
  Status apply_J1(ConstVectorView y, VectorView out) override {
    if (sparse_ == nullptr) return product(MJ1_, y, out);
    sparse_->apply_J1(y, out);
    return Status::success();
  }
  Status apply_J2(ConstVectorView y, VectorView out) override {
    if (sparse_ == nullptr) return product(MJ2_, y, out);
    sparse_->apply_J2(y, out);
    return Status::success();
  }
  Status time_gradient(VectorView out) override {
    out.map() = MJt_;
    return Status::success();
  }

  using SecondOrderSystem::prepare, SecondOrderSystem::solve;
  Status prepare(Index first, const Shift* shifts, Index count) override {
    if (sparse_ != nullptr) return sparse_->prepare(first, shifts, count);
    const auto build = [this](auto c0, auto c1, auto& A) { A.noalias() = M_ - c1 * MJ2_ - c0 * MJ1_; };
    // Beside the sum of what it is made of, so that terms which cancel count as singular, in a single freedom too.
    const auto judge = [this](auto c0, auto c1, const auto& A, const auto& lu) {
      const double scale = norm(M_) + std::abs(c1) * norm(MJ2_) + std::abs(c0) * norm(MJ1_), size = norm(A);
      const double condition = size > 0 ? scale / (size * lu.rcond()) : std::numeric_limits<double>::infinity();
      if (condition < largest_condition) return Status::success();
      return Status::failure(StatusCode::singular, "matrix of the implicit step", -1, condition);
    };
    return factors_.prepare(first, shifts, count, build, judge);
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    if (sparse_ != nullptr) return sparse_->solve(handle, r, z);
    factors_.solve(handle, r, z);
    return Status::success();
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    if (sparse_ != nullptr) return sparse_->solve_complex(handle, r, z);
    factors_.solve_complex(handle, r, z);
    return Status::success();
  }

 private:
  static constexpr Index most_dense_freedoms = 63;
  static constexpr double largest_condition = 1e14;  // two digits are left
  static double norm(const auto& A) { return A.size() > 0 ? A.cwiseAbs().colwise().sum().maxCoeff() : 1; }
  static VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static MatrixView view(Matrix& A) {
    const auto rows = static_cast<Index>(A.rows());
    return {A.data(), rows, static_cast<Index>(A.cols()), rows};
  }

  static Status product(const Matrix& A, ConstVectorView y, VectorView out) {
    out.map().noalias() = A * y.map();
    return Status::success();
  }

  void make_dense_room(Index d) {
    if (M_.rows() == d && d > 0) return;
    derivatives_->make_room(d);
    for (Matrix* A : {&M_, &MJ1_, &MJ2_}) A->setZero(d, d);
    cholesky_.compute(Matrix::Identity(d, d));
  }

  Status checked_time_gradient() const {
    if (MJt_.allFinite()) return Status::success();
    return Status::failure(StatusCode::not_finite, "state-space Jacobian");
  }

  Status accelerate(double t, ConstVectorView w, ConstVectorView w_dot) {
    Status status = lift(t, w, w_dot);
    if (!status || accelerated_) return status;
    status = system_->evaluate(t, view(q_), view(v_), {}, evaluate_dynamics | evaluate_jacobian | evaluate_nu);
    if (status) status = system_->factorize(ProjectionWeights::mass);
    if (status) status = system_->solve(system_->Q(), system_->gamma(), view(a_), view(lambda_));
    accelerated_ = status.ok();
    if (accelerated_) chart_->accelerated(t, view(a_));
    return status;
  }

  StateSpaceChart* chart_ = nullptr;
  ConstrainedSystem* system_ = nullptr;
  ConstrainedLinearization* linearization_ = nullptr;
  PartitionSolve* solver_ = nullptr;
  StateSpaceDerivatives* derivatives_ = nullptr;
  StateSpaceSolve* solve_ = nullptr;   ///< where there are many freedoms
  StateSpaceSolve* sparse_ = nullptr;  ///< what the last linearization used; nullptr: the matrices
  double t_ = 0;
  bool lifted_ = false, accelerated_ = false;
  Vector q_, v_, a_;        // n
  Vector lambda_;           // m
  Vector w_, w_dot_, MJt_;  // d
  Vector mask_;             // 2 d
  Matrix M_, MJ1_, MJ2_;    // d x d: M^, M^ J1, M^ J2
  Eigen::LLT<Matrix> cholesky_;
  ShiftedFactors<Eigen::Dynamic> factors_;
};

}  // namespace trammel::sdk
