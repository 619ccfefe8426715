// ShiftedFactors: dense factorizations of M - c1 C - c0 K for real and complex shifts, several at once, for systems that
// hold such matrices.
#pragma once

#include <Eigen/LU>
#include <complex>
#include <type_traits>
#include <vector>

#include "trammel/linalg.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel::sdk {

/// `size`: that of the matrices, or Eigen::Dynamic. What `prepare` and the solves of SecondOrderSystem need.
template <int size>
class ShiftedFactors {
  template <class Scalar>
  using MatrixOf = Eigen::Matrix<Scalar, size, size>;

 public:
  using Complex = std::complex<double>;

  /// [step] `build(c0, c1, A)` writes the matrix, c0 and c1 being double or Complex and A a Matrix of them;
  /// `judge(c0, c1, A, lu)` says whether it is regular, lu being Eigen's PartialPivLU of A. Allocates at the first use
  /// of a handle, and where the size of the matrices is another one.
  template <class Build, class Judge>
  Status prepare(Index first, const Shift* shifts, Index count, const Build& build, const Judge& judge) {
    if (static_cast<std::size_t>(first + count) > factors_.size()) {
      factors_.resize(static_cast<std::size_t>(first + count));
    }
    Status status;
    for (Index k = 0; status && k < count; ++k) {
      const Shift& s = shifts[k];
      Factors& f = factors_[static_cast<std::size_t>(first + k)];
      if (s.real()) {
        status = factorize(s.c0, s.c1, f.real, build, judge);
      } else {
        status = factorize(Complex(s.c0, s.c0_imag), Complex(s.c1, s.c1_imag), f.complex, build, judge);
      }
    }
    return status;
  }

  /// [hot] r and z may be the same.
  void solve(Index handle, ConstVectorView r, VectorView z) {
    Part<double>& part = factors_[static_cast<std::size_t>(handle)].real;
    part.x = part.lu.permutationP() * r.map();
    substitute(part);
    z.map() = part.x;
  }
  void solve_complex(Index handle, ConstComplexView r, ComplexView z) {
    Part<Complex>& part = factors_[static_cast<std::size_t>(handle)].complex;
    const auto& places = part.lu.permutationP().indices();
    for (Index i = 0; i < r.re.size; ++i) part.x[places[i]] = Complex(r.re[i], r.im[i]);
    substitute(part);
    z.re.map() = part.x.real();
    z.im.map() = part.x.imag();
  }

 private:
  template <class Scalar>
  struct Part {
    MatrixOf<Scalar> A;
    Eigen::PartialPivLU<MatrixOf<Scalar>> lu;
    Eigen::Matrix<Scalar, size, 1> x;
  };
  struct Factors {
    Part<double> real;
    Part<Complex> complex;
  };

  template <class Scalar, class Build, class Judge>
  static Status factorize(Scalar c0, Scalar c1, Part<Scalar>& part, const Build& build, const Judge& judge) {
    build(c0, c1, part.A);
    part.x.resize(part.A.rows());
    part.lu.compute(part.A);
    return judge(c0, c1, part.A, part.lu);
  }
  template <class Scalar>
  static void substitute(Part<Scalar>& part) {
    part.lu.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(part.x);
    part.lu.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(part.x);
  }

  std::vector<Factors> factors_;
};

/// A judgement for `prepare`: no pivot is zero.
inline constexpr auto no_pivot_is_zero = [](auto, auto, const auto&, const auto& lu) {
  for (Eigen::Index i = 0; i < lu.matrixLU().rows(); ++i) {
    const double pivot = std::abs(lu.matrixLU()(i, i));
    if (!(pivot > 0)) return Status::failure(StatusCode::singular, "the implicit matrix", static_cast<Index>(i), pivot);
  }
  return Status::success();
};

}  // namespace trammel::sdk
