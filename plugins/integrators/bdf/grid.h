// Backward differences of y = (x, x') on an equidistant grid, and what BDF does with them.
//
// L. F. Shampine, M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22, sections 2.1 to 2.3, with
// kappa = 0 (BDF, not NDF); gamma_j = sum_{i<=j} 1/i, order k:
//   y^p = sum_{j<=k} nabla^j y_n                                                                                    (1)
//   psi = sum_{1<=j<=k} gamma_j nabla^j y_n / gamma_k,   h / gamma_k f(t_1, y_1) = psi + (y_1 - y^p)                (2)
//   nabla^{k+1} y_1 = y_1 - y^p,   the other differences by addition                                                (3)
//   another step r h:  nabla_new = nabla R(r) R(1),   R(r)_ij = prod_{m<=i} (m - 1 - r j) / m,   1 <= i, j <= k     (4)
#pragma once

#include <algorithm>
#include <array>

#include "trammel/sdk/methods/backward_differences.h"

namespace trammel::bdf {

inline constexpr int highest_order = 5, columns = highest_order + 3;

using Map = sdk::BackwardDifferences::Map;

inline double gamma(int k) {
  double sum = 0;
  for (int i = 1; i <= k; ++i) sum += 1.0 / i;
  return sum;
}

/// `columns` vectors of `n` entries.
class Grid {
 public:
  Grid(sdk::StateLayout& at, Index n) : vectors_(at.vectors(n, columns)), nabla(vectors_) {}

  void copy(const Grid& other) const { std::copy_n(other.vectors_.data, columns * vectors_.n, vectors_.data); }

  /// The first point: y, h y', nothing else known.
  void begin(ConstVectorView y, ConstVectorView change) const {
    for (int j = 2; j < columns; ++j) nabla[j].setZero();
    nabla[0] = y.map();
    nabla[1] = change.map();
  }
  /// One more point; `points` are known. `y` is overwritten.
  void push(Map& y, int points) const {
    sdk::StateLayout::Vectors known = vectors_;
    known.count = std::min(points + 1, columns);
    sdk::BackwardDifferences(known).push(y);
  }

  void predict(int k, Map& y) const {
    y = nabla[k];  // (1), small terms first
    for (int j = k - 1; j >= 0; --j) y += nabla[j];
  }
  void psi(int k, Map& sum) const {
    sum = nabla[k];  // (2)
    for (int j = k - 1; j > 0; --j) sum += gamma(j) / gamma(k) * nabla[j];
  }
  /// To the step's end, where y_1 - y^p is known.
  void advance(int k, const Map& correction) const {
    nabla[k + 2] = correction - nabla[k + 1];
    nabla[k + 1] = correction;
    for (int j = k; j >= 0; --j) nabla[j] += nabla[j + 1];  // (3)
  }

  /// (4)
  void stretch(int k, double r) const {
    const Square change = ratios(k, r) * ratios(k, 1);
    for (Index row = 0; row < vectors_.n; ++row) {
      Eigen::Matrix<double, 1, highest_order> old = Eigen::Matrix<double, 1, highest_order>::Zero();
      for (int j = 0; j < k; ++j) old[j] = nabla[j + 1][row];
      const Eigen::Matrix<double, 1, highest_order> fresh = old * change;
      for (int j = 0; j < k; ++j) nabla[j + 1][row] = fresh[j];
    }
  }

  /// The polynomial (1) through the points up to nabla's, s steps from it.
  void value(int k, double s, Map& y) const {
    double weight = 1;
    y = nabla[0];
    for (int j = 1; j <= k; ++j) {
      weight *= (s + j - 1) / j;
      y += weight * nabla[j];
    }
  }

 private:
  using Square = Eigen::Matrix<double, highest_order, highest_order>;

  static Square ratios(int k, double r) {
    Square R = Square::Zero();
    for (int j = 0; j < k; ++j) {
      double product = 1;
      for (int i = 0; i < k; ++i) R(i, j) = product *= (i - r * (j + 1)) / (i + 1);
    }
    return R;
  }

  sdk::StateLayout::Vectors vectors_;

 public:
  const sdk::BackwardDifferences nabla;
};

}  // namespace trammel::bdf
