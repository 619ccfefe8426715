// Twists and wrenches as vectors of four numbers, spatial and planar, and the rigid shift between two bodies.
#pragma once

#include "trammel/linalg.h"
#include "trammel/sdk/math/vec.h"

namespace trammel::articulated {

using Four [[gnu::vector_size(32)]] =
    double;  // on the stack and in Fours only: where the processor has no AVX by default,
             // its alignment is another one than code for AVX2 expects

TRAMMEL_INLINE Four load(const double* x) {
  Four v;
  __builtin_memcpy(&v, x, sizeof v);  // not aligned
  return v;
}
TRAMMEL_INLINE void store(const Four& v, double* x) { __builtin_memcpy(x, &v, sizeof v); }
TRAMMEL_INLINE double sum(const Four& a) { return (a[0] + a[2]) + (a[1] + a[3]); }
TRAMMEL_INLINE Four yzx(const Four& a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
TRAMMEL_INLINE Four cross(const Four& a, const Four& b) { return yzx(a * yzx(b) - yzx(a) * b); }

/// (linear, 0), (angular, 0); or (x, y, angle, 0). See extensions/free_directions.h.
template <int four_count>
struct alignas(32) Fours {
  Four part[four_count];
};

struct Spatial {
  static constexpr int size = 6, stride = 8, inertia = 7;
  static constexpr bool intrinsic = true;
  using Twist = Fours<2>;

  static constexpr int place(int k) { return k < 3 ? k : k + 1; }  ///< of entry k among the stored ones
  /// The twist of a body at e from one that moves with t, both together.
  TRAMMEL_INLINE static Twist shift(const Twist& t, const Four& e) {
    return {{t.part[0] + cross(t.part[1], e), t.part[1]}};
  }
  /// The wrench there that acts as one at e.
  TRAMMEL_INLINE static Twist shift_back(const Twist& f, const Four& e) {
    return {{f.part[0], f.part[1] + cross(e, f.part[0])}};
  }
  /// Columns of I X, X the shift.
  TRAMMEL_INLINE static void shift_columns(Twist* I, const Four& e) {
    for (int half = 0; half < 2; ++half) {
      const Four x = I[0].part[half], y = I[1].part[half], z = I[2].part[half];
      I[3].part[half] += z * e[1] - y * e[2];
      I[4].part[half] += x * e[2] - z * e[0];
      I[5].part[half] += y * e[0] - x * e[1];
    }
  }
  TRAMMEL_INLINE static void own_inertia(const double* in, Twist* I) {
    const double m = in[0];
    I[0] = {{Four{m, 0, 0, 0}, Four{}}}, I[1] = {{Four{0, m, 0, 0}, Four{}}}, I[2] = {{Four{0, 0, m, 0}, Four{}}};
    I[3] = {{Four{}, Four{in[1], in[4], in[5], 0}}};
    I[4] = {{Four{}, Four{in[4], in[2], in[6], 0}}};
    I[5] = {{Four{}, Four{in[5], in[6], in[3], 0}}};
  }
  TRAMMEL_INLINE static void add_own_inertia(const double* in, Twist* I) {
    const double m = in[0];
    I[0].part[0] += Four{m, 0, 0, 0}, I[1].part[0] += Four{0, m, 0, 0}, I[2].part[0] += Four{0, 0, m, 0};
    I[3].part[1] += Four{in[1], in[4], in[5], 0};
    I[4].part[1] += Four{in[4], in[2], in[6], 0};
    I[5].part[1] += Four{in[5], in[6], in[3], 0};
  }
  TRAMMEL_INLINE static Twist own_diagonal(const double* in) {
    return {{Four{in[0], in[0], in[0], 0}, Four{in[1], in[2], in[3], 0}}};
  }
  /// Upper bound of the shifted diagonal.
  TRAMMEL_INLINE static Twist shift_diagonal(const Twist& d, const Four& e) {
    const double turned = 2 * sum(e * e) * sum(d.part[0]);
    return {{d.part[0], d.part[1] + Four{turned, turned, turned, 0}}};
  }
};

struct Planar {
  static constexpr int size = 3, stride = 4, inertia = 2;
  static constexpr bool intrinsic = false;
  using Twist = Fours<1>;

  static constexpr int place(int k) { return k; }
  TRAMMEL_INLINE static Twist shift(const Twist& t, const Four& e) {
    const Four turned{-e[1], e[0], 0, 0};
    return {{t.part[0] + t.part[0][2] * turned}};
  }
  TRAMMEL_INLINE static Twist shift_back(const Twist& f, const Four& e) {
    return {{f.part[0] + Four{0, 0, e[0] * f.part[0][1] - e[1] * f.part[0][0], 0}}};
  }
  TRAMMEL_INLINE static void shift_columns(Twist* I, const Four& e) {
    I[2].part[0] += I[1].part[0] * e[0] - I[0].part[0] * e[1];
  }
  TRAMMEL_INLINE static void own_inertia(const double* in, Twist* I) {
    const double m = in[0];
    I[0] = {{Four{m, 0, 0, 0}}}, I[1] = {{Four{0, m, 0, 0}}}, I[2] = {{Four{0, 0, in[1], 0}}};
  }
  TRAMMEL_INLINE static void add_own_inertia(const double* in, Twist* I) {
    const double m = in[0];
    I[0].part[0] += Four{m, 0, 0, 0}, I[1].part[0] += Four{0, m, 0, 0}, I[2].part[0] += Four{0, 0, in[1], 0};
  }
  TRAMMEL_INLINE static Twist own_diagonal(const double* in) { return {{Four{in[0], in[0], in[1], 0}}}; }
  TRAMMEL_INLINE static Twist shift_diagonal(const Twist& d, const Four& e) {
    return {{d.part[0] + Four{0, 0, 2 * sum(e * e) * (d.part[0][0] + d.part[0][1]), 0}}};
  }
};

template <int n>
TRAMMEL_INLINE Fours<n> load_twist(const double* x) {
  Fours<n> t;
  for (int i = 0; i < n; ++i) t.part[i] = load(x + 4 * i);
  return t;
}
template <int n>
TRAMMEL_INLINE void store_twist(const Fours<n>& t, double* x) {
  for (int i = 0; i < n; ++i) store(t.part[i], x + 4 * i);
}
template <int n>
TRAMMEL_INLINE void add(Fours<n>& t, double factor, const Fours<n>& u) {
  for (int i = 0; i < n; ++i) t.part[i] += factor * u.part[i];
}
template <int n>
TRAMMEL_INLINE void add(Fours<n>& t, const Fours<n>& u) {
  for (int i = 0; i < n; ++i) t.part[i] += u.part[i];
}
template <int n>
TRAMMEL_INLINE Fours<n> times(double factor, const Fours<n>& u) {
  Fours<n> t;
  for (int i = 0; i < n; ++i) t.part[i] = factor * u.part[i];
  return t;
}
template <int n>
TRAMMEL_INLINE double dot(const Fours<n>& t, const Fours<n>& u) {
  Four products = t.part[0] * u.part[0];
  for (int i = 1; i < n; ++i) products += t.part[i] * u.part[i];
  return sum(products);
}
/// sum of d_k t_k^2
template <int n>
TRAMMEL_INLINE double weighted(const Fours<n>& d, const Fours<n>& t) {
  Four products = d.part[0] * t.part[0] * t.part[0];
  for (int i = 1; i < n; ++i) products += d.part[i] * t.part[i] * t.part[i];
  return sum(products);
}
template <class S>
TRAMMEL_INLINE double entry(const typename S::Twist& t, int k) {
  return t.part[S::place(k) / 4][S::place(k) % 4];
}
/// I x
template <class S>
TRAMMEL_INLINE typename S::Twist product(const typename S::Twist* I, const typename S::Twist& x) {
  typename S::Twist y = times(entry<S>(x, 0), I[0]);
  for (int k = 1; k < S::size; ++k) add(y, entry<S>(x, k), I[k]);
  return y;
}

}  // namespace trammel::articulated
