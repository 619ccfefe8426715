// Coefficients of the Radau IIA method with three stages, of order 5, and its collocation polynomial.
//
//   c = ((4 - r) / 10, (4 + r) / 10, 1),  r = sqrt 6;   A: Hairer, Wanner, Solving ODEs II (1996), IV.5, Table 5.6
//   T^-1 A^-1 T = [gamma 0 0; 0 alpha -beta; 0 beta alpha]                                     ibid., IV.8, (8.11), (1)
//   l_j(s): Lagrange's polynomials of the nodes c, a_ij = int_0^{c_i} l_j                                            (2)
// Embedded formula (ibid., (8.19)): with c_1 = h / gamma, stage derivatives K_j and f_0 = f(t_0, y_0)
//   err = (I - c_1 f_y)^-1 c_1 (f_0 + sum_j d_j K_j),  d_j = 1/3 sum_i e_i a_ij,  e = (-13 - 7 r, -13 + 7 r, -1)      (3)
#pragma once

#include <array>
#include <cstddef>

namespace trammel::radau {

inline constexpr std::size_t stages = 3;
using Row = std::array<double, stages>;
using Square = std::array<Row, stages>;

inline constexpr double r = 2.449489742783178098197284074705891;

inline constexpr Row c{(4 - r) / 10, (4 + r) / 10, 1};
inline constexpr Square A{{{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                           {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                           {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}}};

/// Eigenvalues of A^-1: `gamma` and `alpha` +- i `beta`. With p = 3^(4/3), q = 3^(2/3): gamma = 30 / (6 + p - q), and
/// 1 / (alpha + i beta) = (12 - p + q) / 60 - i (p + q) sqrt(3) / 60.
inline constexpr double gamma = 3.637834252744495732208418513577775;
inline constexpr double alpha = 2.681082873627752133895790743211112;
inline constexpr double beta = 3.050430199247410569426377624787569;

/// (1), as in the program RADAU5.
inline constexpr Square T{{{9.1232394870892942792e-2, -0.14125529502095420843, -3.0029194105147424492e-2},
                           {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                           {0.96604818261509293619, 1, 0}}};
inline constexpr Square T_inverse{{{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                                   {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                                   {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}}};

/// (3)
constexpr Row embedded() {
  constexpr Row e{-13 - 7 * r, -13 + 7 * r, -1};
  Row d{};
  for (std::size_t j = 0; j < stages; ++j) {
    for (std::size_t i = 0; i < stages; ++i) d[j] += e[i] * A[i][j] / 3;
  }
  return d;
}
inline constexpr Row d = embedded();

/// l_j(s) = p_0 + p_1 s + p_2 s^2
constexpr std::array<double, 3> lagrange(std::size_t j) {
  const double a = c[(j + 1) % 3], b = c[(j + 2) % 3], scale = 1 / ((c[j] - a) * (c[j] - b));
  return {a * b * scale, -(a + b) * scale, scale};
}

/// (2) at s, and its first and second integral from 0.
constexpr Row value_weights(double s) {
  Row w{};
  for (std::size_t j = 0; j < stages; ++j) {
    const auto p = lagrange(j);
    w[j] = p[0] + s * (p[1] + s * p[2]);
  }
  return w;
}
constexpr Row integral_weights(double s) {
  Row w{};
  for (std::size_t j = 0; j < stages; ++j) {
    const auto p = lagrange(j);
    w[j] = s * (p[0] + s * (p[1] / 2 + s * p[2] / 3));
  }
  return w;
}
constexpr Row second_integral_weights(double s) {
  Row w{};
  for (std::size_t j = 0; j < stages; ++j) {
    const auto p = lagrange(j);
    w[j] = s * s * (p[0] / 2 + s * (p[1] / 6 + s * p[2] / 12));
  }
  return w;
}

}  // namespace trammel::radau
