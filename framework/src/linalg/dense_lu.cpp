// Equilibrated dense LU with full pivoting.
#include "linalg/dense_lu.h"

#include <cmath>

namespace trammel {
namespace {
// Pivots of an equilibrated matrix below this fraction of the largest are rounding.
constexpr double smallest_pivot_ratio = 1e-13;
}  // namespace

void DenseLu::resize(Index size) {
  matrix_.setZero(size, size);
  scale_.setOnes(size);
  work_.setZero(size);
  lu_ = Eigen::FullPivLU<Eigen::MatrixXd>(size, size);
}

Status DenseLu::factorize() {
  const auto size = static_cast<Index>(matrix_.rows());
  pivot_ratio_ = 1;
  if (size == 0) return Status::success();
  // Two sweeps of symmetric max-norm equilibration bring every row within a factor of a few of 1.
  scale_.setOnes();
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (Index i = 0; i < size; ++i) {
      double largest = 0;
      for (Index j = 0; j < size; ++j) largest = std::max(largest, std::abs(matrix_(j, i)) * scale_[j]);
      largest *= scale_[i];
      if (!std::isfinite(largest)) return Status::failure(StatusCode::not_finite, "matrix entry", i, largest);
      if (largest == 0) return Status::failure(StatusCode::singular, "empty row", i, 0);
      work_[i] = scale_[i] / std::sqrt(largest);
    }
    scale_ = work_;
  }
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) matrix_(i, j) *= scale_[i] * scale_[j];
  }
  lu_.compute(matrix_);
  for (Index k = 0; k < size; ++k) {
    const double ratio = std::abs(lu_.matrixLU()(k, k)) / lu_.maxPivot();
    pivot_ratio_ = std::min(pivot_ratio_, ratio);
    if (!(ratio > smallest_pivot_ratio)) {
      // Column k of the permuted matrix is this unknown: permutationQ sends k to its index.
      return Status::failure(StatusCode::singular, "dependent row", lu_.permutationQ().indices()[k], ratio);
    }
  }
  return Status::success();
}

void DenseLu::solve(VectorView x) {
  const auto size = static_cast<Index>(matrix_.rows());
  if (size == 0) return;
  // A = D^-1 P^-1 L U Q^-1 D^-1, with P and Q as Eigen defines them.
  const auto& p = lu_.permutationP().indices();
  const auto& q = lu_.permutationQ().indices();
  for (Index i = 0; i < size; ++i) work_[p[i]] = x[i] * scale_[i];
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(work_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(work_);
  for (Index i = 0; i < size; ++i) x[q[i]] = work_[i] * scale_[q[i]];
}

}  // namespace trammel
