// The watch over the rank where no solver looks at rows one by one: from solves with the sparse matrix of corrections.
#pragma once

#include <vector>

#include "trammel/kkt_solver.h"

namespace trammel {

/// With S = J J^T of the kept rows, the squared sine of a row's angle to the span of all others is 1/((S^-1)_rr S_rr).
/// The rows that matter are found by inverse iteration with two vectors, which near a singular configuration settles in
/// one solve each, and their sines are then exact by another. Whether rows left out have become independent is seen in
/// the part of a random combination of them that lies outside the row space: one solve for all, and one each only where
/// there is such a part.
class SparseRankWatch {
 public:
  /// [setup]
  void analyse(const KktMatrix& matrix);
  /// [step] `solver` has factorized `matrix` with unit weights. May leave the smallest pivot where no row is near
  /// others.
  const RankWatch& look(const KktMatrix& matrix, KktSolver& solver);

 private:
  struct Candidate {
    std::vector<double> guess;
    Index row = -1;  ///< the one that mattered last
  };
  Index iterate(const KktMatrix& matrix, KktSolver& solver, const std::vector<double>* before, Candidate& candidate);
  double squared_sine(const KktMatrix& matrix, KktSolver& solver, Index row);
  void measure_rows(const KktMatrix& matrix);
  /// |P sum_r share_r J_r|^2 with P the projection onto the null space of the kept rows.
  double outside(const KktMatrix& matrix, KktSolver& solver);
  void look_at_kept(const KktMatrix& matrix, KktSolver& solver);
  void look_at_dropped(const KktMatrix& matrix, KktSolver& solver);

  Candidate candidates_[2];
  std::vector<double> length_, farthest_, share_, lambda_, f_, zero_f_, x_, zero_g_;
  RankWatch watch_;
};

}  // namespace trammel
