// The coefficients of 1 to 8 stages satisfy what makes the methods of order 2 s, symplectic and symmetric.
#include "coefficients.h"

#include <cstdio>

namespace {

int failures = 0;

void expect_near(double value, double expected, const char* what, int s) {
  if (std::abs(value - expected) <= 4e-15) return;  // some roundings of numbers up to 1
  std::printf("s = %d: %s: %.17g instead of %.17g\n", s, what, value, expected);
  ++failures;
}

}  // namespace

int main() {
  for (int s = 1; s <= acme::gauss::most_stages; ++s) {
    const acme::gauss::Coefficients k(s);
    for (int q = 1; q <= 2 * s; ++q) {  // B(2 s): the quadrature has order 2 s
      double sum = 0;
      for (int i = 0; i < s; ++i) sum += k.b[i] * std::pow(k.c[i], q - 1);
      expect_near(sum, 1.0 / q, "B(q)", s);
    }
    for (int i = 0; i < s; ++i) {
      for (int q = 1; q <= s; ++q) {  // C(s): the stages collocate
        double sum = 0;
        for (int j = 0; j < s; ++j) sum += k.a[i][j] * std::pow(k.c[j], q - 1);
        expect_near(sum, std::pow(k.c[i], q) / q, "C(q)", s);
      }
      for (int j = 0; j < s; ++j) {
        // Geometric Numerical Integration, VI, Eq. (4.2): symplectic; V, Eq. (2.4): symmetric.
        expect_near(k.b[i] * k.a[i][j] + k.b[j] * k.a[j][i], k.b[i] * k.b[j], "b_i a_ij + b_j a_ji = b_i b_j", s);
        expect_near(k.a[s - 1 - i][s - 1 - j] + k.a[i][j], k.b[j], "a_{s+1-i,s+1-j} + a_ij = b_j", s);
        expect_near(k.lagrange(j, k.c[i]), i == j ? 1 : 0, "l_j(c_i)", s);
      }
    }
  }
  // Two stages as printed: Geometric Numerical Integration, II, Table 1.1.
  const acme::gauss::Coefficients two(2);
  const double r = std::sqrt(3) / 6;
  expect_near(two.c[0], 0.5 - r, "c_1", 2);
  expect_near(two.a[0][0], 0.25, "a_11", 2);
  expect_near(two.a[0][1], 0.25 - r, "a_12", 2);
  expect_near(two.a[1][0], 0.25 + r, "a_21", 2);
  return failures == 0 ? 0 : 1;
}
