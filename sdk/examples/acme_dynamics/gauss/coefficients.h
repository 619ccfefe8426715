// Coefficients of Gauss-Legendre collocation with 1 to 8 stages, computed from Legendre polynomials.
//
// With L_k the Legendre polynomials, xi_i the zeros of L_s, x = 2 theta - 1, and because Gauss's rule integrates
// products of two polynomials of degree < s exactly (discrete orthogonality),
//   c_i = (1 + xi_i) / 2,   b_i = 1 / ((1 - xi_i^2) L_s'(xi_i)^2)                                                   (1)
//   l_j(theta) = b_j sum_{k<s} (2 k + 1) L_k(xi_j) L_k(x)               Lagrange's polynomials on the nodes          (2)
//   b_j(theta) = int_0^theta l_j = b_j (theta + 1/2 sum_{0<k<s} L_k(xi_j) (L_{k+1}(x) - L_{k-1}(x)))                 (3)
//   a_ij = b_j(c_i)                                                                                                  (4)
// Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), II.1.3; (2) and (3) are the W-transformation of
// Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.5.
#pragma once

#include <cmath>

namespace acme::gauss {

inline constexpr int most_stages = 8;

class Coefficients {
  using Real = long double;

 public:
  /// 1 <= stages <= most_stages.
  explicit Coefficients(int stages) : s(stages) {
    for (int i = 0; i < s; ++i) {
      Real x = -std::cos(3.14159265358979323846L * (i + 0.75L) / (s + 0.5L));  // Tricomi's approximation
      for (int iteration = 0; iteration < 12; ++iteration) x -= legendre(s, x) / slope(x);
      xi_[i] = s % 2 == 1 && i == s / 2 ? 0 : x;
      const Real d = slope(xi_[i]);
      c[i] = static_cast<double>((1 + xi_[i]) / 2);
      weight_[i] = 1 / ((1 - xi_[i] * xi_[i]) * d * d);  // (1)
      b[i] = static_cast<double>(weight_[i]);
    }
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) a[i][j] = integral(j, (1 + xi_[i]) / 2);  // (4)
    }
  }

  /// b_j(theta), 0 <= j < s.
  double integral(int j, Real theta) const {
    const Real x = 2 * theta - 1;
    Real sum = theta;
    for (int k = 1; k < s; ++k) sum += legendre(k, xi_[j]) * (legendre(k + 1, x) - legendre(k - 1, x)) / 2;
    return static_cast<double>(weight_[j] * sum);  // (3)
  }
  /// l_j(theta), 0 <= j < s.
  double lagrange(int j, double theta) const {
    Real sum = 0;
    for (int k = 0; k < s; ++k) sum += (2 * k + 1) * legendre(k, xi_[j]) * legendre(k, 2 * Real(theta) - 1);
    return static_cast<double>(weight_[j] * sum);  // (2)
  }

  int s;
  double c[most_stages], b[most_stages], a[most_stages][most_stages];

 private:
  static Real legendre(int k, Real x) {
    Real before = 1, now = x;
    if (k == 0) return 1;
    for (int i = 1; i < k; ++i) {
      const Real next = ((2 * i + 1) * x * now - i * before) / (i + 1);
      before = now, now = next;
    }
    return now;
  }
  /// L_s'(x), |x| < 1.
  Real slope(Real x) const { return s * (x * legendre(s, x) - legendre(s - 1, x)) / (x * x - 1); }

  Real xi_[most_stages], weight_[most_stages];
};

}  // namespace acme::gauss
