// Equilibrated dense LU with full pivoting that neither allocates nor blocks after its setup, and tells its rank.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// For small systems (tens of unknowns), where loops without blocks are the fastest. Rows and columns are scaled
/// symmetrically to unit size first, so that the pivot test does not depend on units.
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
  Status equilibrate();
  /// Brings the largest entry of the rows and columns from k on to (k, k); returns its magnitude.
  double pivot(Index k);

  Eigen::MatrixXd matrix_;           ///< afterwards L (unit diagonal) and U of the permuted, scaled matrix
  std::vector<Index> row_, column_;  ///< row and column of A that are number k
  Eigen::VectorXd scale_, work_, inverse_;
  double pivot_ratio_ = 1;
};

}  // namespace trammel
