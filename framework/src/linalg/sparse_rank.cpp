// Rank from solves with the sparse matrix of corrections.
#include "linalg/sparse_rank.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/kkt_products.h"
#include "linalg/sizes.h"

namespace trammel {
namespace {

// A combination of rows left out is looked at row by row where the sine of its angle to the row space exceeds this;
// what counts as independent (see RankMonitor) is larger.
constexpr double noticeable_sine = 3e-6;
// Sweeps of inverse iteration from the vector of the step before, and what every row gets back of its share first: a
// loop that was far from singular until now must be found within a few steps.
constexpr int inverse_iterations = 3;
constexpr double fresh_share = 0.05;
constexpr double alarming = 1e-5;  // squared sine

/// Numbers of both signs that are orthogonal to nothing in particular.
double some_number(Index r) { return std::sin(2.4 * r) + 0.3 * std::cos(1.7 * r); }

}  // namespace

void SparseRankWatch::analyse(const KktMatrix& k) {
  const Index m = k.rows + k.intrinsic_rows, n = k.size();
  for (auto* x : {&length_, &farthest_, &candidates_[0].guess, &candidates_[1].guess, &share_, &lambda_, &zero_g_})
    x->assign(count(m), 0.0);
  for (auto* x : {&f_, &zero_f_, &x_}) x->assign(count(n), 0.0);
}

const RankWatch& SparseRankWatch::look(const KktMatrix& k, KktSolver& solver) {
  watch_ = {};
  measure_rows(k);
  look_at_kept(k, solver);
  look_at_dropped(k, solver);
  return watch_;
}

void SparseRankWatch::measure_rows(const KktMatrix& k) {
  std::fill(length_.begin(), length_.end(), 0.0);
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    const double* value = k.Phi_q + block.offset;
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = block.first_row; r < block.first_row + block.rows; ++r, ++value)
        length_[count(r)] += *value * *value;
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * k.coordinates; ++i) {
    length_[count(k.rows + i / k.coordinates)] += k.intrinsic[i] * k.intrinsic[i];
  }
  for (double& x : length_) x = std::sqrt(x);
}

// Inverse iteration on the rows scaled by D, guess := D S^-1 D guess, D the length times the largest sine that a row
// has had: what is always near the span of others, as the bearing of a hub with many arms is, does not hide what comes
// near. The guess is orthogonal to `before` where that is given
// (the matrix is symmetric). Returns the element row with the largest share, or -1.
Index SparseRankWatch::iterate(const KktMatrix& k, KktSolver& solver, const std::vector<double>* before,
                               Candidate& candidate) {
  const auto m = static_cast<Index>(length_.size());
  std::vector<double>& guess = candidate.guess;
  const auto weight = [&](Index r) {
    return length_[count(r)] * (farthest_[count(r)] > 0 ? std::sqrt(farthest_[count(r)]) : 1);
  };
  for (Index r = 0; r < m; ++r) guess[count(r)] += fresh_share * some_number(r);
  Index row = -1;
  for (int sweep = 0; sweep < inverse_iterations; ++sweep) {
    if (before != nullptr) {
      const auto first = ConstVectorView{before->data(), m}.map();
      view(guess).map() -= first.dot(view(guess).map()) / first.squaredNorm() * first;
    }
    for (Index r = 0; r < m; ++r) share_[count(r)] = weight(r) * guess[count(r)];
    solver.solve(k, view(zero_f_), view(share_), view(x_), view(lambda_));  // lambda = -S^-1 share
    double largest = 0;
    row = -1;
    for (Index r = 0; r < m; ++r) {
      guess[count(r)] = weight(r) * lambda_[count(r)];
      if (r < k.rows && std::abs(guess[count(r)]) > largest) largest = std::abs(guess[count(r)]), row = r;
    }
    if (!(largest > 0) || !std::isfinite(largest)) return -1;
    // Of rows with equal shares, as symmetric mechanisms have them, always the same one: its sine is followed over
    // steps.
    const Index last = candidate.row;
    if (last >= 0 && k.dropped[last] == 0 && std::abs(guess[count(last)]) > 0.3 * largest) row = last;
    for (double& x : guess) x /= largest;
  }
  return candidate.row = row;
}

double SparseRankWatch::squared_sine(const KktMatrix& k, KktSolver& solver, Index row) {
  std::fill(share_.begin(), share_.end(), 0.0);
  share_[count(row)] = 1;
  solver.solve(k, view(zero_f_), view(share_), view(x_), view(lambda_));
  const double product = -lambda_[count(row)] * length_[count(row)] * length_[count(row)];
  return product > 1 ? 1 / product : 1;
}

// Two candidates, because some row is always near the others, as the bearing of a hub with many arms is. What tells is
// a row nearer than it has been; below `alarming` it is the nearest.
void SparseRankWatch::look_at_kept(const KktMatrix& k, KktSolver& solver) {
  double least = std::numeric_limits<double>::infinity();
  for (Candidate& candidate : candidates_) {
    const std::vector<double>* before = &candidate == &candidates_[0] ? nullptr : &candidates_[0].guess;
    const Index row = iterate(k, solver, before, candidate);
    if (row < 0 || (before != nullptr && row == candidates_[0].row)) continue;
    const double value = squared_sine(k, solver, row);
    double& farthest = farthest_[count(row)];
    farthest = std::max(farthest, value);
    const double rank = value < alarming ? value : value / farthest;
    if (rank < least) least = rank, watch_.smallest_kept = value, watch_.smallest_kept_row = row;
  }
}

double SparseRankWatch::outside(const KktMatrix& k, KktSolver& solver) {
  std::fill(f_.begin(), f_.end(), 0.0);
  subtract_block_transpose_products(k, k.Phi_q, k.coordinates, false, share_.data(), f_.data());
  solver.solve(k, view(f_), view(zero_g_), view(x_), {});
  return view(x_).map().squaredNorm();
}

void SparseRankWatch::look_at_dropped(const KktMatrix& k, KktSolver& solver) {
  const auto left_out = [&](Index r) { return k.dropped[r] != 0 && length_[count(r)] > 0; };
  std::fill(share_.begin(), share_.end(), 0.0);
  for (Index r = 0; r < k.rows; ++r) {
    if (!left_out(r)) continue;
    watch_.largest_dropped_row = r;
    share_[count(r)] = (2 + some_number(r)) / length_[count(r)];
  }
  if (watch_.largest_dropped_row < 0) return;
  watch_.largest_dropped = outside(k, solver);
  if (watch_.largest_dropped < noticeable_sine * noticeable_sine) return;
  watch_.largest_dropped = 0;
  std::fill(share_.begin(), share_.end(), 0.0);
  for (Index r = 0; r < k.rows; ++r) {
    if (!left_out(r)) continue;
    share_[count(r)] = 1 / length_[count(r)];
    const double squared_sine = outside(k, solver);
    share_[count(r)] = 0;
    if (squared_sine > watch_.largest_dropped) watch_.largest_dropped = squared_sine, watch_.largest_dropped_row = r;
  }
}

}  // namespace trammel
