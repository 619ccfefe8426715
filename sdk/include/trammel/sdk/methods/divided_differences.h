// Modified divided differences of f on the grid that the steps happened to make, and the coefficients that go with
// them.
//
// Shampine, Gordon, Computer Solution of Ordinary Differential Equations (1975), chapter 5; notation of Hairer,
// Norsett, Wanner, Solving Ordinary Differential Equations I, III.5. s_i = x_n - x_{n-i}, h = x_{n+1} - x_n, all
// indices from 0:
//   phi_0(n) = f_n,  phi_j(n) = phi_{j-1}(n) - phi*_{j-1}(n-1) (1) phi*_j(n) = beta_j phi_j(n),  beta_j = prod_{i<j} (h
//   + s_i) / s_{i+1}                                             (2) c_j(x) = prod_{i<j} (x - x_n + s_i) / (h + s_i)
//   P(x) = sum_{j<k} c_j(x) phi*_j(n) interpolates f      (3) g_j(x) = (1 / h) int_{x_n}^{x} c_j g_j = g_j(x_{n+1}) (4)
//   sigma_j = prod_{i=1}^{j} i h / psi_i,  psi_i = h + s_{i-1} (5)
// (4) is taken by Gauss' rule with seven points, exact up to degree 13: within the step all factors of c_j are between
// 0 and 1, so that nothing cancels, and one function serves the step and the dense output.
#pragma once

#include <algorithm>
#include <array>

#include "trammel/linalg.h"

namespace trammel::sdk {

/// phi_0 ... phi_13: the estimate above order 12 needs the last one.
inline constexpr int difference_columns = 14;

using DifferenceCoefficients = std::array<double, difference_columns>;

/// The grid behind x_n: `span[i]` = s_i for i < points. In engine-owned memory.
struct StepGrid {
  double* span;
  int points;

  /// (2) for j < count <= points.
  DifferenceCoefficients beta(double h, int count) const {
    DifferenceCoefficients beta{};
    beta[0] = 1;
    for (int j = 1; j < count; ++j) beta[at(j)] = beta[at(j - 1)] * (h + span[j - 1]) / span[j];
    return beta;
  }

  /// (4) at x_n + tau for j < count.
  DifferenceCoefficients integrals(double h, double tau, int count) const {
    // Abramowitz and Stegun, table 25.4, n = 7, moved to [0, 1].
    constexpr double node[7] = {0.025446043828620737737, 0.129234407200302780068, 0.297077424311301416547, 0.5,
                                0.702922575688698583453, 0.870765592799697219932, 0.974553956171379262263};
    constexpr double weight[7] = {0.064742483084434846635, 0.139852695744638333951, 0.190915025252559472475,
                                  0.208979591836734693878, 0.190915025252559472475, 0.139852695744638333951,
                                  0.064742483084434846635};
    DifferenceCoefficients inverse{}, g{};
    for (int i = 0; i + 1 < count; ++i) inverse[at(i)] = 1 / (h + span[i]);
    for (int p = 0; p < 7; ++p) {
      double c = weight[p] * tau / h;
      for (int j = 0; j < count; ++j) {
        g[at(j)] += c;
        c *= (node[p] * tau + span[j]) * inverse[at(j)];
      }
    }
    return g;
  }

  /// (5) for j < count.
  DifferenceCoefficients sigma(double h, int count) const {
    DifferenceCoefficients sigma{};
    sigma[0] = 1;
    for (int j = 1; j < count; ++j) sigma[at(j)] = sigma[at(j - 1)] * j * h / (h + span[j - 1]);
    return sigma;
  }

  /// A step of h was made.
  void push(double h) {
    points = std::min(points + 1, difference_columns);
    for (int i = points - 1; i > 0; --i) span[i] = span[i - 1] + h;
    span[0] = 0;
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace trammel::sdk
