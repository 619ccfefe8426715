// The zero of a function between two places, to the last bit: for closed forms that end in an equation.
#pragma once

#include <functional>

namespace trammel {

/// f has different signs at a and b.
inline double bisection(const std::function<double(double)>& f, double a, double b) {
  const double sign = f(a) < 0 ? 1 : -1;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (a + b);
    (sign * f(middle) < 0 ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

}  // namespace trammel
