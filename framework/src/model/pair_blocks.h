// PairBlocks: the numbers that the pairs of bodies bring into an implicit matrix, in one place for all its forms.
#pragma once

#include <cstddef>

#include "model/linearization.h"

namespace trammel {

/// The blocks c0 K + c1 C of a linearization in the order of its pairs. `Scalar`: double or std::complex<double>.
template <class Scalar>
struct PairBlocks {
  PairBlocks(const Linearization& linearization, Scalar c0_of, Scalar c1_of)
      : K(linearization.K().data()),
        C(linearization.C().data()),
        count(linearization.K().size()),
        c0(c0_of),
        c1(c1_of) {}

  Scalar operator[](std::size_t i) const { return c0 * K[i] + c1 * C[i]; }

  const double *K, *C;
  std::size_t count;
  Scalar c0, c1;
};

/// Calls f(row, column) for their entries, in the same order.
template <class F>
void each_pair_entry(const Linearization& linearization, F&& f) {
  for (const Linearization::PairBlock& pair : linearization.pairs()) {
    for (Index j = 0; j < pair.columns; ++j) {
      for (Index i = 0; i < pair.rows; ++i) f(pair.row + i, pair.column + j);
    }
  }
}

}  // namespace trammel
