// The turn of a joint in space from its numbers, with its angular velocity and acceleration in the parent's joint axes.
//
//   two    R = R_a(x0) R_b(x1),  w = x0' a + x1' R_a b                                                            (1)
//   all    m = x / |x|,  w = 2 E(m) x'/|x|,  w' = 2 E(m) (x'' - 2 |x|' m') / |x|   (Haug 9.3: E(m) m = 0)          (2)
// In (2) the length of x means nothing. It is made to satisfy |x|'' = 0, which is
//   h = x.x'' + x'.x' - (x.x')^2 / x.x = 0                                                                        (3)
#pragma once

#include "tree.h"

namespace trammel::recursive {

template <class T, class U>
TRAMMEL_INLINE Vec4<sdk::Product<T, U>> quaternion_times(const Vec4<T>& a, const Vec4<U>& b) {
  return {a.e0 * b.e0 - dot(a.e, b.e), a.e0 * b.e + b.e0 * a.e + cross(a.e, b.e)};
}

/// Entry 0, 1 or 2.
template <class T>
T& entry(Vec3<T>& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
template <class T>
const T& entry(const Vec3<T>& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

template <class T>
struct TurnMotion {
  Vec4<T> m{T(1.0), {T(0.0), T(0.0), T(0.0)}};
  Vec3<T> w{T(0.0), T(0.0), T(0.0)}, w1{T(0.0), T(0.0), T(0.0)};
};

/// (1) from x, x', x'' of the two turns.
template <class T>
TurnMotion<T> two_turns(int a, int b, const T* x, const T* x1, const T* x2) {
  using std::cos;
  using std::sin;
  const int c = 3 - a - b;
  const double sign = (a + 1) % 3 == b ? 1 : -1;  // a x b = sign c
  TurnMotion<T> out;
  const T ca = cos(0.5 * x[0]), sa = sin(0.5 * x[0]), cb = cos(0.5 * x[1]), sb = sin(0.5 * x[1]);
  out.m.e0 = ca * cb;
  entry(out.m.e, a) = sa * cb, entry(out.m.e, b) = ca * sb, entry(out.m.e, c) = sign * (sa * sb);
  const T cosine = cos(x[0]), sine = sign * sin(x[0]);  // R_a b = cosine b + sine c
  entry(out.w, a) = x1[0], entry(out.w, b) = x1[1] * cosine, entry(out.w, c) = x1[1] * sine;
  entry(out.w1, a) = x2[0];
  entry(out.w1, b) = x2[1] * cosine - sign * (x1[0] * x1[1] * sine);
  entry(out.w1, c) = x2[1] * sine + sign * (x1[0] * x1[1] * cosine);
  return out;
}

template <class T>
Vec4<T> four(const T* x) {
  return {x[0], {x[1], x[2], x[3]}};
}

/// (2)
template <class T>
TurnMotion<T> any_turn(const T* x, const T* x1, const T* x2) {
  using std::sqrt;
  const Vec4<T> v = four(x), v1 = four(x1), v2 = four(x2);
  const T length = sqrt(dot(v, v)), inverse = 1.0 / length;
  TurnMotion<T> out;
  out.m = inverse * v;
  const T rate = dot(out.m, v1);  // |x|'
  const Vec4<T> m1 = inverse * (v1 - rate * out.m);
  out.w = (2.0 * inverse) * sdk::E_apply(out.m, v1);
  out.w1 = (2.0 * inverse) * sdk::E_apply(out.m, v2 - (2.0 * rate) * m1);
  return out;
}

/// What x'' lacks along x for (3), as a multiple of x.
inline double along_gauge(const Vec4<>& x, const Vec4<>& x1, const Vec4<>& x2) {
  const double square = dot(x, x), along = dot(x, x1);
  return -(dot(x, x2) + dot(x1, x1) - along * along / square) / square;
}
/// Gradients of (3).
inline Vec4<> gauge_by_position(const Vec4<>& x, const Vec4<>& x1, const Vec4<>& x2) {
  const double rate = dot(x, x1) / dot(x, x);
  return x2 - (2 * rate) * x1 + (2 * rate * rate) * x;
}
inline Vec4<> gauge_by_rate(const Vec4<>& x, const Vec4<>& x1) { return 2.0 * (x1 - (dot(x, x1) / dot(x, x)) * x); }

}  // namespace trammel::recursive
