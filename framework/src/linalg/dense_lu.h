// Equilibrated dense LU with full pivoting that neither allocates nor blocks after its setup, and tells its rank.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

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

}  // namespace trammel
