// x between two times at which x, x' and x'' are known: the quintic Hermite polynomial.
//
//   D = x_1 - x_0 - h x'_0 - h^2/2 x''_0,   E = h (x'_1 - x'_0 - h x''_0),   F = h^2 (x''_1 - x''_0)                (1)
//   x(s) = x_0 + h s x'_0 + h^2 s^2/2 x''_0 + s^3 [c_0 + s c_1 + s^2 c_2],   s = (t - t_0) / h                        (2)
//   c_0 = 10 D - 4 E + F/2,   c_1 = -15 D + 7 E - F,   c_2 = 6 D - 3 E + F/2                                        (3)
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// x and its first derivatives at one end, n entries each.
struct MotionAt {
  ConstVectorView x, v, a;
};

/// [step] Writes x, and v and a where they are wanted (size > 0), at s inside a step of size h. Fifth-order accurate in
/// x.
inline void quintic(const MotionAt& from, const MotionAt& to, double h, double s, VectorView x, VectorView v,
                    VectorView a) {
  for (Index i = 0; i < x.size; ++i) {
    const double D = to.x[i] - from.x[i] - h * (from.v[i] + h / 2 * from.a[i]);
    const double E = h * (to.v[i] - from.v[i] - h * from.a[i]), F = h * h * (to.a[i] - from.a[i]);             // (1)
    const double c_0 = 10 * D - 4 * E + F / 2, c_1 = -15 * D + 7 * E - F, c_2 = 6 * D - 3 * E + F / 2;         // (3)
    x[i] = from.x[i] + h * s * (from.v[i] + h * s / 2 * from.a[i]) + s * s * s * (c_0 + s * (c_1 + s * c_2));  // (2)
    if (v.size > 0) v[i] = from.v[i] + h * s * from.a[i] + s * s / h * (3 * c_0 + s * (4 * c_1 + s * 5 * c_2));
    if (a.size > 0) a[i] = from.a[i] + s / (h * h) * (6 * c_0 + s * (12 * c_1 + s * 20 * c_2));
  }
}

}  // namespace trammel
