// Points, derivatives and judgement of the polynomial along a delay.
#include "signals/signal_delay.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double pi = 3.14159265358979323846;

/// P_n(x) - P_(n-1)(x), and its derivative; |x| < 1.
double radau_polynomial(int n, double x, double& slope) {
  double before = 1, p = x, before_slope = 0, p_slope = 1;
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
    const double next_slope = before_slope + (2 * k - 1) * p;
    before = p, p = next, before_slope = p_slope, p_slope = next_slope;
  }
  slope = p_slope - before_slope;
  return p - before;
}

/// Ascending, the last one 1.
std::vector<double> radau_points(int n) {
  std::vector<double> points;
  for (int i = n - 1; i > 0; --i) {
    double x = std::cos(2 * pi * i / (2 * n - 1)), slope = 0;
    for (int k = 0; k < 20; ++k) {
      const double value = radau_polynomial(n, x, slope);
      x -= value / slope;
    }
    points.push_back((1 + x) / 2);
  }
  points.push_back(1);
  return points;
}

}  // namespace

// Weights of Lagrange's polynomials 1/prod(x_j - x_k) give both the derivatives, D_ij = (w_j/w_i)/(x_i - x_j), and the
// highest coefficient, sum w_j f_j, which (2n)!/(n!)^2 of the Legendre polynomial P_n(2x - 1) divides. J.-P. Berrut, L. N.
// Trefethen, Barycentric Lagrange interpolation, SIAM Review 46 (2004) 501-517, sections 3 and 9.3.
DelayBlock::DelayBlock(double delay, int order) : time(delay), points(radau_points(order)) {
  const auto n = static_cast<std::size_t>(order);
  std::vector<double> x = {0};
  x.insert(x.end(), points.begin(), points.end());
  std::vector<double> weight(n + 1, 1.0);
  for (std::size_t j = 0; j <= n; ++j) {
    for (std::size_t k = 0; k <= n; ++k) {
      if (k != j) weight[j] /= x[j] - x[k];
    }
  }
  double leading = 1;
  for (int k = 1; k <= order; ++k) leading *= static_cast<double>(order + k) / k;
  for (const double w : weight) top.push_back(w / leading);
  for (std::size_t i = 1; i <= n; ++i) {
    double diagonal = 0;
    std::vector<double> row(n + 1);
    for (std::size_t j = 0; j <= n; ++j) {
      if (j == i) continue;
      row[j] = weight[j] / weight[i] / (x[i] - x[j]);
      diagonal -= row[j];
    }
    row[i] = diagonal;
    for (const double d : row) derivative.push_back(-d / time);
  }
}

void DelayBlock::resolution(double u, const double* z, double& last, double& half_range) const {
  double sum = top[0] * u, low = u, high = u;
  for (std::size_t j = 0; j < points.size(); ++j) {
    sum += top[j + 1] * z[j];
    low = std::min(low, z[j]), high = std::max(high, z[j]);
  }
  last = std::abs(sum), half_range = (high - low) / 2;
}

}  // namespace trammel
