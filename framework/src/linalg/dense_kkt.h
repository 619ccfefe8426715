// KKT solver on the full dense matrix: the reference, and the way for singular inertia.
#pragma once

#include "linalg/dense_lu.h"
#include "trammel/kkt_solver.h"

namespace trammel {

class DenseKkt final : public KktSolver {
 public:
  const char* name() const override { return "dense"; }
  Status analyse(const KktMatrix& matrix) override;
  Status factorize(const KktMatrix& matrix) override;
  Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;

 private:
  DenseLu lu_;
  Eigen::VectorXd unknowns_;
};

/// Writes [W Phi_q^T; Phi_q 0] into `dense` (size n + m, zeroed first), the intrinsic rows last.
void assemble_dense(const KktMatrix& matrix, Eigen::MatrixXd& dense);

}  // namespace trammel
