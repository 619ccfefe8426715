// Sums of many vectors with weights, as stages of Runge-Kutta methods take them: in one pass over memory.
#pragma once

#include "trammel/linalg.h"
#include "trammel/sdk/math/wide.h"

namespace trammel::sdk {

template <class Vectors>
inline void add_weighted(const double* y, double h, const double* w, int count, const Vectors& x, Index n,
                         double* out) {
  using Quad [[gnu::vector_size(32)]] = double;
  constexpr Index block = 16;
  Index j = 0;
  for (; j + block <= n; j += block) {
    Quad s0{}, s1{}, s2{}, s3{};
    for (int i = 0; i < count; ++i) {
      if (w[i] == 0) continue;
      Quad k[4];
      __builtin_memcpy(k, x(i) + j, sizeof k);
      s0 += w[i] * k[0], s1 += w[i] * k[1], s2 += w[i] * k[2], s3 += w[i] * k[3];
    }
    Quad moved[4] = {};
    if (y != nullptr) __builtin_memcpy(moved, y + j, sizeof moved);
    moved[0] += h * s0, moved[1] += h * s1, moved[2] += h * s2, moved[3] += h * s3;
    __builtin_memcpy(out + j, moved, sizeof moved);
  }
  for (; j + 4 <= n; j += 4) {
    Quad sum{}, moved{};
    for (int i = 0; i < count; ++i) {
      if (w[i] == 0) continue;
      Quad k;
      __builtin_memcpy(&k, x(i) + j, sizeof k);
      sum += w[i] * k;
    }
    if (y != nullptr) __builtin_memcpy(&moved, y + j, sizeof moved);
    moved += h * sum;
    __builtin_memcpy(out + j, &moved, sizeof moved);
  }
  for (; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      if (w[i] != 0) sum += w[i] * x(i)[j];
    }
    out[j] = (y != nullptr ? y[j] : 0) + h * sum;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
// Without fused multiply-add: the same bits as on every processor.
template <class Vectors>
[[gnu::flatten, gnu::target("avx2")]] void add_weighted_wide(const double* y, double h, const double* w, int count,
                                                             const Vectors& x, Index n, double* out) {
  add_weighted(y, h, w, count, x, n, out);
}
#endif

/// [hot] out = y + h sum_i w_i x(i), 0 <= i < count, over n numbers; x(i) points to those of vector i, `y` may be nullptr
/// for zero and must not overlap `out` in part. Every number is added up in the order of i, with the same bits everywhere.
template <class Vectors>
inline void weighted_sum(const double* y, double h, const double* w, int count, const Vectors& x, Index n,
                         double* out) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (wide_processor()) return add_weighted_wide(y, h, w, count, x, n, out);
#endif
  add_weighted(y, h, w, count, x, n, out);
}

}  // namespace trammel::sdk
