// Backward differences of f on an equidistant grid, kept in engine-owned memory: the history of multistep methods.
#pragma once

#include "trammel/linalg.h"

namespace trammel::sdk {

/// A view of nabla^0 f_n, nabla^1 f_n, ... (`columns` vectors of n entries) in memory.state.
class BackwardDifferences {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;

  BackwardDifferences(double* data, Index n, int columns) : data_(data), n_(n), columns_(columns) {}

  Map operator[](int i) const { return Map(data_ + i * n_, n_); }

  /// Next grid point: nabla^0 = f, nabla^i f_{n+1} = nabla^{i-1} f_{n+1} - nabla^{i-1} f_n. `f` is overwritten.
  void push(Map& f) const {
    for (int i = 0; i < columns_; ++i) {
      (*this)[i].swap(f);  // the new nabla^i comes in, the old one goes out,
      f = (*this)[i] - f;  // and their difference is the new nabla^{i+1}
    }
  }

 private:
  double* data_;
  Index n_;
  int columns_;
};

}  // namespace trammel::sdk
