// Jet: a number with its first three derivatives by one argument, for functions made of other functions.
#pragma once

#include <cmath>

// Leibniz and Faa di Bruno to third order:
//
//   (f g)' = f' g + f g',  (f g)'' = f'' g + 2 f' g' + f g'',  (f g)''' = f''' g + 3 f'' g' + 3 f' g'' + f g'''     (1)
//   f(u)'  = f1 u',  f(u)'' = f1 u'' + f2 u'^2,  f(u)''' = f1 u''' + 3 f2 u' u'' + f3 u'^3                          (2)
namespace trammel::sdk {

/// d[k] is the k-th derivative by the argument; a Jet made from a double is a constant.
struct Jet {
  double d[4] = {0, 0, 0, 0};

  Jet() = default;
  Jet(double value) : d{value, 0, 0, 0} {}
  Jet(double value, double d1, double d2, double d3) : d{value, d1, d2, d3} {}

  /// The argument itself, at x.
  static Jet argument(double x) { return {x, 1, 0, 0}; }
};

inline Jet operator-(const Jet& a) { return {-a.d[0], -a.d[1], -a.d[2], -a.d[3]}; }
inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.d[0] + b.d[0], a.d[1] + b.d[1], a.d[2] + b.d[2], a.d[3] + b.d[3]};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.d[0] - b.d[0], a.d[1] - b.d[1], a.d[2] - b.d[2], a.d[3] - b.d[3]};
}
/// Equation (1).
inline Jet operator*(const Jet& f, const Jet& g) {
  const double *a = f.d, *b = g.d;
  return {a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2 * a[1] * b[1] + a[0] * b[2],
          a[3] * b[0] + 3 * (a[2] * b[1] + a[1] * b[2]) + a[0] * b[3]};
}

/// f(u) from f and its derivatives at u.d[0]: equation (2).
inline Jet compose(double f, double f1, double f2, double f3, const Jet& u) {
  const double* a = u.d;
  return {f, f1 * a[1], f1 * a[2] + f2 * a[1] * a[1], f1 * a[3] + 3 * f2 * a[1] * a[2] + f3 * a[1] * a[1] * a[1]};
}

inline Jet operator/(const Jet& a, const Jet& b) {
  const double i = 1 / b.d[0], i2 = i * i;
  return a * compose(i, -i2, 2 * i * i2, -6 * i2 * i2, b);
}

/// Comparisons go by value: a branch is differentiated on the side it takes.
inline bool operator<(const Jet& a, const Jet& b) { return a.d[0] < b.d[0]; }

inline Jet sin(const Jet& u) {
  const double s = std::sin(u.d[0]), c = std::cos(u.d[0]);
  return compose(s, c, -s, -c, u);
}
inline Jet cos(const Jet& u) {
  const double s = std::sin(u.d[0]), c = std::cos(u.d[0]);
  return compose(c, -s, -c, s, u);
}
inline Jet tan(const Jet& u) {
  const double t = std::tan(u.d[0]), t1 = 1 + t * t;
  return compose(t, t1, 2 * t * t1, 2 * t1 * (1 + 3 * t * t), u);
}
inline Jet asin(const Jet& u) {
  const double x = u.d[0], f1 = 1 / std::sqrt((1 - x) * (1 + x)), f2 = x * f1 * f1 * f1;
  return compose(std::asin(x), f1, f2, f1 * f1 * f1 + 3 * x * f1 * f1 * f2, u);
}
inline Jet acos(const Jet& u) {
  const Jet a = asin(u);
  return {std::acos(u.d[0]), -a.d[1], -a.d[2], -a.d[3]};
}
inline Jet atan(const Jet& u) {
  const double x = u.d[0], f1 = 1 / (1 + x * x);
  return compose(std::atan(x), f1, -2 * x * f1 * f1, (6 * x * x - 2) * f1 * f1 * f1, u);
}
/// The angle of (x, y): its derivative is (x y' - y x') / (x^2 + y^2) on every branch.
inline Jet atan2(const Jet& y, const Jet& x) {
  // Derivatives of the quotient need one order less than the jets hold.
  const Jet x1{x.d[1], x.d[2], x.d[3], 0}, y1{y.d[1], y.d[2], y.d[3], 0};
  const Jet rate = (x * y1 - y * x1) / (x * x + y * y);
  return {std::atan2(y.d[0], x.d[0]), rate.d[0], rate.d[1], rate.d[2]};
}
inline Jet sqrt(const Jet& u) {
  const double r = std::sqrt(u.d[0]), f1 = 0.5 / r, f2 = -0.5 * f1 / u.d[0];
  return compose(r, f1, f2, -1.5 * f2 / u.d[0], u);
}
inline Jet exp(const Jet& u) {
  const double e = std::exp(u.d[0]);
  return compose(e, e, e, e, u);
}
inline Jet log(const Jet& u) {
  const double i = 1 / u.d[0];
  return compose(std::log(u.d[0]), i, -i * i, 2 * i * i * i, u);
}
/// Constant exponent.
inline Jet pow(const Jet& u, double p) {
  const double x = u.d[0];
  return compose(std::pow(x, p), p * std::pow(x, p - 1), p * (p - 1) * std::pow(x, p - 2),
                 p * (p - 1) * (p - 2) * std::pow(x, p - 3), u);
}
inline Jet sinh(const Jet& u) {
  const double s = std::sinh(u.d[0]), c = std::cosh(u.d[0]);
  return compose(s, c, s, c, u);
}
inline Jet cosh(const Jet& u) {
  const double s = std::sinh(u.d[0]), c = std::cosh(u.d[0]);
  return compose(c, s, c, s, u);
}
inline Jet tanh(const Jet& u) {
  const double t = std::tanh(u.d[0]), f1 = 1 - t * t;
  return compose(t, f1, -2 * t * f1, f1 * (6 * t * t - 2), u);
}

}  // namespace trammel::sdk
