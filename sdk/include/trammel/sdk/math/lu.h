// Lu, ComplexLu: dense LU factorization with partial pivoting in memory of the caller, for [hot] methods, which may not
// allocate.
//
//   P A = L U,  |l_ij| <= 1              Golub, Van Loan, Matrix Computations (2013), 3.4.2
#pragma once

#include <complex>
#include <utility>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel::sdk {

/// Factors stand in the place of the matrix, pivots in `pivots`; both are the caller's, as a rule parts of
/// memory.scratch.
template <class Scalar>
class BasicLu {
  static constexpr Index width = sizeof(Scalar) / sizeof(double);
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  /// Doubles for an n x n matrix and its pivots.
  static constexpr Index size(Index n) { return width * n * n + n; }

  /// `storage` has size(n) doubles; the matrix stands in its first n * n, column by column.
  BasicLu(double* storage, Index n) : A_(numbers(storage), n, n), pivots_(storage + width * n * n) {}

  Eigen::Map<Matrix>& matrix() { return A_; }

  /// [hot] `singular`: no pivot in column `subject` above rounding; `value` is the largest there.
  Status factorize() {
    const Index n = static_cast<Index>(A_.rows());
    if (n == 0) return Status::success();
    const double rounding = 1e-15 * A_.cwiseAbs().maxCoeff();
    for (Index k = 0; k < n; ++k) {
      Eigen::Index below = 0;
      const double pivot = A_.col(k).tail(n - k).cwiseAbs().maxCoeff(&below);
      if (!(pivot > rounding))
        return Status::failure(StatusCode::singular, "a matrix that has to be regular", k, pivot);
      const Index row = k + static_cast<Index>(below);
      pivots_[k] = row;
      if (row != k) A_.row(k).swap(A_.row(row));
      A_.col(k).tail(n - k - 1) /= A_(k, k);
      for (Index j = k + 1; j < n; ++j) A_.col(j).tail(n - k - 1) -= A_(k, j) * A_.col(k).tail(n - k - 1);
    }
    return Status::success();
  }

  /// [hot] Overwrites x with A^-1 x.
  template <class Vector>
  void solve(Vector&& x) const {
    const Index n = static_cast<Index>(A_.rows());
    for (Index k = 0; k < n; ++k) {
      const Index row = static_cast<Index>(pivots_[k]);
      if (row != k) std::swap(x[k], x[row]);
    }
    for (Index k = 0; k < n; ++k) x.tail(n - k - 1) -= x[k] * A_.col(k).tail(n - k - 1);
    for (Index k = n; k-- > 0;) {
      x[k] /= A_(k, k);
      x.head(k) -= x[k] * A_.col(k).head(k);
    }
  }

 private:
  static Scalar* numbers(double* storage) {
    if constexpr (width == 1) {
      return storage;
    } else {
      return reinterpret_cast<Scalar*>(storage);  // pairs of doubles are complex numbers: [complex.numbers.general]
    }
  }

  Eigen::Map<Matrix> A_;
  double* pivots_;
};

using Lu = BasicLu<double>;
using ComplexLu = BasicLu<std::complex<double>>;

}  // namespace trammel::sdk
