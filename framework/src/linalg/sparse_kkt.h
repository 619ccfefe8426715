// KKT solver on the full sparse matrix: singular inertia, and bodies with very many joints.
#pragma once

#include "linalg/sparse_lu.h"
#include "trammel/kkt_solver.h"

namespace trammel {

class SparseKkt final : public KktSolver {
 public:
  const char* name() const override { return "sparse"; }
  Status analyse(const KktMatrix& matrix) override;
  Status factorize(const KktMatrix& matrix) override;
  Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  double work() { return lu_.work(); }

 private:
  SparseLu lu_;
  std::vector<double> unknowns_;
};

/// Moves f and g (0 at dropped rows) into one vector of unknowns, and back into x and, if wanted, lambda.
void gather_unknowns(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, double* unknowns);
void scatter_unknowns(const KktMatrix& matrix, const double* unknowns, VectorView x, VectorView lambda);
/// A failed pivot as KktSolver::factorize reports it.
Status name_unknown(const KktMatrix& matrix, Status status);

}  // namespace trammel
