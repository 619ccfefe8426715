// Estimates of samples against OpenTURNS 1.20, NumPy and closed forms.
#include "study/estimates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "study/distribution.h"
#include "study/sample_points.h"

namespace trammel {
namespace {

const std::vector<double> numbers = {1.5, 2.25, -3, 4, 8.5, 0.125, 7, 2, 2.5, -1.0625, 3, 6};

std::vector<double> ordered(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("mean with Student's interval, and deviation") {
  const Estimate mean = estimate_mean(numbers, 0.95);
  CHECK(mean.value == doctest::Approx(2.734375).epsilon(1e-14));
  CHECK(mean.low == doctest::Approx(0.6337610872758286).epsilon(1e-12));
  CHECK(mean.high == doctest::Approx(4.834988912724171).epsilon(1e-12));
  CHECK(estimate_deviation(numbers, 0.95).value == doctest::Approx(3.3061286281210864).epsilon(1e-14));
  CHECK(std::isnan(estimate_mean(std::vector<double>{}, 0.95).value));
  CHECK(std::isnan(estimate_mean(std::vector<double>{1.0}, 0.95).low));
  CHECK(estimate_deviation(std::vector<double>{2.0, 2.0, 2.0, 2.0, 2.0}, 0.95).value == 0);
}

TEST_CASE("quantiles are NumPy's, their intervals the ranks of a binomial distribution") {
  const std::vector<double> sorted = ordered(numbers);
  CHECK(estimate_quantile(sorted, 0.05, 0.95).value == doctest::Approx(-1.934375).epsilon(1e-14));
  CHECK(estimate_quantile(sorted, 0.5, 0.95).value == doctest::Approx(2.375).epsilon(1e-14));
  CHECK(estimate_quantile(sorted, 0.95, 0.95).value == doctest::Approx(7.675).epsilon(1e-14));
  CHECK(std::isnan(estimate_quantile(sorted, 0.05, 0.95).low));  // twelve numbers do not reach so far
  std::vector<double> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(i);
  const Estimate median = estimate_quantile(hundred, 0.5, 0.95);
  CHECK(median.value == 50.5);
  CHECK(median.low == 40);  // P(B <= 39) = 0.0176, P(B <= 40) = 0.0284
  CHECK(median.high == 61);
}

TEST_CASE("shares with the interval of Clopper and Pearson") {
  CHECK(estimate_share(3, 10, 0.95).low == doctest::Approx(0.06673951117773447).epsilon(1e-10));
  CHECK(estimate_share(3, 10, 0.95).high == doctest::Approx(0.6524528500599973).epsilon(1e-10));
  CHECK(estimate_share(0, 10, 0.95).low == 0);
  CHECK(estimate_share(0, 10, 0.95).high == doctest::Approx(0.3084971078187608).epsilon(1e-10));
  CHECK(estimate_share(10, 10, 0.95).low == doctest::Approx(0.6915028921812392).epsilon(1e-10));
  CHECK(estimate_share(10, 10, 0.95).high == 1);
}

TEST_CASE("intervals hold as often as they say") {
  int mean_holds = 0, deviation_holds = 0, median_holds = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values = unit_points(SampleMethod::monte_carlo, 200, 1, static_cast<std::uint64_t>(trial));
    for (double& x : values) x = normal_quantile(x);
    const auto holds = [](const Estimate& e, double truth) { return e.low <= truth && truth <= e.high ? 1 : 0; };
    mean_holds += holds(estimate_mean(values, 0.9), 0);
    deviation_holds += holds(estimate_deviation(values, 0.9), 1);
    median_holds += holds(estimate_quantile(ordered(values), 0.5, 0.9), 0);
  }
  // 0.9 of 400 are 360, with a deviation of 6; those of ranks hold at least as often.
  CHECK(std::abs(mean_holds - 360) < 20);
  CHECK(std::abs(deviation_holds - 360) < 24);
  CHECK(median_holds > 345);
}

TEST_CASE("Sobol's indices of Ishigami's function come near their closed form") {
  // y = sin x1 + a sin^2 x2 + b x3^4 sin x1, x uniform in +-pi, a = 7, b = 0.1.
  const double pi = std::numbers::pi, a = 7, b = 0.1;
  const double v1 = 0.5 * std::pow(1 + b * std::pow(pi, 4) / 5, 2), v2 = a * a / 8;
  const double v13 = b * b * std::pow(pi, 8) * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  const std::size_t n = 16384, d = 3;
  const std::vector<double> points = unit_points(SampleMethod::sobol, n, 2 * d, 1);
  std::vector<double> outputs;
  for (std::size_t sample = 0; sample < d + 2; ++sample) {
    for (std::size_t k = 0; k < n; ++k) {
      double x[3];
      for (std::size_t i = 0; i < d; ++i) {
        const bool second = sample == 1 || sample == 2 + i;
        x[i] = pi * (2 * points[k * 2 * d + i + (second ? d : 0)] - 1);
      }
      outputs.push_back(std::sin(x[0]) + a * std::pow(std::sin(x[1]), 2) + b * std::pow(x[2], 4) * std::sin(x[0]));
    }
  }
  const SobolEstimates found = sobol_indices(outputs, n, 0.95);
  const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
  for (std::size_t i = 0; i < d; ++i) {
    CHECK(std::abs(found.first[i].value - first[i]) < 0.01);
    CHECK(std::abs(found.total[i].value - total[i]) < 0.01);
    CHECK(found.first[i].low < first[i]);
    CHECK(found.first[i].high > first[i]);
  }
  // A point that failed takes its others with it.
  outputs[2 * n + 5] = std::nan("");
  CHECK(sobol_indices(outputs, n, 0.95).points == n - 1);
}

}  // namespace trammel
