// Orders of the Adams methods in exact fractions, up to the highest: a measurement of orders above 6 ends in rounding.
#include <doctest/doctest.h>

#include "trammel/sdk/methods/adams_coefficients.h"

using namespace trammel;

namespace {

__extension__ using Wide = __int128;  // 12^12 times weights over their common denominator

/// Weights of f(t_n + (shift - j) h), times `denominator`, from those of k backward differences.
struct Weights {
  Wide denominator = 1;
  Wide b[sdk::adams_max_order] = {};
};

Weights weights(const std::array<sdk::Fraction, sdk::adams_max_order>& of_differences, int k) {
  Weights result;
  for (int m = 0; m < k; ++m) {
    const std::int64_t d = of_differences[static_cast<std::size_t>(m)].denominator;
    result.denominator = std::lcm(static_cast<std::int64_t>(result.denominator), d);
  }
  for (int m = 0; m < k; ++m) {
    const sdk::Fraction& f = of_differences[static_cast<std::size_t>(m)];
    Wide binomial = 1;  // nabla^m f_n = sum_j (-1)^j (m over j) f_{n-j}
    for (int j = 0; j <= m; ++j) {
      result.b[j] += (j % 2 == 0 ? 1 : -1) * binomial * f.numerator * (result.denominator / f.denominator);
      binomial = binomial * (m - j) / (j + 1);
    }
  }
  return result;
}

/// Whether sum_j b_j (shift - j)^i = 1 / (i + 1), the integral of t^i from 0 to 1.
bool integrates(const Weights& weights, int k, int shift, int i) {
  Wide sum = 0;
  for (int j = 0; j < k; ++j) {
    Wide power = 1;
    for (int n = 0; n < i; ++n) power *= shift - j;
    sum += weights.b[j] * power;
  }
  return sum * (i + 1) == weights.denominator;
}

}  // namespace

TEST_CASE(
    "Adams-Bashforth and Adams-Moulton formulas have the order k = 1 to 12 that they are named for, and no more") {
  for (int k = 1; k < sdk::adams_max_order; ++k) {
    CAPTURE(k);
    const Weights bashforth = weights(sdk::adams_gamma, k), moulton = weights(sdk::adams_gamma_star, k);
    for (int i = 0; i < k; ++i) {
      CHECK(integrates(bashforth, k, 0, i));
      CHECK(integrates(moulton, k, 1, i));
    }
    CHECK_FALSE(integrates(bashforth, k, 0, k));
    CHECK_FALSE(integrates(moulton, k, 1, k));
  }
}
