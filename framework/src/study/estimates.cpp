// Estimates and their confidence.
#include "study/estimates.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "study/distribution.h"

namespace trammel {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

/// Mean of the k-th powers of the distances from the mean.
double central_moment(std::span<const double> values, double mean, int k) {
  double sum = 0;
  for (const double x : values) sum += std::pow(x - mean, k);
  return sum / static_cast<double>(values.size());
}

Estimate around(double value, double half_width) { return {value, value - half_width, value + half_width}; }

}  // namespace

Estimate estimate_mean(std::span<const double> values, double confidence) {
  if (values.empty()) return {no_value, no_value, no_value};
  const double mean = mean_of(values);
  if (values.size() < 2) return {mean, no_value, no_value};
  const auto n = static_cast<double>(values.size());
  const double deviation = std::sqrt(central_moment(values, mean, 2) * n / (n - 1));
  const boost::math::students_t_distribution<double> student(n - 1);
  return around(mean, boost::math::quantile(student, 0.5 + confidence / 2) * deviation / std::sqrt(n));
}

Estimate estimate_deviation(std::span<const double> values, double confidence) {
  if (values.size() < 2) return {no_value, no_value, no_value};
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values), variance = central_moment(values, mean, 2) * n / (n - 1);
  const double deviation = std::sqrt(variance);
  if (values.size() < 4 || variance == 0) return {deviation, no_value, no_value};
  const double of_variance =
      std::max(0.0, central_moment(values, mean, 4) - variance * variance * (n - 3) / (n - 1)) / n;
  const double half = normal_quantile(0.5 + confidence / 2) * std::sqrt(of_variance);
  return {deviation, std::sqrt(std::max(0.0, variance - half)), std::sqrt(variance + half)};
}

Estimate estimate_quantile(std::span<const double> ordered, double p, double confidence) {
  if (ordered.empty()) return {no_value, no_value, no_value};
  const std::size_t n = ordered.size();
  const double place = p * static_cast<double>(n - 1);
  const auto below = std::min(static_cast<std::size_t>(place), n - 1);
  const double share = place - static_cast<double>(below);
  const double value =
      below + 1 < n && share > 0 ? ordered[below] + share * (ordered[below + 1] - ordered[below]) : ordered[below];
  // P(x_(l) <= q < x_(u)) = P(l <= B < u), B binomial with n and p.
  const boost::math::binomial_distribution<double> ranks(static_cast<double>(n), p);
  const double outside = (1 - confidence) / 2;
  long low = -1, high = -1;
  if (boost::math::cdf(ranks, 0.0) <= outside) {
    low = static_cast<long>(boost::math::quantile(ranks, outside));
    while (low > 0 && boost::math::cdf(ranks, static_cast<double>(low - 1)) > outside) --low;
    while (boost::math::cdf(ranks, static_cast<double>(low)) <= outside) ++low;
  }
  if (boost::math::cdf(boost::math::complement(ranks, static_cast<double>(n - 1))) <= outside) {
    high = static_cast<long>(boost::math::quantile(ranks, 1 - outside));
    while (high > 0 && boost::math::cdf(boost::math::complement(ranks, static_cast<double>(high - 1))) <= outside)
      --high;
    while (boost::math::cdf(boost::math::complement(ranks, static_cast<double>(high))) > outside) ++high;
  }
  const auto at_rank = [&](long rank) {  // from 1
    return rank < 1 || rank > static_cast<long>(n) ? no_value : ordered[static_cast<std::size_t>(rank - 1)];
  };
  return {value, at_rank(low), at_rank(high < 0 ? high : high + 1)};
}

Estimate estimate_share(std::size_t hits, std::size_t count, double confidence) {
  if (count == 0) return {no_value, no_value, no_value};
  const auto x = static_cast<double>(hits), n = static_cast<double>(count);
  using Binomial = boost::math::binomial_distribution<double>;
  const double outside = (1 - confidence) / 2;
  return {x / n, hits == 0 ? 0 : Binomial::find_lower_bound_on_p(n, x, outside),
          hits == count ? 1 : Binomial::find_upper_bound_on_p(n, x, outside)};
}

namespace {

/// Sums over the points of Saltelli's design, of outputs without their mean.
struct Sums {
  double n = 0, a = 0, aa = 0, b = 0, be = 0, ae = 0;
  double variance() const { return (aa - a * a / n) / (n - 1); }
  double first() const { return (be / (n - 1) - (a / n) * (b / n)) / variance(); }
  double total() const { return 1 - (ae / (n - 1) - (a / n) * (a / n)) / variance(); }
};

}  // namespace

SobolEstimates sobol_indices(std::span<const double> outputs, std::size_t base_points, double confidence) {
  SobolEstimates result;
  const std::size_t parameters = outputs.size() / base_points - 2;
  std::vector<std::size_t> points;
  double sum = 0;
  for (std::size_t k = 0; k < base_points; ++k) {
    bool known = true;
    double of_point = 0;
    for (std::size_t j = 0; j < parameters + 2; ++j) {
      const double y = outputs[j * base_points + k];
      known = known && std::isfinite(y);
      of_point += y;
    }
    if (known) points.push_back(k), sum += of_point;
  }
  result.points = points.size();
  const auto n = static_cast<double>(points.size());
  const double centre = sum / (n * static_cast<double>(parameters + 2));
  const double quantile = normal_quantile(0.5 + confidence / 2);
  const auto g = [&](std::size_t sample, std::size_t k) { return outputs[sample * base_points + k] - centre; };
  for (std::size_t i = 0; i < parameters; ++i) {
    if (points.size() < 3) {
      result.first.push_back({no_value, no_value, no_value}), result.total.push_back({no_value, no_value, no_value});
      continue;
    }
    Sums all;
    all.n = n;
    for (const std::size_t k : points) {
      const double a = g(0, k), b = g(1, k), e = g(2 + i, k);
      all.a += a, all.aa += a * a, all.b += b, all.be += b * e, all.ae += a * e;
    }
    double first_sum = 0, first_squares = 0, total_sum = 0, total_squares = 0;
    const double first = all.first(), total = all.total();
    for (const std::size_t k : points) {
      const double a = g(0, k), b = g(1, k), e = g(2 + i, k);
      Sums without = all;
      without.n -= 1, without.a -= a, without.aa -= a * a, without.b -= b, without.be -= b * e, without.ae -= a * e;
      const double df = without.first() - first, dt = without.total() - total;
      first_sum += df, first_squares += df * df, total_sum += dt, total_squares += dt * dt;
    }
    const auto error = [&](double of_sum, double of_squares) {
      return std::sqrt(std::max(0.0, (n - 1) / n * (of_squares - of_sum * of_sum / n)));
    };
    result.first.push_back(around(first, quantile * error(first_sum, first_squares)));
    result.total.push_back(around(total, quantile * error(total_sum, total_squares)));
  }
  return result;
}

}  // namespace trammel
