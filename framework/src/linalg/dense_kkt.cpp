// KKT solver on the full dense matrix.
#include "linalg/dense_kkt.h"

namespace trammel {

void assemble_dense(const KktMatrix& k, Eigen::MatrixXd& dense) {
  const Index c = k.coordinates;
  const Index n = k.bodies * c;
  dense.setZero();
  if (k.weight != nullptr) {
    for (Index b = 0; b < k.bodies; ++b) {
      dense.block(b * c, b * c, c, c) = Eigen::Map<const Eigen::MatrixXd>(k.weight + b * c * c, c, c);
    }
  }
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    const Eigen::Map<const Eigen::MatrixXd> Phi_q(k.Phi_q + block.offset, block.rows, c);
    dense.block(n + block.first_row, block.body * c, block.rows, c) = Phi_q;
    dense.block(block.body * c, n + block.first_row, c, block.rows) = Phi_q.transpose();
  }
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    const Eigen::Map<const Eigen::VectorXd> row(k.intrinsic + b * c, c);
    dense.col(n + k.rows + b).segment(b * c, c) = row;
    dense.row(n + k.rows + b).segment(b * c, c) = row.transpose();
  }
}

Status DenseKkt::analyse(const KktMatrix& k) {
  const Index size = k.bodies * k.coordinates + k.rows + k.intrinsic_rows;
  lu_.resize(size);
  unknowns_.setZero(size);
  return Status::success();
}

Status DenseKkt::factorize(const KktMatrix& k) {
  assemble_dense(k, lu_.matrix());
  Status status = lu_.factorize();
  if (status.code == StatusCode::singular) {
    const Index n = k.bodies * k.coordinates;
    // Unknowns are coordinates, then multipliers; a dependent coordinate column is reported as its body.
    status.subject = status.subject >= n ? status.subject - n
                                         : k.rows + k.intrinsic_rows + status.subject / k.coordinates;
  }
  return status;
}

Status DenseKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  const Index n = k.bodies * k.coordinates;
  unknowns_.head(n) = f.map();
  unknowns_.tail(g.size) = g.map();
  lu_.solve({unknowns_.data(), static_cast<Index>(unknowns_.size())});
  x.map() = unknowns_.head(n);
  if (lambda.data != nullptr) lambda.map() = unknowns_.tail(g.size);
  return Status::success();
}

}  // namespace trammel
