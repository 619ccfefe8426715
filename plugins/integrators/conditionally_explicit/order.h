// The order of a set of weights, from what its derivatives settle on.
//
// Let g(t) be x'' along the computed motion, D = d/dt and z = h D. With the start forgotten, d_k = psi_k(z) D^{k-2} g with
// power series psi_k, psi_2 = 1. (1) and (2) of family.h say, psi_{N-1} being that of s and m = N-1-k,
//   (e^z - 1)/z psi_k = sum_{1<=i<m} z^{i-1}/i! psi_{k+i} + z^{m-1}/m! [1 + w_k (e^z - 1)] psi_{N-1},  1 <= k < N-1  (1)
//   (e^z - 1)/z psi_0 = sum_{1<=i<N-1} z^{i-1}/i! psi_i + z^{N-2}/(N-1)! [w_0 + (1 - w_0) e^-z] psi_{N-1}            (2)
// So the computed x and v obey x'' = psi_0 f(t, x, v), v' = psi_1 f(t, x, v). With psi_1 = 1 + c_p z^p + ... and psi_0 =
// 1 + c_q z^q + ... the order is min(p, q), or q for positions where forces do not depend on velocities. Some results:
//   N = 4:  p, q >= 3 iff w_1 = w_2 - 1/6;  then c_3 = (w_2 - 1/2)/12 of x', (w_0 - 1 - w_2/2)/6 of x
//   N = 5:  p, q >= 4 iff w_1 = (3 w_2 - w_3)/2, as (1, 1, 1, 1) and (4/5, 1, 1, 1) have it: c_4 = 1/180 of x'
// An exact start is off s by O(h), which shifts x' by O(h^{N-1}); with N = 4 and p = 4, w_2 = 1/2, it is not off at all.
#pragma once

#include "family.h"

namespace trammel::conditionally_explicit {

/// Power series in z up to z^5.
using Series = std::array<double, 6>;

inline Series operator*(const Series& a, const Series& b) {
  Series product{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; i + j < a.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

inline Series operator/(const Series& a, const Series& b) {
  Series quotient = a;
  for (std::size_t n = 0; n < a.size(); ++n) {
    for (std::size_t i = 1; i <= n; ++i) quotient[n] -= b[i] * quotient[n - i];
    quotient[n] /= b[0];
  }
  return quotient;
}

/// psi_0 and psi_1.
struct SettledSeries {
  Series position, velocity;
};

/// With an exact jerk (Eq. 44, N = 4) s = dg/dt in place of (1) for k = 2.
inline SettledSeries settled_series(const Family& family, bool exact_jerk) {
  const int N = family.degree();
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  const auto term = [](int m) { return Family::term(1, m); };
  std::array<Series, highest_degree> psi{};  // divided by psi_{N-1}
  psi[index(N - 1)][0] = 1;
  Series growth{};  // (e^z - 1)/z
  for (std::size_t n = 0; n < growth.size(); ++n) growth[n] = term(static_cast<int>(n) + 1);
  for (int k = N - 2; k >= 0; --k) {
    if (k == 2 && exact_jerk) {
      psi[2] = psi[3];
      continue;
    }
    const int m = N - 1 - k;
    Series sum{};
    const auto add = [&](int power, double factor, const Series& to) {
      for (std::size_t n = index(power); n < sum.size(); ++n) sum[n] += factor * to[n - index(power)];
    };
    for (int i = 1; i < m; ++i) add(i - 1, term(i), psi[index(k + i)]);
    Series last{};
    for (std::size_t n = 0; n < last.size(); ++n) {
      const double power = term(static_cast<int>(n)), w = family.weight(k);
      if (k > 0) last[n] = n == 0 ? 1 : w * power;
      if (k == 0) last[n] = n == 0 ? 1 : (1 - w) * (n % 2 == 0 ? power : -power);
    }
    add(m - 1, term(m), last);
    psi[index(k)] = sum / growth;
  }
  return {psi[0] / psi[2], psi[1] / psi[2]};
}

/// First power but 1 that a series has.
inline int leading_power(const Series& series) {
  constexpr double rounding = 1e-9;
  int n = 1;
  while (n < static_cast<int>(series.size()) && std::abs(series[static_cast<std::size_t>(n)]) < rounding) ++n;
  return n;
}

inline int order_of(const Family& family, bool exact_jerk = false) {
  const SettledSeries settled = settled_series(family, exact_jerk);
  const int from_the_start = std::max(4, family.degree() - 1);
  return std::min({leading_power(settled.position), leading_power(settled.velocity), from_the_start});
}

}  // namespace trammel::conditionally_explicit
