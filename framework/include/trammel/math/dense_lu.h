// Equilibrated dense LU with full pivoting that neither allocates nor blocks after its setup, and tells its rank.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// For small systems (tens of unknowns). Rows and columns are scaled symmetrically to unit size first, so that the
/// pivot test does not depend on units.
class DenseLu {
 public:
  /// [setup]
  void resize(Index size);
  /// [hot] Matrix to be filled before `factorize`, which destroys it.
  Eigen::MatrixXd& matrix() { return matrix_; }
  /// [hot] `singular`: subject is the unknown whose column depends on the others, value the relative pivot.
  Status factorize();
  /// [hot] x := A^-1 x.
  void solve(VectorView x);
  double pivot_ratio() const { return pivot_ratio_; }

 private:
  Eigen::MatrixXd matrix_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  Status factorize_equilibrated(int sweeps);

  Eigen::VectorXd scale_, added_;
  Eigen::VectorXd work_;
  double pivot_ratio_ = 1;
};

inline void DenseLu::resize(Index size) {
  matrix_.setZero(size, size);
  scale_.setOnes(size);
  added_.setOnes(size);
  work_.setZero(size);
  lu_ = Eigen::FullPivLU<Eigen::MatrixXd>(size, size);
}

inline Status DenseLu::factorize() {
  const auto size = static_cast<Index>(matrix_.rows());
  if (size == 0) return Status::success();
  // Two sweeps of symmetric max-norm equilibration bring every row within a factor of a few of 1 unless masses and
  // lengths are of very different size: where the matrix looks singular then, more of them decide.
  constexpr int usual_sweeps = 2, many_sweeps = 12;
  scale_.setOnes();
  Status status = factorize_equilibrated(usual_sweeps);
  if (status.code == StatusCode::singular && status.value != 0) status = factorize_equilibrated(many_sweeps);
  return status;
}

// The matrix holds the factors of scale_ already; those of the sweeps are added.
inline Status DenseLu::factorize_equilibrated(int sweeps) {
  // Pivots of an equilibrated matrix below this fraction of the largest are rounding.
  constexpr double smallest_pivot_ratio = 1e-13;
  const auto size = static_cast<Index>(matrix_.rows());
  pivot_ratio_ = 1;
  added_.setOnes(size);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Index i = 0; i < size; ++i) {
      double largest = 0;
      for (Index j = 0; j < size; ++j) largest = std::max(largest, std::abs(matrix_(j, i)) * added_[j]);
      largest *= added_[i];
      // NaN is no maximum.
      if (!std::isfinite(largest) || !matrix_.col(i).allFinite())
        return Status::failure(StatusCode::not_finite, "matrix entry", i, largest);
      if (largest == 0) return Status::failure(StatusCode::singular, "empty row", i, 0);
      work_[i] = added_[i] / std::sqrt(largest);
    }
    added_ = work_;
  }
  scale_.array() *= added_.array();
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) matrix_(i, j) *= added_[i] * added_[j];
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

inline void DenseLu::solve(VectorView x) {
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
