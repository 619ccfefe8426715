// KKT solver for minimal-norm corrections: W = I, on the full sparse matrix.
#pragma once

#include <vector>

#include "linalg/sparse_lu.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// For bodies with very many joints, where the row space fills in. The weights of the matrix are not looked at.
class SparseKkt final : public KktSolver {
 public:
  LinearSolverTraits traits() const override { return {}; }
  Status analyse(const KktMatrix& matrix) override;
  Status factorize(const KktMatrix& matrix) override;
  Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  double work() { return lu_.work(); }

 private:
  SparseLu lu_;
  std::vector<double> unknowns_;
};

}  // namespace trammel
