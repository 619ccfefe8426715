// Characteristic polynomial of an Adams method in PECE mode for the linear test equation y' = mu y, z = h mu.
//
// In ordinates, with b_j = (-1)^j sum_{i>=j} gamma_i C(i, j) and b*_j likewise from gamma*:
//   y^p     = y_n + z sum_{j<p} b_j y_{n-j}                                                                       (1)
//   y_{n+1} = y_n + z (b*_0 y^p + sum_{1<=j<c} b*_j y_{n+1-j})                                                    (2)
// (1) in (2): y_{n+1} = sum_j a_j y_{n-j},
//   a_j = [j=0] (1 + z b*_0) + z b*_{j+1} + z^2 b*_0 b_j                                                          (3)
// and the roots of x^k = sum_j a_j x^{k-1-j} are the eigenvalues of the companion matrix of the a_j.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>

#include "formula.h"

namespace trammel::adams {
namespace {

constexpr auto slots = static_cast<std::size_t>(sdk::adams_max_order) + 1;
using Weights = std::array<double, slots>;  // zero beyond the last

Weights ordinate_weights(double (*coefficient)(int), int count) {
  Weights b{};
  for (int i = 0; i < count; ++i) {
    double binomial = 1;  // (-1)^j C(i, j)
    for (int j = 0; j <= i; ++j) {
      b[static_cast<std::size_t>(j)] += coefficient(i) * binomial;
      binomial *= -static_cast<double>(i - j) / (j + 1);
    }
  }
  return b;
}

}  // namespace

double spectral_radius(Orders orders, double re, double im) {
  const std::complex<double> z(re, im);
  const int k = std::max(orders.predictor, orders.corrector - 1);
  const Weights b = ordinate_weights(gamma, orders.predictor), star = ordinate_weights(gamma_star, orders.corrector);
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(k, k);
  for (int j = 0; j < k; ++j) {
    const auto i = static_cast<std::size_t>(j);
    companion(0, j) = orders.corrector > 0 ? z * star[i + 1] + z * z * star[0] * b[i] : z * b[i];  // (3) or (1)
    if (j > 0) companion(j, j - 1) = 1;
  }
  companion(0, 0) += orders.corrector > 0 ? 1.0 + z * star[0] : 1.0;
  return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace trammel::adams
