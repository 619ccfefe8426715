// KKT solver for minimal-norm corrections: W = I, through the row space.
#pragma once

#include <vector>

#include "linalg/row_space.h"

namespace trammel {

/// Intrinsic rows are ordinary rows here: S lambda = J f - g,  x = f - J^T lambda,  S = J J^T.
class IdentityKkt final : public KktSolver {
 public:
  explicit IdentityKkt(RowSpace& rows) : rows_(rows) {}
  LinearSolverTraits traits() const override { return {}; }
  Status analyse(const KktMatrix& matrix) override;
  Status factorize(const KktMatrix& matrix) override { return rows_.factorize(matrix); }
  Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  const RankWatch* watch() const override { return &rows_.watch(); }

 private:
  RowSpace& rows_;
  std::vector<double> lambda_;
};

}  // namespace trammel
