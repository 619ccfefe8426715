// Base of small problems M(t, x) x'' = Q(t, x, x'): the author writes M and Q once as templates, the rest is derived.
//
// With a = x'' at the linearization point and r(t, x, x') = Q(t, x, x') - M(t, x) a, a kept fixed:
//   M J1 = dr/dx,   M J2 = dr/dx',   M d(x'')/dt = dr/dt                                                          (1)
// which follows from differentiating M x'' = Q. The derivatives are taken by the complex step,
//   dr/du = Im r(u + i eps) / eps,   eps = 1e-100,                                                                (2)
// free of cancellation, so they are exact to rounding (Squire, Trapp, SIAM Review 40 (1998) 110-112).
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <complex>

#include "trammel/sdk/math/shifted_factors.h"
#include "trammel/system.h"

namespace trammel::sdk {

/// `Problem` has, for S = double and std::complex<double> (analytic expressions only: no abs, no branches),
///
///     template <class S> void mass(const S& t, const S* x, S (*M)[N]) const;               // all N x N entries
///     template <class S> void force(const S& t, const S* x, const S* v, S* Q) const;
///
/// and may be singular nowhere that the motion goes. Nothing here allocates after construction.
template <class Problem, int N>
class SecondOrderView final : public SecondOrderSystem {
  using Matrix = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;
  using Complex = std::complex<double>;

 public:
  explicit SecondOrderView(const Problem& problem) : problem_(problem) {}

  Index size() const override { return N; }

  Status acceleration(double t, ConstVectorView x, ConstVectorView x_dot, VectorView a) override {
    Matrix M;
    Vector result;
    const Status status = solve_at(t, x, x_dot, M, result);
    a.map() = result;
    return status;
  }

  Status apply_mass(ConstVectorView y, VectorView out) override {
    out.map() = M_ * y.map();
    return Status::success();
  }

  Status linearize(double t, ConstVectorView x, ConstVectorView x_dot) override {
    Vector a;
    const Status status = solve_at(t, x, x_dot, M_, a);
    if (!status) return status;
    constexpr double eps = 1e-100;
    Complex z[2 * N + 1], r[N];  // x, x', t
    for (int i = 0; i < N; ++i) z[i] = x[i], z[N + i] = x_dot[i];
    z[2 * N] = t;
    for (int j = 0; j <= 2 * N; ++j) {
      z[j] += Complex(0, eps);  // (2)
      residual(z, a, r);
      z[j] = z[j].real();
      for (int i = 0; i < N; ++i) {
        const double derivative = r[i].imag() / eps;  // (1)
        if (j < N)
          MJ1_(i, j) = derivative;
        else if (j < 2 * N)
          MJ2_(i, j - N) = derivative;
        else
          M_t_[i] = derivative;
      }
    }
    return Status::success();
  }

  Status apply_J1(ConstVectorView y, VectorView out) override {
    out.map() = MJ1_ * y.map();
    return Status::success();
  }
  Status apply_J2(ConstVectorView y, VectorView out) override {
    out.map() = MJ2_ * y.map();
    return Status::success();
  }
  Status time_gradient(VectorView out) override {
    out.map() = M_t_;
    return Status::success();
  }

  using SecondOrderSystem::prepare, SecondOrderSystem::solve;
  Status prepare(Index first, const Shift* shifts, Index count) override {
    const auto build = [this](auto c0, auto c1, auto& A) { A = M_ - c1 * MJ2_ - c0 * MJ1_; };
    return factors_.prepare(first, shifts, count, build, no_pivot_is_zero);
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    factors_.solve(handle, r, z);
    return Status::success();
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    factors_.solve_complex(handle, r, z);
    return Status::success();
  }

  ConstVectorView mask() const override { return {mask_.data(), 2 * N}; }

 private:
  Status solve_at(double t, ConstVectorView x, ConstVectorView x_dot, Matrix& M, Vector& a) const {
    double rows[N][N], Q[N];
    problem_.mass(t, x.data, rows);
    problem_.force(t, x.data, x_dot.data, Q);
    for (int i = 0; i < N; ++i) {
      a[i] = Q[i];
      for (int j = 0; j < N; ++j) M(i, j) = rows[i][j];
    }
    const Eigen::LLT<Matrix> factor(M);
    if (factor.info() != Eigen::Success) return Status::failure(StatusCode::singular, "the mass matrix of the problem");
    factor.solveInPlace(a);
    for (int i = 0; i < N; ++i) {
      if (!std::isfinite(a[i])) return Status::failure(StatusCode::not_finite, "an acceleration", i, a[i]);
    }
    return Status::success();
  }

  void residual(const Complex* z, const Vector& a, Complex* r) const {
    Complex rows[N][N];
    problem_.mass(z[2 * N], z, rows);
    problem_.force(z[2 * N], z, z + N, r);
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) r[i] -= rows[i][j] * a[j];
    }
  }

  const Problem& problem_;
  Matrix M_ = Matrix::Identity(), MJ1_ = Matrix::Zero(), MJ2_ = Matrix::Zero();  // at the last linearization point
  Vector M_t_ = Vector::Zero();
  Eigen::Matrix<double, 2 * N, 1> mask_ = Eigen::Matrix<double, 2 * N, 1>::Ones();
  ShiftedFactors<N> factors_;
};

}  // namespace trammel::sdk
