// Interval: a number of which two bounds are known, as a scalar for formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "trammel/math/two_pi.h"

// Moore, Kearfott, Cloud, Introduction to Interval Analysis (SIAM 2009), chapter 2: results of an operation on all
// numbers between the bounds. Bounds are not rounded outward: they serve a search, not a proof.
namespace trammel {

struct Interval {
  double low = 0, high = 0;

  Interval() = default;
  Interval(double value) : low(value), high(value) {}
  Interval(double l, double h) : low(l), high(h) {}
  static Interval everything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  bool holds(double x) const { return low <= x && x <= high; }

  /// Set by a comparison that holds for some numbers of the intervals only: what was computed behind it is void.
  static inline thread_local bool undecided = false;
};

/// NaN among the bounds (0 times infinity): nothing is known.
inline Interval known(double low, double high) { return low <= high ? Interval(low, high) : Interval::everything(); }

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) { return known(a.low + b.low, a.high + b.high); }
inline Interval operator-(const Interval& a, const Interval& b) { return known(a.low - b.high, a.high - b.low); }
inline Interval operator*(const Interval& a, const Interval& b) {
  const double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (&a == &b) {  // a square
    const double most = std::max(p[0], p[3]);
    return known(a.holds(0) ? 0 : std::min(p[0], p[3]), most);
  }
  for (const double x : p) {
    if (std::isnan(x)) return Interval::everything();
  }
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.holds(0)) return Interval::everything();
  return a * Interval(1 / b.high, 1 / b.low);
}
inline bool operator<(const Interval& a, const Interval& b) {
  if (a.high < b.low) return true;
  if (!(a.low >= b.high)) Interval::undecided = true;
  return false;
}
inline bool operator>(const Interval& a, const Interval& b) { return b < a; }
inline bool operator<=(const Interval& a, const Interval& b) { return !(b < a); }
inline bool operator>=(const Interval& a, const Interval& b) { return !(a < b); }
inline bool operator==(const Interval& a, const Interval& b) {
  if (a.low == a.high && b.low == b.high) return a.low == b.low;
  if (a.high >= b.low && b.high >= a.low) Interval::undecided = true;
  return false;
}
inline bool operator!=(const Interval& a, const Interval& b) { return !(a == b); }

inline Interval abs(const Interval& x) {
  return {x.holds(0) ? 0 : std::min(std::abs(x.low), std::abs(x.high)), std::max(std::abs(x.low), std::abs(x.high))};
}
inline Interval min(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
inline Interval max(const Interval& a, const Interval& b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

/// f rises over the interval; outside of its domain, where it is NaN, nothing is known.
template <class F>
Interval rising(const Interval& x, const F& f) {
  return known(f(x.low), f(x.high));
}

inline Interval exp(const Interval& x) {
  return rising(x, [](double a) { return std::exp(a); });
}
inline Interval log(const Interval& x) {
  return x.low > 0 ? rising(x, [](double a) { return std::log(a); }) : Interval::everything();
}
inline Interval sqrt(const Interval& x) {
  return rising(x, [](double a) { return std::sqrt(a); });
}
inline Interval atan(const Interval& x) {
  return rising(x, [](double a) { return std::atan(a); });
}
inline Interval asin(const Interval& x) {
  return rising(x, [](double a) { return std::asin(a); });
}
inline Interval acos(const Interval& x) {
  return -rising(x, [](double a) { return -std::acos(a); });
}
inline Interval sinh(const Interval& x) {
  return rising(x, [](double a) { return std::sinh(a); });
}
inline Interval tanh(const Interval& x) {
  return rising(x, [](double a) { return std::tanh(a); });
}
inline Interval cosh(const Interval& x) {
  const double a = std::cosh(x.low), b = std::cosh(x.high);
  return known(x.holds(0) ? 1 : std::min(a, b), std::max(a, b));
}

/// Maxima lie at 2 pi k, minima half a period behind.
inline Interval cos(const Interval& x) {
  constexpr double pi = std::numbers::pi;
  if (!(x.high - x.low < two_pi)) return {-1, 1};
  const double a = std::cos(x.low), b = std::cos(x.high);
  const bool peak = std::floor(x.high / two_pi) >= std::ceil(x.low / two_pi);
  const bool trough = std::floor((x.high - pi) / two_pi) >= std::ceil((x.low - pi) / two_pi);
  return known(trough ? -1 : std::min(a, b), peak ? 1 : std::max(a, b));
}
inline Interval sin(const Interval& x) {
  constexpr double quarter = 1.57079632679489661923;
  return cos(Interval(x.low - quarter, x.high - quarter));
}
inline Interval tan(const Interval& x) { return sin(x) / cos(x); }
inline Interval atan2(const Interval& y, const Interval& x) {
  return x.low > 0 ? atan(y / x) : Interval(-std::numbers::pi, std::numbers::pi);
}
inline Interval pow(const Interval& x, double exponent) {
  if (!(x.low >= 0)) return Interval::everything();
  const double a = std::pow(x.low, exponent), b = std::pow(x.high, exponent);
  return known(std::min(a, b), std::max(a, b));
}

/// Of a formula over intervals of its variables; everything where a comparison holds for some of the numbers only.
template <class T>
Interval range_of(const T& formula, const Interval* variables) {
  Interval::undecided = false;
  const Interval range = formula.evaluate(variables);
  return Interval::undecided ? Interval::everything() : range;
}

}  // namespace trammel
