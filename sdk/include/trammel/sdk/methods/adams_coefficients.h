// Coefficients of the Adams methods in backward differences, as exact fractions.
//
//   gamma_m + gamma_{m-1} / 2 + ... + gamma_0 / (m + 1) = 1          Adams-Bashforth                              (1)
//   gamma*_m = gamma_m - gamma_{m-1}, gamma*_0 = 1                   Adams-Moulton                                (2)
// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, III.1, (1.7) and (1.14); Haug, Computer Aided
// Kinematics and Dynamics, Tables 7.4.4 and 7.4.10.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

namespace trammel::sdk {

/// A fraction in lowest terms, denominator > 0. Overflow is an error while compiling.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  constexpr double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  constexpr bool operator==(const Fraction&) const = default;

  constexpr Fraction operator-(const Fraction& other) const {
    const std::int64_t common = std::lcm(denominator, other.denominator);
    return reduced(numerator * (common / denominator) - other.numerator * (common / other.denominator), common);
  }
  constexpr Fraction over(std::int64_t divisor) const { return reduced(numerator, denominator * divisor); }

 private:
  static constexpr Fraction reduced(std::int64_t n, std::int64_t d) {
    const std::int64_t g = std::gcd(n, d);
    return {n / g, d / g};
  }
};

/// Highest order of an Adams-Moulton formula here; Adams-Bashforth goes to one less.
inline constexpr int adams_max_order = 13;

/// gamma_0 ... gamma_12
inline constexpr std::array<Fraction, adams_max_order> adams_gamma = [] {
  std::array<Fraction, adams_max_order> gamma{};
  for (std::size_t m = 0; m < gamma.size(); ++m) {
    gamma[m] = {1, 1};
    for (std::size_t j = 0; j < m; ++j)
      gamma[m] = gamma[m] - gamma[j].over(static_cast<std::int64_t>(m + 1 - j));  // (1)
  }
  return gamma;
}();

/// gamma*_0 ... gamma*_12
inline constexpr std::array<Fraction, adams_max_order> adams_gamma_star = [] {
  std::array<Fraction, adams_max_order> star{};
  star[0] = {1, 1};
  for (std::size_t m = 1; m < star.size(); ++m) star[m] = adams_gamma[m] - adams_gamma[m - 1];  // (2)
  return star;
}();

/// Weights of Wu, Chiou and Lin, Theorem 1 (21): with the same f^p_{n+1},
/// W1/(W1+W2) y^(AB of order m) + W2/(W1+W2) y^(AM of order m) = y^(AM of order m + 1).
struct MeanWeights {
  Fraction predictor, corrector;  ///< W1 = -gamma*_m, W2 = gamma_m
};
constexpr MeanWeights adams_mean_weights(int m) {
  const auto i = static_cast<std::size_t>(m);
  return {Fraction{0, 1} - adams_gamma_star[i], adams_gamma[i]};
}

/// prod_{j<i} (u + j) / (j + 1) for i = 0 ... count - 1: the weights of the backward differences in Newton's
/// interpolation polynomial at t_n + u h, Haug (7.4.4).
inline void newton_weights(double u, int count, double* weights) {
  double product = 1;
  for (int i = 0; i < count; ++i) {
    weights[i] = product;
    product *= (u + i) / (i + 1);
  }
}

/// Integral from 0 to u of prod_{j<i} (w + j) / (j + 1) dw for i = 0 ... count - 1: the weights of the backward
/// differences in the integral of that polynomial. For -1 <= u <= 1.
inline void adams_weights(double u, int count, double* weights) {
  double c[adams_max_order + 1] = {1};  // coefficients of the product, ascending; all >= 0 and together 1
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int m = i; m >= 0; --m) sum = sum * u + c[m] / (m + 1);
    weights[i] = u * sum;
    for (int m = i + 1; m >= 0; --m) c[m] = ((m > 0 ? c[m - 1] : 0.0) + i * (m <= i ? c[m] : 0.0)) / (i + 1);
  }
}

}  // namespace trammel::sdk
