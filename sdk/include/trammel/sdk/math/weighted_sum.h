// Sums of many vectors with weights, as stages of Runge-Kutta methods take them: in one pass over memory.
#pragma once

#include "trammel/linalg.h"
#include "trammel/sdk/math/wide.h"

namespace trammel::sdk {

/// [hot] out = y + h sum_i w_i x(i), 0 <= i < count, over n numbers; x(i) points to those of vector i, `y` may be nullptr
/// for zero and must not overlap `out` in part. Every number is added up in the order of i.
template <class Vectors>
inline void weighted_sum(const double* y, double h, const double* w, int count, const Vectors& x, Index n,
                         double* out) {
  using Four [[gnu::vector_size(32)]] = double;
  wide([&] {
    constexpr Index block = 16;
    Index j = 0;
    for (; j + block <= n; j += block) {
      Four s0{}, s1{}, s2{}, s3{};
      for (int i = 0; i < count; ++i) {
        if (w[i] == 0) continue;
        Four k[4];
        __builtin_memcpy(k, x(i) + j, sizeof k);
        s0 += w[i] * k[0], s1 += w[i] * k[1], s2 += w[i] * k[2], s3 += w[i] * k[3];
      }
      Four moved[4] = {};
      if (y != nullptr) __builtin_memcpy(moved, y + j, sizeof moved);
      moved[0] += h * s0, moved[1] += h * s1, moved[2] += h * s2, moved[3] += h * s3;
      __builtin_memcpy(out + j, moved, sizeof moved);
    }
    for (; j < n; ++j) {
      double sum = 0;
      for (int i = 0; i < count; ++i) {
        if (w[i] != 0) sum += w[i] * x(i)[j];
      }
      out[j] = (y != nullptr ? y[j] : 0) + h * sum;
    }
  });
}

}  // namespace trammel::sdk
