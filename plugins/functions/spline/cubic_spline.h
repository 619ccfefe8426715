// Cubic interpolating splines: natural, clamped, periodic.
#pragma once

#include <cstddef>
#include <vector>

namespace trammel::spline {

enum class Ends { natural, clamped, periodic };

/// s on [x_k, x_{k+1}], u = x - x_k:  s = c0 + c1 u + c2 u^2 + c3 u^3; `area` is the integral of s up to x_k.
struct Segment {
  double x, c[4], area;
};

/// Segments through the points (at least 2, periodic at least 4; x ascending; periodic: first y equals last).
/// Slopes are used by clamped ends only.
std::vector<Segment> interpolate(const std::vector<double>& x, const std::vector<double>& y, Ends ends,
                                 double begin_slope, double end_slope);

}  // namespace trammel::spline
