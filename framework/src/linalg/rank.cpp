// Dense rank analysis of a constraint Jacobian.
#include "linalg/rank.h"

#include <Eigen/QR>
#include <cmath>

namespace trammel {
namespace {
// Rows nearer than this (relative) to the span of the others count as dependent: the Jacobian of an assembled model is
// known to the tolerance of the assembly, 1e-10 or better, and mechanisms closer than this to a singular configuration
// cannot be told from singular ones.
constexpr double dependence_threshold = 1e-9;
constexpr double noticeable_share = 1e-6;
}  // namespace

RankReport analyse_rank(const KktMatrix& k) {
  const Index n = k.bodies * k.coordinates, m = k.rows + k.intrinsic_rows;
  Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(n, m);
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    transposed.block(block.body * k.coordinates, block.first_row, k.coordinates, block.rows) =
        Eigen::Map<const Eigen::MatrixXd>(k.Phi_q + block.offset, block.rows, k.coordinates).transpose();
  }
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    transposed.col(k.rows + b).segment(b * k.coordinates, k.coordinates) =
        Eigen::Map<const Eigen::VectorXd>(k.intrinsic + b * k.coordinates, k.coordinates);
  }
  RankReport report;
  if (n == 0 || m == 0) return report;  // Eigen's factorization does not bear empty matrices
  Eigen::VectorXd length(m);
  for (Index r = 0; r < m; ++r) {
    length[r] = transposed.col(r).norm();
    if (length[r] > 0) transposed.col(r) /= length[r];
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed);
  qr.setThreshold(dependence_threshold);
  report.rank = static_cast<Index>(qr.rank());
  const auto& order = qr.colsPermutation().indices();
  const Eigen::MatrixXd& R = qr.matrixR();
  for (Index j = report.rank; j < m; ++j) {
    // R11 x = R12(:, j): the dependent column in terms of the first `rank` ones.
    Eigen::VectorXd share = R.col(j).head(report.rank);
    R.topLeftCorner(report.rank, report.rank).triangularView<Eigen::Upper>().solveInPlace(share);
    DependentRow dependent{order[j], {}, {}};
    for (Index i = 0; i < report.rank; ++i) {
      if (std::abs(share[i]) <= noticeable_share) continue;
      dependent.others.push_back(order[i]);
      dependent.combination.push_back(share[i] * length[order[j]] / length[order[i]]);
    }
    report.dependent.push_back(std::move(dependent));
  }
  return report;
}

}  // namespace trammel
