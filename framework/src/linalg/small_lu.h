// SmallLu: P D A = L U of a matrix of a few unknowns, D scaling rows, with partial pivoting (Golub and Van Loan, Matrix
// Computations, 3.4).
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

template <class Scalar>
class SmallLu {
 public:
  /// Beyond it what is zero in a mechanism's matrix outweighs KLU's calls.
  static constexpr Index most_unknowns = 16;

  /// [setup]
  void begin(Index size) {
    size_ = size;
    a_.assign(static_cast<std::size_t>(size * size), Scalar(0));
    scale_.assign(static_cast<std::size_t>(size), 1.0);
    row_.assign(static_cast<std::size_t>(size), 0);
  }

  /// [hot] Of the matrix in compressed columns. Returns the column without a pivot, or -1.
  Index factorize(const Index* column_start, const Index* row, const Scalar* value) {
    const Index n = size_;
    std::fill(a_.begin(), a_.end(), Scalar(0));
    std::fill(scale_.begin(), scale_.end(), 0.0);
    for (Index e = 0; e < column_start[n]; ++e) scale_[at(row[e])] = std::max(scale_[at(row[e])], std::abs(value[e]));
    for (double& s : scale_) s = s > 0 ? 1 / s : 1;
    Scalar* const a = a_.data();
    for (Index j = 0; j < n; ++j) {
      for (Index e = column_start[j]; e < column_start[j + 1]; ++e) a[j * n + row[e]] = value[e] * scale_[at(row[e])];
    }
    smallest_ = largest_ = 0;
    weakest_ = -1;
    for (Index k = 0; k < n; ++k) {
      Index best = k;
      for (Index i = k + 1; i < n; ++i) {
        if (std::abs(a[k * n + i]) > std::abs(a[k * n + best])) best = i;
      }
      row_[at(k)] = best;
      if (best != k) {
        for (Index j = 0; j < n; ++j) std::swap(a[j * n + k], a[j * n + best]);
      }
      const double size = std::abs(a[k * n + k]);
      if (!(size > 0)) return smallest_ = 0, k;
      if (weakest_ < 0 || size < smallest_) smallest_ = size, weakest_ = k;
      largest_ = std::max(largest_, size);
      const Scalar inverse = Scalar(1) / a[k * n + k];
      for (Index i = k + 1; i < n; ++i) a[k * n + i] *= inverse;
      for (Index j = k + 1; j < n; ++j) {
        const Scalar u = a[j * n + k];
        if (u == Scalar(0)) continue;
        for (Index i = k + 1; i < n; ++i) a[j * n + i] -= a[k * n + i] * u;
      }
    }
    return -1;
  }

  /// [hot] x := A^-1 x or A^-T x.
  void solve(Scalar* x, bool transposed) const {
    const Index n = size_;
    const Scalar* const a = a_.data();
    if (transposed) {
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < j; ++i) x[j] -= a[j * n + i] * x[i];
        x[j] /= a[j * n + j];
      }
      for (Index j = n; j-- > 0;) {
        for (Index i = j + 1; i < n; ++i) x[j] -= a[j * n + i] * x[i];
      }
      for (Index k = n; k-- > 0;) std::swap(x[k], x[row_[at(k)]]);
      for (Index i = 0; i < n; ++i) x[i] *= scale_[at(i)];
      return;
    }
    for (Index i = 0; i < n; ++i) x[i] *= scale_[at(i)];
    for (Index k = 0; k < n; ++k) std::swap(x[k], x[row_[at(k)]]);
    for (Index j = 0; j < n; ++j) {
      for (Index i = j + 1; i < n; ++i) x[i] -= a[j * n + i] * x[j];
    }
    for (Index j = n; j-- > 0;) {
      x[j] /= a[j * n + j];
      for (Index i = 0; i < j; ++i) x[i] -= a[j * n + i] * x[j];
    }
  }

  /// Smallest over largest pivot, and the column of the smallest.
  double pivot_ratio() const { return smallest_ / largest_; }
  Index weakest() const { return weakest_; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Index size_ = 0, weakest_ = -1;
  std::vector<Scalar> a_;  ///< column by column
  std::vector<double> scale_;
  std::vector<Index> row_;  ///< exchanged with row k in step k
  double smallest_ = 0, largest_ = 0;
};

}  // namespace trammel
