// Where a function has a kink or a jump: closing in on its roughest place, until smooth functions are smooth to rounding.
#pragma once

#include <cmath>
#include <functional>

namespace trammel::conformance {

/// f(s) less the polynomial of degree 5 through s +- h, s +- 2 h, s +- 3 h: of the order of h^6 where f is smooth, of h at a
/// kink.
inline double roughness(const std::function<double(double)>& f, double s, double h) {
  const auto pair = [&](double k) { return f(s + k * h) + f(s - k * h); };
  return std::abs(f(s) - (0.75 * pair(1) - 0.3 * pair(2) + 0.05 * pair(3)));
}

inline constexpr double first_width = 1.0 / 40;
inline constexpr int closer_looks = 5;
/// A kink lies within three times this of the place that `roughest` gives.
inline constexpr double roughness_width = first_width / (1 << (2 * closer_looks));

/// The roughest place of f on [-1, 1]; NaN: it is smooth. `scale`: size of its values.
inline double roughest(const std::function<double(double)>& f, double scale) {
  double at = std::nan(""), most = 1e-7 * scale, h = first_width;
  for (int k = -36; k <= 36; ++k) {
    const double r = roughness(f, k * h, h);
    if (r > most) at = k * h, most = r;
  }
  for (int level = 0; level < closer_looks && !std::isnan(at); ++level) {
    const double middle = at;
    h /= 4, most = 1e-8 * scale, at = std::nan("");
    for (int k = -12; k <= 12; ++k) {
      const double r = roughness(f, middle + k * h, h);
      if (r > most) at = middle + k * h, most = r;
    }
  }
  return at;
}

}  // namespace trammel::conformance
