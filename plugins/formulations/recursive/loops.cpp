// Choice of dependent joint coordinates, and solves for them.
#include "loops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel::recursive {

void Loops::bind(const JointSpace& space, Index count) {
  space_ = &space, count_ = count;
  const Tree& tree = space.tree;
  const auto cuts = static_cast<Eigen::Index>(tree.cuts.size());
  C_.setZero(cuts, tree.thetas);
  C_u_.setZero(count, count);
  solved_.setZero(count), of_u_.setZero(count), motions_.setZero(tree.thetas), unit_.setZero(tree.thetas),
      column_.setZero(tree.n), product_.setZero(tree.m);
  scale_.setOnes(tree.thetas), length_ = 1;
}

void Loops::set_length(double length) {
  if (length == length_) return;
  length_ = length;
  for (const Link& link : space_->tree.links) {
    const Index displacements = !link.own        ? link.joint.slide_count()
                                : link.body >= 0 ? std::min<Index>(link.count, 3)
                                                 : 0;
    scale_.segment(link.theta, displacements).setConstant(length);
  }
}

double Loops::length_of(const ConstrainedLayout& system) {
  const auto* quality = find_extension<PartitionQuality>(system);
  for (const Link& link : space_->tree.links) {
    if (quality == nullptr || link.body < 0) continue;
    quality->scales({column_.data(), space_->tree.n});
    return column_[link.first];
  }
  return 1;
}

void Loops::evaluate(const ConstrainedEquations& system) {
  const Tree& tree = space_->tree;
  for (Index k = 0; k < tree.thetas; ++k) {
    unit_[k] = 1;
    space_->motion->spread(unit_.data(), column_.data());
    unit_[k] = 0;
    motions_[k] = column_.norm();
    system.apply_jacobian({column_.data(), tree.n}, {product_.data(), tree.m});
    for (Eigen::Index i = 0; i < C_.rows(); ++i) C_(i, k) = product_[tree.cuts[static_cast<std::size_t>(i)]];
  }
}

// A row of C is as long as |Phi_q,i| |B| at most. Rows that say nothing to these motions (a guide across a mechanism that
// moves in a plane) have rounding left of it, and must not look like others.
Loops::Matrix Loops::scaled_rows(const ConstrainedEquations& system) {
  Matrix A = C_ * scale_.asDiagonal();
  const double motions = motions_.cwiseProduct(scale_).norm();
  product_.setZero();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    double& unit = product_[space_->tree.cuts[static_cast<std::size_t>(i)]];
    unit = 1;
    system.apply_jacobian_transpose({product_.data(), space_->tree.m}, {column_.data(), space_->tree.n});
    unit = 0;
    const double length = column_.norm() * motions;
    if (length > 0) A.row(i) /= length;
  }
  return A;
}

Status Loops::choose(const ConstrainedEquations& system, double length, VectorView rows, VectorView dependent) {
  set_length(length);
  const Matrix A = scaled_rows(system);
  const Eigen::FullPivLU<Matrix> lu(A);
  for (Index k = 0; k < count_; ++k) {
    if (k < std::min(A.rows(), A.cols()) && std::abs(lu.matrixLU()(k, k)) > dependent_row) continue;
    return Status::failure(StatusCode::singular, "the rows that close the loops, whose rank fell,", -1, k);
  }
  std::vector<Index> row_order, columns;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    row_order.push_back(static_cast<Index>(lu.permutationP().indices()[i]));  // row i went there
  for (Eigen::Index k = 0; k < A.cols(); ++k) columns.push_back(static_cast<Index>(lu.permutationQ().indices()[k]));
  rows.map().setZero(), dependent.map().setZero();
  std::vector<Index> chosen;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (row_order[static_cast<std::size_t>(i)] < count_)
      chosen.push_back(static_cast<Index>(i)), rows[static_cast<Index>(i)] = 1;
  }
  // Exchanges the pair with the largest entry of C_u^-1 C_w until none is large; each grows |det C_u|.
  const auto r = static_cast<Eigen::Index>(count_), free = A.cols() - r;
  Matrix C_u(r, r), C_w(r, free);
  const int most = 10 * (static_cast<int>(count_) + 1);
  for (int exchange = 0; exchange < most && r > 0 && free > 0; ++exchange) {
    for (Eigen::Index i = 0; i < r; ++i) {
      const auto row = chosen[static_cast<std::size_t>(i)];
      for (Eigen::Index k = 0; k < A.cols(); ++k) {
        (k < r ? C_u(i, k) : C_w(i, k - r)) = A(row, columns[static_cast<std::size_t>(k)]);
      }
    }
    const Matrix S = C_u.partialPivLu().solve(C_w);
    Eigen::Index i = 0, k = 0;
    if (!(S.cwiseAbs().maxCoeff(&i, &k) > exchange_beyond)) break;
    std::swap(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(r + k)]);
  }
  for (Index k = 0; k < count_; ++k) dependent[columns[static_cast<std::size_t>(k)]] = 1;
  return Status::success();
}

void Loops::use(ConstVectorView rows, ConstVectorView dependent, double length) {
  set_length(length);
  u_.clear(), w_.clear(), rows_.clear();
  for (Index k = 0; k < dependent.size; ++k) (dependent[k] != 0 ? u_ : w_).push_back(k);
  for (Index i = 0; i < rows.size; ++i) {
    if (rows[i] != 0) rows_.push_back(i);
  }
}

Status Loops::factorize() {
  for (Index i = 0; i < count_; ++i) {
    for (Index k = 0; k < count_; ++k) {
      C_u_(i, k) = C_(rows_[static_cast<std::size_t>(i)], u_[static_cast<std::size_t>(k)]);
    }
  }
  factor_.compute(C_u_);
  for (Index k = 0; k < count_; ++k) {
    const double pivot = std::abs(factor_.matrixLU()(k, k));
    if (!(pivot > 0) || !std::isfinite(pivot))
      return Status::failure(StatusCode::singular, "the rows that close the loops", -1, pivot);
  }
  return Status::success();
}

void Loops::spread_independent(Matrix& Z) {
  Z.setZero();
  for (std::size_t k = 0; k < w_.size(); ++k) {
    solve_column(w_[k]);
    const auto at = static_cast<Eigen::Index>(k);
    for (Index i = 0; i < count_; ++i) Z(u_[static_cast<std::size_t>(i)], at) = -of_u_[i];
    Z(w_[k], at) = 1;
  }
}

void Loops::solve_column(Index k) {
  for (Index i = 0; i < count_; ++i) of_u_[i] = C_(rows_[static_cast<std::size_t>(i)], k);
  solve(of_u_);
}

double Loops::amplification() {
  double largest = 0;
  for (const Index k : w_) {
    solve_column(k);
    for (Index i = 0; i < count_; ++i) {
      const double entry = std::abs(of_u_[i]) * scale_[k] / scale_[u_[static_cast<std::size_t>(i)]];
      if (!(entry <= largest)) largest = entry;
    }
  }
  return std::isfinite(largest) ? largest : std::numeric_limits<double>::infinity();
}

}  // namespace trammel::recursive
