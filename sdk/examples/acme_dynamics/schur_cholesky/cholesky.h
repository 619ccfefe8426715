// Cholesky factorization that leaves dependent rows out and says which.
#pragma once

#include <trammel/kkt_solver.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace acme {

/// S = L L^T of a Gram matrix S = B B^T. In the order of the rows the pivot of row r is the squared distance of B's row
/// from the span of those before it, so pivot / S_rr is the squared sine of its angle to them (Golub and Van Loan,
/// Matrix Computations, 4.2): what trammel::RankWatch reports.
class Cholesky {
 public:
  void resize(trammel::Index rows) { S_.setZero(rows, rows), left_out_.setZero(rows); }
  /// S = B B^T, lower half, from B^T. Row by row: the product of matrices takes memory of its own where they are large.
  void set_gram(const Eigen::MatrixXd& Bt) {
    for (Eigen::Index r = 0; r < Bt.cols(); ++r) {
      const Eigen::Index below = Bt.cols() - r;
      S_.col(r).tail(below).noalias() = Bt.rightCols(below).transpose() * Bt.col(r);
    }
  }
  const trammel::RankWatch& watch() const { return watch_; }

  /// Without the rows that `dropped` marks, and without those whose squared sine is below `dependence`.
  trammel::Status factorize(const unsigned char* dropped, double dependence) {
    watch_ = {};
    for (trammel::Index r = 0; r < S_.rows(); ++r) {
      const double length = S_(r, r);
      const bool drop = dropped != nullptr && dropped[r] != 0;
      for (trammel::Index c = 0; c < r; ++c) {
        S_(r, c) = left_out_[c] != 0 ? 0 : (S_(r, c) - S_.row(r).head(c).dot(S_.row(c).head(c))) / S_(c, c);
      }
      const double pivot = length - S_.row(r).head(r).squaredNorm();
      if (!std::isfinite(pivot))
        return trammel::Status::failure(trammel::StatusCode::not_finite, "row of Phi_q", r, pivot);
      const double squared_sine = length > 0 ? std::max(0.0, pivot / length) : 0;
      const bool weak = !(squared_sine > dependence);
      left_out_[r] = drop || weak ? 1 : 0;
      note(r, drop, weak, squared_sine);
      // A row that is left out must not take part in later ones.
      if (left_out_[r] != 0) S_.row(r).head(r).setZero();
      S_(r, r) = left_out_[r] != 0 ? 1 : std::sqrt(pivot);
    }
    return trammel::Status::success();
  }

  /// x := S^-1 x, 0 at rows that are left out.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const {
    x = (left_out_.array() != 0).select(0.0, x);
    S_.triangularView<Eigen::Lower>().solveInPlace(x);
    S_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  }

 private:
  void note(trammel::Index r, bool drop, bool weak, double squared_sine) {
    if (drop) {
      if (watch_.largest_dropped_row < 0 || squared_sine > watch_.largest_dropped)
        watch_.largest_dropped = squared_sine, watch_.largest_dropped_row = r;
    } else if (weak) {
      if (watch_.weak++ == 0) watch_.weak_row = r;
    } else if (squared_sine < watch_.smallest_kept) {
      watch_.smallest_kept = squared_sine, watch_.smallest_kept_row = r;
    }
  }

  Eigen::MatrixXd S_;
  Eigen::VectorXi left_out_;
  trammel::RankWatch watch_;
};

}  // namespace acme
