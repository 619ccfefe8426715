// A time just before another one: functions of time that jump there still have the values of what went before.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel {

/// Some roundings before t, s.
inline double just_before(double t) {
  return t - 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(t));
}

}  // namespace trammel
