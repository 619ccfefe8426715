// SmallLu: P D A C = L U of a full matrix of a few unknowns, D and C scaling rows and columns, with partial pivoting
// (Golub and Van Loan, Matrix Computations, 3.4). Rows are not exchanged: who is which pivot is remembered.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/front_program.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// Rows are scaled by their largest entry; where a matrix looks singular its columns are balanced as well, by powers of
/// two, and stay so.
template <class Scalar>
class SmallLu {
 public:
  /// Beyond it what is zero in a mechanism's matrix outweighs KLU's calls.
  static constexpr Index most_unknowns = 16;
  /// Pivots below this fraction of the largest are rounding.
  static constexpr double least_pivot = 1e-14;

  /// [setup]
  void begin(Index size) {
    size_ = size;
    stride_ = (size + 3) / 4 * 4;
    given_.assign(at(size * stride_), Scalar(0));
    a_.assign(2 * given_.size(), Scalar(0));
    scale_.assign(at(stride_), 1.0);
    y_.assign(3 * at(stride_), Scalar(0));
    row_.assign(at(size), 0);
    column_scale_.clear();
    column_scale_.reserve(at(size));  // `factorize` is hot
  }
  Index size() const { return size_; }

  /// [hot] All numbers of the matrix, column by column with `stride()`, zero, to be written before `factorize`.
  Scalar* clear() {
    std::fill(given_.begin(), given_.end(), Scalar(0));
    return given_.data();
  }
  Index stride() const { return stride_; }

  /// [hot] `singular`: subject is the column without a pivot; `not_finite`: value is the size of a number.
  Status factorize() {
    Status status = eliminate();
    if (status.code != StatusCode::singular || !column_scale_.empty()) return status;
    balance_columns();
    const Status balanced = eliminate();
    if (balanced) return balanced;
    column_scale_.clear();
    return status;
  }

  /// [hot] x := A^-1 x or A^-T x.
  void solve(Scalar* x, bool transposed) {
    Scalar *const b = y_.data(), *const y = b + stride_;
    const double *const D = scale_.data(), *const C = column_scale_.empty() ? nullptr : column_scale_.data();
    scale(x, transposed ? C : D, b);
    for (Index i = size_; i < stride_; ++i) b[i] = 0;
    substitute(b, transposed, y);
    scale(y, transposed ? D : C, x);
  }

  /// Smallest over largest pivot, and the column of the smallest.
  double pivot_ratio() const { return ratio_; }
  Index weakest() const { return weakest_; }

 private:
  static constexpr bool is_real = std::is_same_v<Scalar, double>;
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Scalar* L() { return a_.data() + given_.size(); }
  /// U(k, k)
  Scalar* diagonal() { return y_.data() + 2 * stride_; }

  /// Of the matrix that is given, with its columns balanced or not.
  Status eliminate() {
    if (!scale()) return Status::failure(StatusCode::not_finite, "matrix entry", -1, not_finite());
    const Index column = eliminate_columns();
    if (column < 0) {
      measure_pivots();
      if (ratio_ > least_pivot) return Status::success();
    } else {
      smallest_ = ratio_ = 0, weakest_ = column;
    }
    return Status::failure(StatusCode::singular, "dependent row", weakest_, ratio_);
  }

  void scale(const Scalar* from, const double* by, Scalar* to) const {
    const Index n = size_;
    if (by == nullptr) {
      std::copy(from, from + n, to);
    } else {
      for (Index i = 0; i < n; ++i) to[i] = from[i] * by[i];
    }
  }
  /// a = D A C. False: a number is not finite.
  bool scale() {
    if constexpr (is_real) {
      const double* C = column_scale_.empty() ? nullptr : column_scale_.data();
      return front_kernels().scale(given_.data(), size_, stride_, C, scale_.data(), a_.data());
    } else {
      const auto column = [&](Index j) { return column_scale_.empty() ? 1 : column_scale_[at(j)]; };
      std::fill(scale_.begin(), scale_.end(), 0.0);
      for (Index j = 0; j < size_; ++j) {
        for (Index i = 0; i < size_; ++i) {
          const double size = std::abs(given_[at(j * stride_ + i)]) * column(j);
          if (!std::isfinite(size)) return false;
          scale_[at(i)] = std::max(scale_[at(i)], size);
        }
      }
      for (double& s : scale_) s = s > 0 ? 1 / s : 1;
      for (Index j = 0; j < size_; ++j) {
        for (Index i = 0; i < size_; ++i)
          a_[at(j * stride_ + i)] = given_[at(j * stride_ + i)] * (scale_[at(i)] * column(j));
      }
      return true;
    }
  }
  double not_finite() const {
    const auto found =
        std::find_if(given_.begin(), given_.end(), [](const Scalar& x) { return !std::isfinite(std::abs(x)); });
    return found != given_.end() ? std::abs(*found) : std::numeric_limits<double>::infinity();
  }

  /// Powers of two, so that nothing is rounded.
  void balance_columns() {
    column_scale_.assign(at(size_), 1.0);
    for (Index j = 0; j < size_; ++j) {
      double size = 0;  // in rows of size 1
      for (Index i = 0; i < size_; ++i) size = std::max(size, std::abs(given_[at(j * stride_ + i)]) * scale_[at(i)]);
      if (size > 0) column_scale_[at(j)] = std::exp2(-std::round(std::log2(size)));
    }
  }

  void measure_pivots() {
    smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0, weakest_ = -1;
    for (Index k = 0; k < size_; ++k) {
      const double size = std::abs(diagonal()[k]);
      largest_ = std::max(largest_, size);
      if (size < smallest_) smallest_ = size, weakest_ = k;
    }
    ratio_ = smallest_ / largest_;
  }

  /// As FrontKernels say. Returns the column without a pivot, or -1.
  Index eliminate_columns() {
    if constexpr (is_real) {
      return front_kernels().factorize_small({a_.data(), L(), diagonal(), size_, stride_, row_.data()});
    } else {
      const Index n = size_, stride = stride_;
      bool taken[most_unknowns] = {};
      for (Index k = 0; k < n; ++k) {
        Scalar *const column = a_.data() + k * stride, *const factor = L() + k * stride;
        Index pivot = -1;
        for (Index i = 0; i < n; ++i) {
          if (!taken[i] && std::abs(column[i]) > (pivot < 0 ? 0 : std::abs(column[pivot]))) pivot = i;
        }
        if (pivot < 0) return k;
        row_[at(k)] = pivot;
        taken[pivot] = true;
        const Scalar inverse = Scalar(1) / column[pivot];
        diagonal()[k] = column[pivot];
        column[pivot] = 0;
        for (Index i = 0; i < n; ++i) {
          factor[i] = taken[i] ? Scalar(0) : column[i] * inverse;
          if (!taken[i]) column[i] = 0;
        }
        for (Index j = k + 1; j < n; ++j) {
          Scalar* const other = a_.data() + j * stride;
          const Scalar u = other[pivot];
          for (Index i = 0; i < n && u != Scalar(0); ++i) other[i] -= factor[i] * u;
        }
      }
      return -1;
    }
  }

  /// x := (P^-1 L U)^-1 b or its transpose.
  void substitute(Scalar* b, bool transposed, Scalar* x) {
    if constexpr (is_real) {
      front_kernels().solve_small({a_.data(), L(), diagonal(), size_, stride_, row_.data()}, transposed, b, x);
    } else {
      const Index n = size_, stride = stride_;
      const auto product = [&](const Scalar* column) {
        Scalar sum(0);
        for (Index i = 0; i < n; ++i) sum += column[i] * x[i];
        return sum;
      };
      if (transposed) {
        std::fill(x, x + n, Scalar(0));
        for (Index k = 0; k < n; ++k) x[row_[at(k)]] = (b[k] - product(a_.data() + k * stride)) / diagonal()[k];
        for (Index k = n; k-- > 0;) x[row_[at(k)]] -= product(L() + k * stride);
        return;
      }
      const auto subtract = [&](const Scalar* column, Scalar factor) {
        for (Index i = 0; i < n; ++i) b[i] -= column[i] * factor;
      };
      for (Index k = 0; k < n; ++k) subtract(L() + k * stride, b[row_[at(k)]]);
      for (Index k = n; k-- > 0;) {
        x[k] = b[row_[at(k)]] / diagonal()[k];
        subtract(a_.data() + k * stride, x[k]);
      }
    }
  }

  Index size_ = 0, stride_ = 0, weakest_ = -1;
  std::vector<Scalar> given_, a_;                  ///< A; U and L
  std::vector<double> scale_;                      ///< D
  std::vector<double> column_scale_;               ///< C; empty: none, as long as that of rows is enough
  std::vector<Index> row_;                         ///< of pivot k
  std::vector<Scalar> y_;                          ///< scratch of solves, U(k, k)
  double smallest_ = 0, largest_ = 0, ratio_ = 0;  ///< of pivots
};

}  // namespace trammel
