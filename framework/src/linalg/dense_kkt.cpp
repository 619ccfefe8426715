// KKT solver on the full dense matrix.
#include "linalg/dense_kkt.h"

#include "linalg/kkt_entries.h"
#include "linalg/sparse_kkt.h"

namespace trammel {

void assemble_dense(const KktMatrix& k, Eigen::MatrixXd& dense) {
  dense.setZero();
  each_kkt_entry(k, [&](Index row, Index column, double value) { dense(row, column) += value; });
}

Status DenseKkt::analyse(const KktMatrix& k) {
  const Index size = k.size() + k.rows + k.intrinsic_rows;
  lu_.resize(size);
  unknowns_.setZero(size);
  return Status::success();
}

Status DenseKkt::factorize(const KktMatrix& k) {
  assemble_dense(k, lu_.matrix());
  return name_unknown(k, lu_.factorize());
}

Status DenseKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  gather_unknowns(k, f, g, unknowns_.data());
  lu_.solve({unknowns_.data(), static_cast<Index>(unknowns_.size())});
  scatter_unknowns(k, unknowns_.data(), x, lambda);
  return Status::success();
}

}  // namespace trammel
