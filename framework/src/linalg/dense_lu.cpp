// Equilibrated dense LU with full pivoting.
#include "linalg/dense_lu.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace trammel {
namespace {
// Pivots of an equilibrated matrix below this fraction of the largest are rounding.
constexpr double smallest_pivot_ratio = 1e-13;
}  // namespace

void DenseLu::resize(Index size) {
  matrix_.setZero(size, size);
  scale_.setOnes(size);
  work_.setZero(size);
  inverse_.setZero(size);
  row_.resize(static_cast<std::size_t>(size));
  column_.resize(static_cast<std::size_t>(size));
}

// Two sweeps of symmetric max-norm equilibration bring every row within a factor of a few of 1.
Status DenseLu::equilibrate() {
  const auto size = static_cast<Index>(matrix_.rows());
  scale_.setOnes();
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (Index i = 0; i < size; ++i) {
      const double* const column = matrix_.data() + i * size;
      double largest = 0, sum = 0;  // the sum tells a NaN, which the maximum loses
      for (Index j = 0; j < size; ++j) {
        const double entry = std::abs(column[j]) * scale_[j];
        largest = std::max(largest, entry);
        sum += entry;
      }
      largest *= scale_[i];
      if (!std::isfinite(sum)) return Status::failure(StatusCode::not_finite, "matrix entry", i, sum);
      if (largest == 0) return Status::failure(StatusCode::singular, "empty row", i, 0);
      work_[i] = scale_[i] / std::sqrt(largest);
    }
    std::swap(scale_, work_);
  }
  for (Index j = 0; j < size; ++j) {
    double* const column = matrix_.data() + j * size;
    for (Index i = 0; i < size; ++i) column[i] *= scale_[i] * scale_[j];
  }
  return Status::success();
}

double DenseLu::pivot(Index k) {
  const auto size = static_cast<Index>(matrix_.rows());
  double largest = -1;
  Index row = k, column = k;
  for (Index j = k; j < size; ++j) {
    const double* const entries = matrix_.data() + j * size;
    for (Index i = k; i < size; ++i) {
      if (std::abs(entries[i]) > largest) largest = std::abs(entries[i]), row = i, column = j;
    }
  }
  if (column != k) {
    matrix_.col(k).swap(matrix_.col(column));
    std::swap(column_[static_cast<std::size_t>(k)], column_[static_cast<std::size_t>(column)]);
  }
  if (row != k) {
    for (Index j = 0; j < size; ++j) std::swap(matrix_(k, j), matrix_(row, j));
    std::swap(row_[static_cast<std::size_t>(k)], row_[static_cast<std::size_t>(row)]);
  }
  return largest;
}

Status DenseLu::factorize() {
  const auto size = static_cast<Index>(matrix_.rows());
  pivot_ratio_ = 1;
  const Status status = equilibrate();
  if (!status) return status;
  std::iota(row_.begin(), row_.end(), 0);
  std::iota(column_.begin(), column_.end(), 0);
  double first = 0;
  for (Index k = 0; k < size; ++k) {
    const double largest = pivot(k);
    if (k == 0) first = largest;
    const double ratio = largest / first;
    pivot_ratio_ = std::min(pivot_ratio_, ratio);
    if (!(ratio > smallest_pivot_ratio)) {
      return Status::failure(StatusCode::singular, "dependent row", column_[static_cast<std::size_t>(k)], ratio);
    }
    double* const L = matrix_.data() + k * size;
    inverse_[k] = 1 / L[k];
    for (Index i = k + 1; i < size; ++i) L[i] *= inverse_[k];
    for (Index j = k + 1; j < size; ++j) {
      double* const column = matrix_.data() + j * size;
      const double u = column[k];
      if (u == 0) continue;
      for (Index i = k + 1; i < size; ++i) column[i] -= L[i] * u;
    }
  }
  return status;
}

void DenseLu::solve(VectorView x) {
  const auto size = static_cast<Index>(matrix_.rows());
  // A = D^-1 P^T L U Q^T D^-1, P and Q as `row_` and `column_` give them.
  for (Index k = 0; k < size; ++k) {
    const Index i = row_[static_cast<std::size_t>(k)];
    work_[k] = x[i] * scale_[i];
  }
  for (Index k = 0; k < size; ++k) {
    const double* const L = matrix_.data() + k * size;
    const double value = work_[k];
    for (Index i = k + 1; i < size; ++i) work_[i] -= L[i] * value;
  }
  for (Index k = size - 1; k >= 0; --k) {
    const double* const U = matrix_.data() + k * size;
    const double value = work_[k] *= inverse_[k];
    for (Index i = 0; i < k; ++i) work_[i] -= U[i] * value;
  }
  for (Index k = 0; k < size; ++k) {
    const Index i = column_[static_cast<std::size_t>(k)];
    x[i] = work_[k] * scale_[i];
  }
}

}  // namespace trammel
