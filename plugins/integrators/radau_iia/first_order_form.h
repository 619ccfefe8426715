// The stages of a step on y' = f(t, y), with a dense Jacobian.
//
// Unknowns are the stage derivatives U_j:
//   Y_i = y + h sum_j a_ij U_j,   U_i = f(t + c_i h, Y_i)                                                          (1)
//   (I - c_1 f_y) dw = T^-1 (f - U),   c_1 = h / gamma and h / (alpha + i beta)                                     (2)
// (Hairer, Wanner, Solving ODEs II (1996), IV.8). Where the first m components have y_k' = y_{k+m}, as positions and
// velocities have, they are eliminated (ibid., "second order" option of RADAU5): with f_y = [0 I 0; J_1 J_2] and dw and
// r = T^-1 (f - U) parted likewise,
//   (I - c_1 J_2 - c_1^2 [J_1 0]) dw_2 = r_2 + c_1 J_1 r_1,   dw_1 = r_1 + c_1 [I 0] dw_2                           (3)
#pragma once

#include <complex>

#include "record.h"
#include "trammel/sdk/math/ode_jacobian.h"

namespace trammel::radau {

class FirstOrderForm {
 public:
  /// Steps longer by less than this are not worth new factorizations (Hairer, Wanner, IV.8).
  static constexpr double kept_step = 1.2;

  struct Work {
    Work(Layout& at, const ProblemSize& size)
        : weights(at.vector(size.n)),
          Y(stages_in(at, size.n)),
          moved(at.vector(size.n)),
          beside(at.vector(size.n)),
          right(at.vector(4 * size.n)) {}
    VectorView weights;
    Stages Y;
    VectorView moved, beside, right;
  };

  FirstOrderForm(const Problem& problem, const ConstStateView& state, double h, const Start& start,
                 const Cached& cached, const Work& work)
      : system_(*problem.ode),
        state_(state),
        record_(cached),
        h_(h),
        n_(state.x.size),
        max_norm_(problem.tolerances.max_norm),
        start_(start),
        weights_(problem.tolerances, system_.mask(), state.x, state.x, work.weights),
        Y_(work.Y),
        moved_(work.moved),
        beside_(work.beside),
        right_(work.right),
        J_{cached.J, n_, n_, n_},
        real_(cached.real),
        complex_(cached.complex) {}

  Status begin() {
    if (start_.known != 0) return Status::success();
    const Status status = system_.rhs(state_.t, state_.x, start_.derivative);
    start_.known = status.ok();
    return status;
  }
  void first_guess(VectorView U) const { U.map() = start_.derivative.map(); }

  Status linearize(const Record& record) {
    Status status = system_.jacobian(state_.t, state_.x, J_);
    if (status.code == StatusCode::unsupported) {
      // What an iteration left of f is not good enough for differences.
      record.differenced = 1;
      status = system_.rhs(state_.t, state_.x, start_.derivative);
      if (!status) return status;
      status = sdk::difference_jacobian(system_, state_.t, state_.x, start_.derivative, moved_, beside_, J_);
    }
    if (status) record.eliminated = leading_rates();
    return status;
  }
  Status prepare(const Shift* shifts) {
    const double c_1 = shifts[0].c1;
    const std::complex<double> complex_c_1(shifts[1].c1, shifts[1].c1_imag);
    sdk::Lu real = real_factors();
    fill(c_1, real.matrix());
    const Status status = real.factorize();
    if (!status) return status;
    sdk::ComplexLu complex = complex_factors();
    fill(complex_c_1, complex.matrix());
    return complex.factorize();
  }

  /// (1): residual_i = f - U_i.
  Status evaluate(const Stages& U, const Stages& residual) {
    place(U);
    for (std::size_t i = 0; i < stages; ++i) {
      const Status status = system_.rhs(state_.t + c[i] * h_, Y_[i], residual[i]);
      if (!status) return status;
      residual[i].map() -= U[i].map();
    }
    return Status::success();
  }
  /// (3), in place.
  Status solve(VectorView w) {
    solve_for(h_ / gamma, w.map(), Eigen::Map<Eigen::VectorXd>(right_.data, kept()), real_factors());
    return Status::success();
  }
  Status solve(const ComplexView& w) {
    using Vector = Eigen::Map<Eigen::VectorXcd>;
    Vector all(reinterpret_cast<std::complex<double>*>(right_.data), n_);
    Vector right(reinterpret_cast<std::complex<double>*>(right_.data) + n_, kept());
    all.real() = w.re.map(), all.imag() = w.im.map();
    solve_for(h_ / std::complex<double>(alpha, beta), all, right, complex_factors());
    w.re.map() = all.real(), w.im.map() = all.imag();
    return Status::success();
  }

  double norm(const Stages& dU) {
    Row parts;
    for (std::size_t i = 0; i < stages; ++i) {
      moved_.map() = h_ * combined(A[i], dU, n_);
      parts[i] = weights_.norm(moved_);
    }
    return joined_norm(max_norm_, parts);
  }
  double size() const { return weights_.norm(state_.x); }

  Status finish(const Stages& U, const StateView& next) {
    next.x.map() = state_.x.map() + h_ * combined(A[2], U, n_);
    return Status::success();
  }
  /// (3) of table.h.
  Status estimate(const Stages& U, VectorView error) {
    error.map() = h_ / gamma * (start_.derivative.map() + combined(d, U, n_));
    return solve(error);
  }
  Status estimate_again(const Stages& U, VectorView error) {
    moved_.map() = state_.x.map() + error.map();
    const Status status = system_.rhs(state_.t, moved_, beside_);
    error.map() = h_ / gamma * (beside_.map() + combined(d, U, n_));
    return status ? solve(error) : status;
  }
  double error_norm(ConstVectorView error) const { return weights_.norm(error); }

 private:
  void place(const Stages& U) {
    for (std::size_t i = 0; i < stages; ++i) Y_[i].map() = state_.x.map() + h_ * combined(A[i], U, n_);
  }

  /// m of (3): how many rows of f_y, from the first one, are those of a unit matrix m columns to the right.
  double leading_rates() const {
    Index m = 1;
    while (m < n_ && J_(0, m) == 0) ++m;
    if (2 * m > n_) return 0;
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n_; ++j) {
        if (J_(i, j) != (j == i + m ? 1 : 0)) return 0;
      }
    }
    return m;
  }
  Index first() const { return static_cast<Index>(record_.eliminated); }
  Index kept() const { return n_ - first(); }
  sdk::Lu real_factors() const { return {real_, kept()}; }
  sdk::ComplexLu complex_factors() const { return {complex_, kept()}; }

  /// The matrix of (3).
  template <class Scalar, class Matrix>
  void fill(Scalar c_1, Matrix& E) const {
    const Index m = first(), k = kept();
    for (Index j = 0; j < k; ++j) {
      for (Index i = 0; i < k; ++i) E(i, j) = -c_1 * J_(m + i, m + j);
      E(j, j) += 1.0;
    }
    for (Index j = 0; j < m; ++j) {
      for (Index i = 0; i < k; ++i) E(i, j) -= c_1 * c_1 * J_(m + i, j);
    }
  }
  template <class Scalar, class Vector, class Right, class Factors>
  void solve_for(Scalar c_1, Vector&& w, Right&& right, const Factors& factors) const {
    const Index m = first(), k = kept();
    right = w.tail(k);
    for (Index j = 0; j < m; ++j) right += c_1 * w[j] * J_.map().col(j).tail(k);
    factors.solve(right);
    w.head(m) += c_1 * right.head(m);
    w.tail(k) = right;
  }

  OdeSystem& system_;
  ConstStateView state_;
  const Record& record_;
  double h_;
  Index n_;
  bool max_norm_;
  Start start_;
  sdk::ErrorWeights weights_;
  Stages Y_;
  VectorView moved_, beside_, right_;
  MatrixView J_;
  double *real_, *complex_;
};

}  // namespace trammel::radau
