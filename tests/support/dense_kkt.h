// The full KKT matrix, for tests that look at it.
#pragma once

#include <Eigen/Core>

#include "trammel/math/kkt_entries.h"

namespace trammel {

/// Writes [W Phi_q^T; Phi_q 0] into `dense` (size n + m, zeroed first), the intrinsic rows last.
inline void assemble_dense(const KktMatrix& k, Eigen::MatrixXd& dense) {
  dense.setZero();
  each_kkt_entry(k, [&](Index row, Index column, double value) { dense(row, column) += value; });
}

}  // namespace trammel
