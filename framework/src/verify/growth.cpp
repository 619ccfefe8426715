// Least squares of the logarithm of a difference over time and over its logarithm.
#include "verify/growth.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double saturated = 0.05, least = 1e-16;
constexpr double fastest_regular = 256;  // 4^4

std::vector<double> running_maximum(std::vector<double> x) {
  double largest = least;
  for (double& value : x) value = largest = std::max(largest, value);
  return x;
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  const double determinant = n * sxx - sx * sx;
  return determinant > 0 ? (n * sxy - sx * sy) / determinant : 0;
}

}  // namespace

Growth growth_of(const std::vector<double>& t, const std::vector<double>& difference) {
  Growth growth;
  const std::vector<double> d = running_maximum(difference);
  std::size_t end = 0;
  while (end < d.size() && d[end] <= saturated) ++end;
  std::vector<double> time, log_d;
  for (std::size_t i = 0; i < end; ++i) {
    if (t[i] < t[0] + (t[end - 1] - t[0]) / 4) continue;
    time.push_back(t[i]), log_d.push_back(std::log(d[i]));
  }
  if (time.size() < 10) return growth;
  growth.rate = slope(time, log_d), growth.factor = std::exp(log_d.back() - log_d.front());
  growth.exponential = growth.factor > fastest_regular;
  return growth;
}

bool is_explained(const std::vector<double>& t, const std::vector<double>& difference,
                  const std::vector<double>& sensitivity, double own, double tolerance) {
  const std::vector<double> d = running_maximum(difference), s = running_maximum(sensitivity);
  const std::size_t n = std::min({t.size(), d.size(), s.size()});
  if (n < 10) return false;
  std::size_t start = 0;
  while (start + 1 < n && t[start] < t[0] + 0.05 * (t[n - 1] - t[0])) ++start;
  if (d[start] > saturated) return false;  // apart before anything could grow
  const double ratio = 100 * std::max({1.0, own / tolerance, d[start] / s[start]});
  for (std::size_t i = start; i < n && s[i] <= saturated; ++i) {
    if (d[i] > ratio * s[i] && d[i] > 1e-12) return false;
  }
  return true;
}

}  // namespace trammel
