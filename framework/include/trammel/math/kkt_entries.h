// The entries of a KKT matrix one by one, and its unknowns as one vector: for solvers of the full matrix.
#pragma once

#include <algorithm>

#include "trammel/kkt_solver.h"

namespace trammel {

/// Calls f(row, column, value) for [W Phi_q^T; Phi_q D]: W's blocks, both copies of Phi_q and of the intrinsic rows,
/// and D, which is 0 except for 1 at dropped rows, whose other entries are 0. The same entries in the same order every
/// time, zeros included.
template <class F>
void each_kkt_entry(const KktMatrix& k, F&& f) {
  const Index n = k.size();
  const double* weight = k.weight;
  for (Index b = 0; b < k.bodies; ++b) {
    const Index first = k.first[b], end = k.first[b + 1];
    for (Index j = first; j < end; ++j) {
      if (weight == nullptr) {
        f(j, j, 1.0);
        continue;
      }
      for (Index i = first; i < end; ++i) f(i, j, *weight++);
    }
  }
  const auto both = [&](Index row, Index column, double value) {
    f(n + row, column, value);
    f(column, n + row, value);
  };
  const auto dropped = [&](Index row) { return k.dropped != nullptr && k.dropped[row] != 0; };
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    const double* value = k.Phi_q + block.offset;
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = block.first_row; r < block.first_row + block.rows; ++r, ++value) {
        both(r, block.column + j, dropped(r) ? 0.0 : *value);
      }
    }
  }
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    for (Index j = 0; j < k.coordinates; ++j)
      both(k.rows + b, k.intrinsic_first[b] + j, k.intrinsic[b * k.coordinates + j]);
  }
  for (Index r = 0; r < k.rows; ++r) f(n + r, n + r, dropped(r) ? 1.0 : 0.0);
}

/// Unknowns of the full matrix: coordinates, element rows, intrinsic rows.
inline Index kkt_size(const KktMatrix& k) { return k.size() + k.rows + k.intrinsic_rows; }

/// Nanoseconds of one factorization by KLU and one solve, as LinearSolverCost means it. `rows`: intrinsic ones counted; `work`: see SparseFactor. Its time
/// hardly depends on the fill-in that the ordering foresees, as most entries of the blocks are zero. Fitted to chains,
/// ladders, trees, nets and hubs from 68 to 17000 rows: to a factor of 2.
inline double sparse_cost(Index rows, double work) { return 110 * rows + 0.03 * work; }

/// Moves f and g (0 at dropped rows) into one vector of unknowns, and back into x and, if wanted, lambda.
inline void gather_unknowns(const KktMatrix& k, ConstVectorView f, ConstVectorView g, double* unknowns) {
  std::copy(f.data, f.data + f.size, unknowns);
  std::copy(g.data, g.data + g.size, unknowns + f.size);
  for (Index r = 0; k.dropped != nullptr && r < k.rows; ++r) {
    if (k.dropped[r] != 0) unknowns[f.size + r] = 0;
  }
}
inline void scatter_unknowns(const KktMatrix& k, const double* unknowns, VectorView x, VectorView lambda) {
  std::copy(unknowns, unknowns + x.size, x.data);
  if (lambda.data != nullptr) std::copy(unknowns + x.size, unknowns + x.size + k.rows + k.intrinsic_rows, lambda.data);
}

/// A pivot that failed at an unknown of the full matrix, as KktSolver::factorize reports it.
inline Status name_unknown(const KktMatrix& k, Status status) {
  if (status.code != StatusCode::singular) return status;
  const Index n = k.size();
  if (status.subject >= n) {
    status.subject -= n;
  } else {
    const Index* behind = std::upper_bound(k.first, k.first + k.bodies + 1, status.subject);
    status.subject = k.rows + k.intrinsic_rows + static_cast<Index>(behind - k.first) - 1;
  }
  return status;
}

}  // namespace trammel
