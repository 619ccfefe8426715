// Limits, curves and regions of stability.
#include <algorithm>
#include <cmath>

#include "stability/stability.h"

namespace trammel {
namespace {

std::complex<double> direction(const RayOptions& o) {
  const std::complex<double> d(o.re, o.im);
  return d / std::abs(d);
}

/// Growth above 1 near r, as a power of r.
void fit_growth(const StabilityProbe& probe, std::complex<double> d, double r, StabilityLimit& result) {
  constexpr double further = 1.25;  // small radii end soon for methods of degree 5
  const double first = probe.spectral_radius(r * d) - 1, second = probe.spectral_radius(further * r * d) - 1;
  result.growth_power = std::max(0.0, std::log(second / first) / std::log(further));
  result.growth = first / std::pow(r, result.growth_power);
}

}  // namespace

StabilityLimit find_stability_limit(const StabilityProbe& probe, const RayOptions& o) {
  const std::complex<double> d = direction(o);
  const auto excess = [&](double r) { return probe.spectral_radius(r * d) - 1; };
  StabilityLimit result;
  double stable = 0, unstable = 0;
  for (int i = 1; i <= o.points && unstable == 0; ++i) {
    const double r = o.until * i / o.points;
    (excess(r) > o.tolerance ? unstable : stable) = r;
  }
  if (unstable == 0) {
    result.limit = o.until;
    result.unlimited = true;
    return result;
  }
  for (int i = 0; i < 60 && unstable - stable > 1e-12 * unstable; ++i) {
    const double middle = 0.5 * (stable + unstable);
    (excess(middle) > o.tolerance ? unstable : stable) = middle;
  }
  // Growth that only rises through the tolerance here, like a power of r, is there for every r. At a limit proper the
  // radius leaves 1 with a slope of its own.
  constexpr double a_little = 1.1, steepest_power = 12;
  const double power = std::log(excess(a_little * unstable) / o.tolerance) / std::log(a_little);
  if (stable > 0 && !(power < steepest_power)) {
    result.limit = stable;
    return result;
  }
  fit_growth(probe, d, std::min(std::max(unstable, 0.01), 0.25 * o.until), result);
  return result;
}

std::vector<StabilityPoint> stability_curve(const StabilityProbe& probe, const RayOptions& o) {
  const std::complex<double> d = direction(o);
  std::vector<StabilityPoint> curve;
  for (int i = 1; i <= o.points; ++i) {
    const std::complex<double> z = o.until * i / o.points * d;
    curve.push_back({z.real(), z.imag(), probe.spectral_radius(z)});
  }
  return curve;
}

// Marching squares on g = radius - 1, g <= 0 stable. On the axis im = 0 the region goes on below.
StabilityRegion stability_region(const StabilityProbe& probe, const RegionOptions& o) {
  const double cell = (o.re_max - o.re_min) / o.columns;
  const int rows = std::max(1, static_cast<int>(std::ceil(o.im_max / cell)));
  constexpr double rounding = 1e-7;  // multiple eigenvalues at the origin
  constexpr double steepest = 1e3;
  std::vector<std::vector<double>> g(static_cast<std::size_t>(rows) + 1);
  const auto at = [&](int i, int j) { return std::complex<double>(o.re_min + i * cell, j * cell); };
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= o.columns; ++i) {
      g[static_cast<std::size_t>(j)].push_back(std::min(probe.spectral_radius(at(i, j)) - 1 - rounding, steepest));
    }
  }
  StabilityRegion region;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < o.columns; ++i) {
      const int corner_i[] = {i, i + 1, i + 1, i}, corner_j[] = {j, j, j + 1, j + 1};
      std::vector<StabilityPoint> polygon, crossings;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t l = (k + 1) % 4;
        const double g_k = g[static_cast<std::size_t>(corner_j[k])][static_cast<std::size_t>(corner_i[k])];
        const double g_l = g[static_cast<std::size_t>(corner_j[l])][static_cast<std::size_t>(corner_i[l])];
        const std::complex<double> z_k = at(corner_i[k], corner_j[k]), z_l = at(corner_i[l], corner_j[l]);
        if (g_k <= 0) polygon.push_back({z_k.real(), z_k.imag(), 1});
        if ((g_k <= 0) == (g_l <= 0)) continue;
        const std::complex<double> z = z_k + g_k / (g_k - g_l) * (z_l - z_k);
        crossings.push_back({z.real(), z.imag(), 1});
        polygon.push_back(crossings.back());
      }
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
        region.boundary.emplace_back(crossings[k], crossings[k + 1]);
      for (std::size_t k = 0; k < polygon.size(); ++k) {  // shoelace
        const StabilityPoint &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        region.area += 0.5 * (a.re * b.im - b.re * a.im);
      }
    }
  }
  return region;
}

}  // namespace trammel
