// The order of a method from its errors at halved steps: one measurement for the conformance kit, the order matrix and the
// elements' orders.
//
// A window is one halving, with the slope log2(e(h) / e(h/2)). Its error follows the leading term where two successive
// windows agree; the finest two that do are the measured order. Neither the first nor the best window is taken: coarse
// steps show all terms of the error, which pass every slope on their way, and fine ones what iterations and rounding
// leave. A claim holds if both windows are near it, from below and from above: one that is too low is wrong as well. What
// comes behind them has to fall as fast, until rounding is near: a small part of low order shows in the finest steps only.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace trammel::conformance {

/// Numbers of steps to look at, doubled from `first` to `last`, and errors that mean something.
struct OrderRange {
  int first, last;
  double floor;           ///< below: rounding
  double ceiling = 1e-2;  ///< above: all terms, or no convergence yet
};

struct MeasuredOrder {
  double coarse = 0, fine = 0;                 ///< slopes of the two windows; of the finest two where none agree
  double error = 0;                            ///< at the finest step looked at
  int steps = 0;                               ///< of that step
  int windows = 0;                             ///< whose errors mean something
  bool agree = false;                          ///< the two are within `agreement`
  double behind = INFINITY;                    ///< least slope of finer windows whose errors are well above rounding
  std::vector<std::pair<int, double>> errors;  ///< all that were measured, by numbers of steps

  static constexpr double agreement = 0.2, margin = 0.3;
  /// Orders whose errors are down to rounding after three halvings: they are proved, and proved not to be one more, by
  /// their order conditions (tests/methods). One window shows that a run keeps them.
  static constexpr double by_conditions = 6;

  bool below(double claimed) const {
    return (single(claimed) ? fine : std::min({coarse, fine, behind})) < claimed - margin;
  }
  bool above(double claimed) const { return !single(claimed) && std::max(coarse, fine) > claimed + margin; }
  /// Enough windows, and two that agree.
  bool settled(double claimed) const { return single(claimed) ? windows >= 1 : agree; }
  bool confirms(double claimed) const { return settled(claimed) && !below(claimed) && !above(claimed); }

 private:
  static bool single(double claimed) { return claimed > by_conditions; }
};

/// `error(steps)`: of a run with so many steps; not finite where it fails. It goes on to the end of the range or to
/// rounding, whatever the slopes on the way.
template <class Error>
MeasuredOrder measure_order(const OrderRange& range, Error error) {
  constexpr double near_rounding = 30;  // floors
  MeasuredOrder result;
  std::vector<double> slopes, errors;  // of windows; at their finer ends
  double before = INFINITY;
  for (int steps = range.first; steps <= range.last; steps *= 2) {
    const double now = error(steps);
    result.error = now, result.steps = steps;
    result.errors.emplace_back(steps, now);
    if (now < range.floor) break;
    if (!(now < range.ceiling)) {
      slopes.clear(), errors.clear();
      before = INFINITY;
      continue;
    }
    if (std::isfinite(before)) slopes.push_back(std::log2(before / now)), errors.push_back(now);
    before = now;
  }
  result.windows = static_cast<int>(slopes.size());
  if (slopes.empty()) return result;
  result.coarse = slopes[slopes.size() < 2 ? 0 : slopes.size() - 2];
  result.fine = slopes.back();
  for (std::size_t i = slopes.size() - 1; i > 0; --i) {
    if (std::abs(slopes[i] - slopes[i - 1]) > MeasuredOrder::agreement) continue;
    result.coarse = slopes[i - 1], result.fine = slopes[i];
    result.agree = true;
    for (std::size_t finer = i + 1; finer < slopes.size(); ++finer) {
      if (errors[finer] > near_rounding * range.floor) result.behind = std::min(result.behind, slopes[finer]);
    }
    break;
  }
  return result;
}

}  // namespace trammel::conformance
