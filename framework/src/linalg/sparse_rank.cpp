// Rank from solves with the sparse matrix of corrections.
#include "linalg/sparse_rank.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/range_space_kkt.h"

namespace trammel {
namespace {

// A combination of rows left out is looked at row by row where the sine of its angle to the row space exceeds this; what
// counts as independent (see RankMonitor) is larger.
constexpr double noticeable_sine = 3e-6;
constexpr int sweeps = 2;  // of inverse iteration, from the vector of the step before

std::size_t count(Index n) { return static_cast<std::size_t>(n); }
VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

void SparseRankWatch::analyse(const KktMatrix& k) {
  const Index m = k.rows + k.intrinsic_rows, n = k.bodies * k.coordinates;
  for (auto* x : {&length_, &guess_, &share_, &lambda_, &zero_g_}) x->assign(count(m), 0.0);
  for (auto* x : {&f_, &zero_f_, &x_}) x->assign(count(n), 0.0);
  // Any start will do that is orthogonal to nothing in particular.
  for (Index r = 0; r < m; ++r) guess_[count(r)] = 1 + 0.5 * std::sin(2.4 * r);
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
    for (Index j = 0; j < k.coordinates; ++j) {
      for (Index r = block.first_row; r < block.first_row + block.rows; ++r, ++value) length_[count(r)] += *value * *value;
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * k.coordinates; ++i) {
    length_[count(k.rows + i / k.coordinates)] += k.intrinsic[i] * k.intrinsic[i];
  }
  for (double& x : length_) x = std::sqrt(x);
}

// Inverse iteration on the rows scaled to unit length: guess := D S^-1 D guess.
void SparseRankWatch::look_at_kept(const KktMatrix& k, KktSolver& solver) {
  const auto m = static_cast<Index>(length_.size());
  Index row = -1;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Index r = 0; r < m; ++r) share_[count(r)] = length_[count(r)] * guess_[count(r)];
    solver.solve(k, view(zero_f_), view(share_), view(x_), view(lambda_));  // lambda = -S^-1 share
    double largest = 0;
    for (Index r = 0; r < m; ++r) {
      guess_[count(r)] = length_[count(r)] * lambda_[count(r)];
      if (r < k.rows && std::abs(guess_[count(r)]) > largest) largest = std::abs(guess_[count(r)]), row = r;
    }
    if (!(largest > 0) || !std::isfinite(largest)) return;
    for (double& x : guess_) x /= largest;
    // Rows that were left out until now would else never come back.
    for (double& x : guess_) x = x == 0 ? 1e-3 : x;
  }
  std::fill(share_.begin(), share_.end(), 0.0);
  share_[count(row)] = 1;
  solver.solve(k, view(zero_f_), view(share_), view(x_), view(lambda_));
  const double product = -lambda_[count(row)] * length_[count(row)] * length_[count(row)];
  watch_.smallest_kept = product > 1 ? 1 / product : 1;
  watch_.smallest_kept_row = row;
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
    share_[count(r)] = (1 + 0.5 * std::sin(2.4 * r)) / length_[count(r)];
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
