// Small vectors for elements: plain structs, any scalar (double or a dual number), no allocation, no alignment needs.
#pragma once

#include <cmath>

// Kernels are short chains of these small functions; -O2 alone leaves some of them as calls with results in memory.
#if defined(__GNUC__)
#define TRAMMEL_INLINE [[gnu::always_inline]] inline
#define TRAMMEL_INLINE_LAMBDA __attribute__((always_inline))  // behind the parameters
#else
#define TRAMMEL_INLINE inline
#define TRAMMEL_INLINE_LAMBDA
#endif

namespace trammel::sdk {

template <class T = double>
struct Vec2 {
  T x, y;
};

template <class T = double>
struct Vec3 {
  T x, y, z;
};

/// Four numbers as Euler parameters are: e0 first. Also a column of coefficients of p or a vector dual to p.
template <class T = double>
struct Vec4 {
  T e0;
  Vec3<T> e;
};

/// Type of the product of two scalars: double with a dual number is a dual number.
template <class T, class U>
using Product = decltype(T() * U());

// --- Two entries ---------------------------------------------------------------------------------------------------

template <class T, class U>
TRAMMEL_INLINE Vec2<Product<T, U>> operator+(const Vec2<T>& a, const Vec2<U>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T, class U>
TRAMMEL_INLINE Vec2<Product<T, U>> operator-(const Vec2<T>& a, const Vec2<U>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
TRAMMEL_INLINE Vec2<T> operator-(const Vec2<T>& a) {
  return {-a.x, -a.y};
}
template <class S, class T>
TRAMMEL_INLINE Vec2<Product<S, T>> operator*(const S& s, const Vec2<T>& a) {
  return {s * a.x, s * a.y};
}
template <class T, class U>
TRAMMEL_INLINE Product<T, U> dot(const Vec2<T>& a, const Vec2<U>& b) {
  return a.x * b.x + a.y * b.y;
}
/// a turned by +90 degrees.
template <class T>
TRAMMEL_INLINE Vec2<T> perp(const Vec2<T>& a) {
  return {-a.y, a.x};
}

// --- Three entries -------------------------------------------------------------------------------------------------

template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> operator+(const Vec3<T>& a, const Vec3<U>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> operator-(const Vec3<T>& a, const Vec3<U>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TRAMMEL_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class S, class T>
TRAMMEL_INLINE Vec3<Product<S, T>> operator*(const S& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T, class U>
TRAMMEL_INLINE Product<T, U> dot(const Vec3<T>& a, const Vec3<U>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> cross(const Vec3<T>& a, const Vec3<U>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// --- Four entries --------------------------------------------------------------------------------------------------

template <class T, class U>
TRAMMEL_INLINE Vec4<Product<T, U>> operator+(const Vec4<T>& a, const Vec4<U>& b) {
  return {a.e0 + b.e0, a.e + b.e};
}
template <class T, class U>
TRAMMEL_INLINE Vec4<Product<T, U>> operator-(const Vec4<T>& a, const Vec4<U>& b) {
  return {a.e0 - b.e0, a.e - b.e};
}
template <class T>
TRAMMEL_INLINE Vec4<T> operator-(const Vec4<T>& a) {
  return {-a.e0, -a.e};
}
template <class S, class T>
TRAMMEL_INLINE Vec4<Product<S, T>> operator*(const S& s, const Vec4<T>& a) {
  return {s * a.e0, s * a.e};
}
template <class T, class U>
TRAMMEL_INLINE Product<T, U> dot(const Vec4<T>& a, const Vec4<U>& b) {
  return a.e0 * b.e0 + dot(a.e, b.e);
}

// --- Conversions and lengths ---------------------------------------------------------------------------------------

TRAMMEL_INLINE Vec2<> vec2(const double* d) { return {d[0], d[1]}; }
TRAMMEL_INLINE Vec3<> vec3(const double* d) { return {d[0], d[1], d[2]}; }
TRAMMEL_INLINE Vec4<> vec4(const double* d) { return {d[0], {d[1], d[2], d[3]}}; }

TRAMMEL_INLINE void store(const Vec2<>& a, double* d) { d[0] = a.x, d[1] = a.y; }
TRAMMEL_INLINE void store(const Vec3<>& a, double* d) { d[0] = a.x, d[1] = a.y, d[2] = a.z; }
TRAMMEL_INLINE void store(const Vec4<>& a, double* d) { d[0] = a.e0, d[1] = a.e.x, d[2] = a.e.y, d[3] = a.e.z; }

template <class V>
TRAMMEL_INLINE auto norm(const V& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// The coordinate axis that `perpendicular` crosses h with: x, or y where h is nearer than 49 degrees to x. The choice
/// changes far from the directions that people draw (along an axis, 45 degrees, 3-4-5), so that a small change of h
/// changes the vector little.
template <class T>
TRAMMEL_INLINE Vec3<> axis_across(const Vec3<T>& h) {
  return h.x * h.x < 0.43 * dot(h, h) ? Vec3<>{1, 0, 0} : Vec3<>{0, 1, 0};
}

/// A unit vector perpendicular to h (not zero). The cross product in it is never shorter than 0.65 |h|.
template <class T>
TRAMMEL_INLINE Vec3<T> perpendicular(const Vec3<T>& h) {
  const Vec3<T> f = cross(h, axis_across(h));
  return (1.0 / norm(f)) * f;
}

}  // namespace trammel::sdk
