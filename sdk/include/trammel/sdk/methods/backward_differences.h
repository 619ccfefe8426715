// Backward differences of f on an equidistant grid, kept in engine-owned memory: the history of multistep methods.
#pragma once

#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// A view of nabla^0 f_n, nabla^1 f_n, ..., a part of memory.state.
class BackwardDifferences {
 public:
  using Map = StateLayout::Map;

  explicit BackwardDifferences(const StateLayout::Vectors& columns) : columns_(columns) {}

  Map operator[](int i) const { return columns_[i]; }

  /// Next grid point: nabla^0 = f, nabla^i f_{n+1} = nabla^{i-1} f_{n+1} - nabla^{i-1} f_n. `f` is overwritten.
  void push(Map& f) const {
    for (int i = 0; i < columns_.count; ++i) {
      (*this)[i].swap(f);  // the new nabla^i comes in, the old one goes out,
      f = (*this)[i] - f;  // and their difference is the new nabla^{i+1}
    }
  }

 private:
  StateLayout::Vectors columns_;
};

}  // namespace trammel::sdk
