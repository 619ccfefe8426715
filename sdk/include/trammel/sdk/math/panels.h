// Panels of an interval in which samples of a function show all that its bounds leave room for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "trammel/math/interval.h"
#include "trammel/status.h"

namespace trammel::sdk {

/// [step] Calls `visit(a, b)` for the parts of [a, b] on which `sides(x)`, bits for the signs of switching functions,
/// is the same throughout, as far as both ends show. A part ends at neighbouring numbers, so that a jump lies between
/// two parts.
template <class Sides, class Visit>
Status visit_sides(const Sides& sides, double a, double b, const Visit& visit) {
  const auto last = sides(b);
  for (auto here = sides(a); here != last; here = sides(a)) {
    const auto changes = here ^ last, first = changes & (~changes + 1);
    double low = a, high = b;
    for (int n = 0; n < 200; ++n) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (((sides(middle) ^ here) & first) == 0 ? low : high) = middle;
    }
    const Status status = visit(a, low);
    if (!status || high == b) return status;
    a = high;
    if (((sides(a) ^ last) & first) != 0) break;  // neither sign: not a number
  }
  return visit(a, b);
}

/// [step] Calls `visit(a, b)` for panels that together make [a, b], in order from a (b may be the smaller one). A panel
/// is halved, at most twelve times, as long as the bounds of f leave room for four times what f shows at its ends and
/// in its middle: so a rule that samples panels meets bumps of a thousandth of a long way, wherever they are. `f(x, y)`
/// writes y; `range(low, high)` is an Interval, everything where nothing is known or a comparison is undecided. f,
/// visit: Status.
template <class F, class Range, class Visit>
Status visit_panels(const F& f, const Range& range, double a, double b, const Visit& visit) {
  constexpr int deepest = 12;
  constexpr double room = 4, counts = 1e-6;  // of what f shows, and of what it shows or may be anywhere
  constexpr double nothing = 1e-20;          // of that, too
  const auto most = [&](double from, double to) {
    const Interval within = range(std::min(from, to), std::max(from, to));
    return std::max(std::abs(within.low), std::abs(within.high));
  };
  struct Panel {
    double a, b;
    int depth;
  };
  Panel open[deepest + 2];
  int count = 1;
  open[0] = {a, b, 0};
  double largest = most(a, b);
  if (!std::isfinite(largest)) largest = 0;
  while (count > 0) {
    const Panel panel = open[--count];
    const double middle = 0.5 * (panel.a + panel.b);
    double shown = 0;
    Status status;
    for (const double x : {panel.a, middle, panel.b}) {
      double y = 0;
      status = f(x, y);
      if (!status) return status;
      shown = std::max(shown, std::abs(y));
    }
    largest = std::max(largest, shown);
    const double may_be = most(panel.a, panel.b);
    if (may_be <= nothing * largest) continue;
    if (panel.depth < deepest && may_be > room * shown + counts * largest) {
      open[count++] = {middle, panel.b, panel.depth + 1};
      open[count++] = {panel.a, middle, panel.depth + 1};
      continue;
    }
    status = visit(panel.a, panel.b);
    if (!status) return status;
  }
  return Status::success();
}

/// [step] The same for functions without bounds: panels that double their length with the distance from a.
template <class Visit>
Status visit_octaves(double a, double b, const Visit& visit) {
  double from = a;
  for (const double share : {1 / 64.0, 1 / 32.0, 1 / 16.0, 1 / 8.0, 1 / 4.0, 1 / 2.0, 1.0}) {
    const double to = share == 1 ? b : a + share * (b - a);
    const Status status = visit(from, to);
    if (!status) return status;
    from = to;
  }
  return Status::success();
}

}  // namespace trammel::sdk
