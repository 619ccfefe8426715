// The entries of a KKT matrix one by one: what the dense and the sparse solver fill their matrices with.
#pragma once

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

}  // namespace trammel
