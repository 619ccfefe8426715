// x between two times at which x and x' are known: the cubic Hermite polynomial.
//
//   x(s) = (1 + 2 s) r^2 x_0 + s^2 (3 - 2 s) x_1 + h s r (r x'_0 - s x'_1),   s = (t - t_0) / h,   r = 1 - s       (1)
//   x'(s) = 6 s r / h (x_1 - x_0) + r (1 - 3 s) x'_0 + s (3 s - 2) x'_1                                             (2)
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// x and its derivative at one end, n entries each.
struct ValueAndRate {
  ConstVectorView x, rate;
};

/// [hot] (1), at s inside a step of size h; fourth-order accurate.
inline void cubic(const ValueAndRate& from, const ValueAndRate& to, double h, double s, VectorView x) {
  const double r = 1 - s;
  x.map() = (1 + 2 * s) * r * r * from.x.map() + s * s * (3 - 2 * s) * to.x.map() +
            s * r * h * (r * from.rate.map() - s * to.rate.map());
}

/// [hot] (2); third-order accurate.
inline void cubic_rate(const ValueAndRate& from, const ValueAndRate& to, double h, double s, VectorView rate) {
  const double r = 1 - s;
  rate.map() =
      6 * s * r / h * (to.x.map() - from.x.map()) + r * (1 - 3 * s) * from.rate.map() + s * (3 * s - 2) * to.rate.map();
}

}  // namespace trammel
