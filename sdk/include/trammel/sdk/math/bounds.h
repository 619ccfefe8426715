// Between which values functions stay on an interval: what plugins that offer FunctionBounds share.
#pragma once

#include <cmath>
#include <cstdint>

#include "trammel/extensions/function_bounds.h"
#include "trammel/function.h"
#include "trammel/math/interval.h"

namespace trammel::sdk {

/// [setup] Bounds of f on [from, to]; everything where f does not know them.
inline Interval bounds_of(const Function& f, double from, double to) {
  const FunctionBounds* known_by = find_extension<FunctionBounds>(f);
  double range[2] = {0, 0};
  if (known_by == nullptr || !known_by->bounds(from, to, range).ok()) return Interval::everything();
  return known(range[0], range[1]);
}

/// Writes `range` as FunctionBounds::bounds does.
inline Status write_bounds(const Interval& bounds, double* range) {
  range[0] = bounds.low, range[1] = bounds.high;
  return Status::success();
}

/// The smallest interval that holds both.
inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// sum c_i x^i, i < count, on [from, to]: the Taylor polynomial about the middle. With r the half width, terms of odd
/// order stay within +-|a_k| r^k, those of even order between 0 and a_k r^k, so that bounds are as close as r^2.
inline Interval polynomial_bounds(const double* c, std::int64_t count, double from, double to) {
  const double middle = 0.5 * (from + to), r = 0.5 * (to - from);
  Interval sum(0);
  double power = 1;  // r^k
  for (std::int64_t k = 0; k < count; ++k, power *= r) {
    double a = 0;  // the k-th derivative in the middle, over k!
    for (std::int64_t i = count - 1; i >= k; --i) {
      double choose = 1;  // i over k
      for (std::int64_t j = 1; j <= k; ++j) choose *= static_cast<double>(i - k + j) / static_cast<double>(j);
      a = a * middle + choose * c[i];
    }
    const double most = std::abs(a) * power;
    if (k == 0)
      sum = sum + Interval(a);
    else if (k % 2 != 0)
      sum = sum + Interval(-most, most);
    else
      sum = sum + (a > 0 ? Interval(0, most) : Interval(-most, 0));
  }
  return sum;
}

}  // namespace trammel::sdk
