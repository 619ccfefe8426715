// [M Phi_q^T; Phi_q+ 0] [a; lambda] = [f; g] with the Jacobian of two positions: Eq. 90 of Fernandez de Bustos et al.
// (2024).
//
// The forces of constraints act along Phi_q of t_n+1, the rows are linearized at the iterate of q_n+2, so that Newton's
// method on q_n+2 converges quadratically. The matrix is not symmetric: none of the kernel's solvers takes it. Rows and
// columns are scaled to 1, pivots searched in the whole rest. Rows that depend on others are refused: which of them to
// leave out, and the least-squares multipliers of all, the kernel's solvers know. Dense, O((n + m)^3) for each
// iteration.
#pragma once

#include <utility>

#include "trammel/constrained_equations.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::conditionally_explicit {

class IterateMatrix {
  using Layout = sdk::StateLayout;
  using Map = Layout::Map;
  using Matrix = Layout::Matrix;

 public:
  /// Its memory; n = m = 0 where it is not wanted.
  IterateMatrix(Layout& at, Index n, Index m)
      : unit_(at.vector(n)),
        image_(at.vector(n)),
        rows_(at.vector(m)),
        right_(at.vector(n + m)),
        scale_(at.vector(n + m)),
        order_(at.vector(n + m)),
        whole_(at.matrix(n + m, n + m)),
        factor_(at.matrix(n + m, n + m)) {}

  /// [hot] M and Phi_q^T; the model is at t_n+1.
  void take_dynamics(const ConstrainedEquations& system) {
    const Index n = unit_.size(), m = rows_.size();
    for (Index j = 0; j < n; ++j) {
      unit_.setZero();
      unit_[j] = 1;
      system.apply_mass({unit_.data(), n}, {image_.data(), n});
      whole_.col(j).head(n) = image_;
      system.apply_jacobian({unit_.data(), n}, {rows_.data(), m});
      whole_.row(j).tail(m) = rows_.transpose();
    }
    whole_.bottomRightCorner(m, m).setZero();
  }

  /// [hot] Phi_q+; the model is at the iterate.
  void take_rows(const ConstrainedEquations& system) {
    const Index n = unit_.size(), m = rows_.size();
    for (Index j = 0; j < n; ++j) {
      unit_.setZero();
      unit_[j] = 1;
      system.apply_jacobian({unit_.data(), n}, {rows_.data(), m});
      whole_.col(j).tail(m) = rows_;
    }
  }

  /// [hot]
  Status solve(ConstVectorView f, ConstVectorView g, VectorView a, VectorView lambda) {
    const Index n = f.size, m = g.size, size = n + m;
    right_.head(n) = f.map();
    right_.tail(m) = g.map();
    equilibrate();
    if (!eliminate()) {
      return Status::failure(StatusCode::failed,
                             "rows depend on others at this position; \"newton_matrix\": \"step\" leaves them out:");
    }
    for (Index k = size; k-- > 0;) {
      double sum = right_[k];
      for (Index i = k + 1; i < size; ++i) sum -= factor_(k, i) * value(i, a, lambda);
      value(k, a, lambda) = sum / factor_(k, k);
    }
    for (Index j = 0; j < size; ++j) (j < n ? a[j] : lambda[j - n]) *= scale_[j];
    return Status::success();
  }

 private:
  /// The unknown that belongs to pivot k, in units of its column.
  double& value(Index k, VectorView& a, VectorView& lambda) const {
    const Index column = static_cast<Index>(order_[k]);
    return column < a.size ? a[column] : lambda[column - a.size];
  }

  /// factor = rows and columns of `whole` divided by their largest entries; unknowns are `scale` times what comes out.
  void equilibrate() {
    factor_ = whole_;
    for (Index i = 0; i < factor_.rows(); ++i) {
      const double largest = factor_.row(i).lpNorm<Eigen::Infinity>();
      if (!(largest > 0)) continue;
      factor_.row(i) /= largest;
      right_[i] /= largest;
    }
    for (Index j = 0; j < factor_.cols(); ++j) {
      const double largest = factor_.col(j).lpNorm<Eigen::Infinity>();
      scale_[j] = largest > 0 ? 1 / largest : 1;
      factor_.col(j) *= scale_[j];
      order_[j] = static_cast<double>(j);
    }
  }

  /// Gauss with full pivoting; false: singular. Positions are on the constraints to some 1e-10: dependent rows leave that.
  bool eliminate() {
    constexpr double vanishing = 1e-8;
    const Index size = factor_.rows();
    for (Index k = 0; k < size; ++k) {
      Index row = 0, column = 0;
      const double pivot = factor_.bottomRightCorner(size - k, size - k).cwiseAbs().maxCoeff(&row, &column);
      if (!(pivot > vanishing)) return false;
      if (row > 0) {
        factor_.row(k).swap(factor_.row(k + row));
        std::swap(right_[k], right_[k + row]);
      }
      if (column > 0) {
        factor_.col(k).swap(factor_.col(k + column));
        std::swap(order_[k], order_[k + column]);
      }
      for (Index i = k + 1; i < size; ++i) {
        const double share = factor_(i, k) / factor_(k, k);
        if (share == 0) continue;
        factor_.row(i).tail(size - k) -= share * factor_.row(k).tail(size - k);
        right_[i] -= share * right_[k];
      }
    }
    return true;
  }

  Map unit_, image_, rows_, right_, scale_, order_;
  Matrix whole_, factor_;
};

}  // namespace trammel::conditionally_explicit
