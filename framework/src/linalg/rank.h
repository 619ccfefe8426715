// Rank of a constraint Jacobian by dense orthogonal factorization, with the rows that depend on each other.
#pragma once

#include <vector>

#include "trammel/kkt_solver.h"

namespace trammel {

/// One row that is a combination of others.
struct DependentRow {
  Index row;
  std::vector<Index> others;       ///< rows with a noticeable share in the combination
  std::vector<double> combination; ///< row = sum combination_i * others_i
};

struct RankReport {
  Index rank = 0;
  std::vector<DependentRow> dependent;
};

/// [setup] Column-pivoted Householder factorization of Phi_q^T with rows scaled to unit length; O(n m^2). Called when
/// the sparse factorization met a vanishing pivot, to say why.
RankReport analyse_rank(const KktMatrix& matrix);

}  // namespace trammel
