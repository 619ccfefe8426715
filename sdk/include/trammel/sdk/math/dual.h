// Dual numbers: forward automatic differentiation, nested for higher derivatives, without allocation.
#pragma once

#include <cmath>

namespace trammel::sdk {

/// value + sum of d[k] eps_k, eps_j eps_k = 0. T is double or again a Dual: Dual<Dual<double, 1>, N> holds the
/// derivative along one direction and the N partial derivatives of both.
template <class T, int N>
struct Dual {
  T v{};
  T d[N]{};

  Dual() = default;
  Dual(double value) : v(value) {}
};

/// The innermost value.
inline double base_value(double x) { return x; }
template <class T, int N>
double base_value(const Dual<T, N>& x) {
  return base_value(x.v);
}

/// f(x) with f' given, the chain rule.
template <class T, int N>
Dual<T, N> chain(const Dual<T, N>& x, const T& f, const T& f1) {
  Dual<T, N> r;
  r.v = f;
  for (int k = 0; k < N; ++k) r.d[k] = f1 * x.d[k];
  return r;
}

template <class T, int N>
Dual<T, N> operator-(const Dual<T, N>& a) {
  Dual<T, N> r;
  r.v = -a.v;
  for (int k = 0; k < N; ++k) r.d[k] = -a.d[k];
  return r;
}
template <class T, int N>
Dual<T, N> operator+(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r;
  r.v = a.v + b.v;
  for (int k = 0; k < N; ++k) r.d[k] = a.d[k] + b.d[k];
  return r;
}
template <class T, int N>
Dual<T, N> operator-(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r;
  r.v = a.v - b.v;
  for (int k = 0; k < N; ++k) r.d[k] = a.d[k] - b.d[k];
  return r;
}
template <class T, int N>
Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r;
  r.v = a.v * b.v;
  for (int k = 0; k < N; ++k) r.d[k] = a.d[k] * b.v + a.v * b.d[k];
  return r;
}
template <class T, int N>
Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r;
  const T inverse = 1.0 / b.v;
  r.v = a.v * inverse;
  for (int k = 0; k < N; ++k) r.d[k] = (a.d[k] - r.v * b.d[k]) * inverse;
  return r;
}

// Mixed with double.
template <class T, int N>
Dual<T, N> operator+(Dual<T, N> a, double b) {
  a.v = a.v + b;
  return a;
}
template <class T, int N>
Dual<T, N> operator+(double b, Dual<T, N> a) {
  a.v = a.v + b;
  return a;
}
template <class T, int N>
Dual<T, N> operator-(Dual<T, N> a, double b) {
  a.v = a.v - b;
  return a;
}
template <class T, int N>
Dual<T, N> operator-(double b, const Dual<T, N>& a) {
  return -a + b;
}
template <class T, int N>
Dual<T, N> operator*(double b, Dual<T, N> a) {
  a.v = b * a.v;
  for (int k = 0; k < N; ++k) a.d[k] = b * a.d[k];
  return a;
}
template <class T, int N>
Dual<T, N> operator*(const Dual<T, N>& a, double b) {
  return b * a;
}
template <class T, int N>
Dual<T, N> operator/(const Dual<T, N>& a, double b) {
  return (1.0 / b) * a;
}
template <class T, int N>
Dual<T, N> operator/(double b, const Dual<T, N>& a) {
  return Dual<T, N>(b) / a;
}
template <class T, int N, class U>
Dual<T, N>& operator+=(Dual<T, N>& a, const U& b) {
  return a = a + b;
}
template <class T, int N, class U>
Dual<T, N>& operator-=(Dual<T, N>& a, const U& b) {
  return a = a - b;
}
template <class T, int N, class U>
Dual<T, N>& operator*=(Dual<T, N>& a, const U& b) {
  return a = a * b;
}

// Comparisons go by value: a branch is differentiated on the side it takes.
template <class T, int N>
bool operator<(const Dual<T, N>& a, double b) {
  return base_value(a) < b;
}
template <class T, int N>
bool operator>(const Dual<T, N>& a, double b) {
  return base_value(a) > b;
}
template <class T, int N>
bool operator<(const Dual<T, N>& a, const Dual<T, N>& b) {
  return base_value(a) < base_value(b);
}

template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T root = sqrt(x.v);
  return chain(x, root, T(0.5 / root));
}
template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& x) {
  using std::exp;
  const T e = exp(x.v);
  return chain(x, e, e);
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& x) {
  using std::log;
  return chain(x, T(log(x.v)), T(1.0 / x.v));
}
template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& x) {
  using std::cos;
  using std::sin;
  return chain(x, T(sin(x.v)), T(cos(x.v)));
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& x) {
  using std::cos;
  using std::sin;
  return chain(x, T(cos(x.v)), T(-sin(x.v)));
}
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  using std::atan2;
  Dual<T, N> r;
  const T scale = 1.0 / (x.v * x.v + y.v * y.v);
  r.v = atan2(y.v, x.v);
  for (int k = 0; k < N; ++k) r.d[k] = (x.v * y.d[k] - y.v * x.d[k]) * scale;
  return r;
}
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& x, double power) {
  using std::pow;
  return chain(x, T(pow(x.v, power)), T(power * pow(x.v, power - 1)));
}
template <class T, int N>
Dual<T, N> abs(const Dual<T, N>& x) {
  return x < 0 ? -x : x;
}
template <class T, int N>
Dual<T, N> tan(const Dual<T, N>& x) {
  using std::tan;
  const T t = tan(x.v);
  return chain(x, t, T(1.0 + t * t));
}
template <class T, int N>
Dual<T, N> asin(const Dual<T, N>& x) {
  using std::asin;
  using std::sqrt;
  return chain(x, T(asin(x.v)), T(1.0 / sqrt(1.0 - x.v * x.v)));
}
template <class T, int N>
Dual<T, N> acos(const Dual<T, N>& x) {
  using std::acos;
  using std::sqrt;
  return chain(x, T(acos(x.v)), T(-1.0 / sqrt(1.0 - x.v * x.v)));
}
template <class T, int N>
Dual<T, N> atan(const Dual<T, N>& x) {
  using std::atan;
  return chain(x, T(atan(x.v)), T(1.0 / (1.0 + x.v * x.v)));
}
template <class T, int N>
Dual<T, N> sinh(const Dual<T, N>& x) {
  using std::cosh;
  using std::sinh;
  return chain(x, T(sinh(x.v)), T(cosh(x.v)));
}
template <class T, int N>
Dual<T, N> cosh(const Dual<T, N>& x) {
  using std::cosh;
  using std::sinh;
  return chain(x, T(cosh(x.v)), T(sinh(x.v)));
}
template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& x) {
  using std::tanh;
  const T t = tanh(x.v);
  return chain(x, t, T(1.0 - t * t));
}

/// f(x) from f and its derivatives at base_value(x): f[0], f[1], ... as deep as x is nested.
inline double lift(const double* f, double) { return f[0]; }
template <class T, int N>
Dual<T, N> lift(const double* f, const Dual<T, N>& x) {
  return chain(x, lift(f, x.v), lift(f + 1, x.v));
}

}  // namespace trammel::sdk
