// Taylor: a number with its first N derivatives by one argument, as a scalar for formulas and signals.
#pragma once

#include <array>
#include <cmath>

// Coefficients c_k = f^(k)/k!, products by Cauchy's rule, f(u) from the derivatives f_k of f at u_0 by Horner's rule in
// d = u - u_0, of which every power above the N-th vanishes:
//   f(u) = f_0 + d (f_1 + d/2 (f_2 + d/3 f_3))                                                                      (1)
// A. Griewank, A. Walther, Evaluating Derivatives (SIAM 2008), chapter 13.
namespace trammel {

template <int N>
struct Taylor {
  std::array<double, N + 1> c{};

  Taylor() = default;
  Taylor(double value) { c[0] = value; }
  Taylor(double value, double slope) { c[0] = value, c[1] = slope; }

  double value() const { return c[0]; }
  double slope() const { return c[1]; }
};

template <int N>
Taylor<N> operator-(Taylor<N> a) {
  for (double& x : a.c) x = -x;
  return a;
}
template <int N>
Taylor<N> operator+(Taylor<N> a, const Taylor<N>& b) {
  for (std::size_t k = 0; k <= N; ++k) a.c[k] += b.c[k];
  return a;
}
template <int N>
Taylor<N> operator-(Taylor<N> a, const Taylor<N>& b) {
  for (std::size_t k = 0; k <= N; ++k) a.c[k] -= b.c[k];
  return a;
}
template <int N>
Taylor<N> operator*(const Taylor<N>& a, const Taylor<N>& b) {
  Taylor<N> out;
  for (std::size_t k = 0; k <= N; ++k) {
    for (std::size_t i = 0; i <= k; ++i) out.c[k] += a.c[i] * b.c[k - i];
  }
  return out;
}
/// Comparisons go by value: a branch is differentiated on the side it takes.
template <int N>
bool operator<(const Taylor<N>& a, const Taylor<N>& b) {
  return a.c[0] < b.c[0];
}

/// Equation (1); f[k] is the k-th derivative. What is not finite stays with the orders that depend on it.
template <int N>
Taylor<N> compose(const std::array<double, 4>& f, const Taylor<N>& u) {
  static_assert(N <= 3);
  Taylor<N> out(f[N]);
  for (std::size_t k = N; k-- > 0;) {
    Taylor<N> next(f[k]);
    for (std::size_t order = 1; order <= N; ++order) {
      for (std::size_t i = 1; i <= order; ++i) {
        if (u.c[i] != 0) next.c[order] += u.c[i] * out.c[order - i] / static_cast<double>(k + 1);
      }
    }
    out = next;
  }
  return out;
}

template <int N>
Taylor<N> operator/(const Taylor<N>& a, const Taylor<N>& b) {
  const double i = 1 / b.c[0], i2 = i * i;
  return a * compose<N>({i, -i2, 2 * i * i2, -6 * i2 * i2}, b);
}
template <int N>
Taylor<N> sin(const Taylor<N>& u) {
  const double s = std::sin(u.c[0]), c = std::cos(u.c[0]);
  return compose<N>({s, c, -s, -c}, u);
}
template <int N>
Taylor<N> cos(const Taylor<N>& u) {
  const double s = std::sin(u.c[0]), c = std::cos(u.c[0]);
  return compose<N>({c, -s, -c, s}, u);
}
template <int N>
Taylor<N> tan(const Taylor<N>& u) {
  const double t = std::tan(u.c[0]), t1 = 1 + t * t;
  return compose<N>({t, t1, 2 * t * t1, 2 * t1 * (1 + 3 * t * t)}, u);
}
template <int N>
Taylor<N> asin(const Taylor<N>& u) {
  const double x = u.c[0], f1 = 1 / std::sqrt((1 - x) * (1 + x)), f2 = x * f1 * f1 * f1;
  return compose<N>({std::asin(x), f1, f2, f1 * f1 * f1 + 3 * x * f1 * f1 * f2}, u);
}
template <int N>
Taylor<N> acos(const Taylor<N>& u) {
  Taylor<N> out = -asin(u);
  out.c[0] = std::acos(u.c[0]);
  return out;
}
template <int N>
Taylor<N> atan(const Taylor<N>& u) {
  const double x = u.c[0], f1 = 1 / (1 + x * x);
  return compose<N>({std::atan(x), f1, -2 * x * f1 * f1, (6 * x * x - 2) * f1 * f1 * f1}, u);
}
/// The slope of the angle of (x, y) is (x y' - y x') / (x^2 + y^2) on every branch.
template <int N>
Taylor<N> atan2(const Taylor<N>& y, const Taylor<N>& x) {
  Taylor<N> x1, y1;  // one order less
  for (std::size_t k = 0; k < N; ++k) {
    const auto factor = static_cast<double>(k + 1);
    x1.c[k] = factor * x.c[k + 1], y1.c[k] = factor * y.c[k + 1];
  }
  const Taylor<N> slope = (x * y1 - y * x1) / (x * x + y * y);
  Taylor<N> out(std::atan2(y.c[0], x.c[0]));
  for (std::size_t k = 0; k < N; ++k) out.c[k + 1] = slope.c[k] / static_cast<double>(k + 1);
  return out;
}
template <int N>
Taylor<N> exp(const Taylor<N>& u) {
  const double e = std::exp(u.c[0]);
  return compose<N>({e, e, e, e}, u);
}
template <int N>
Taylor<N> log(const Taylor<N>& u) {
  const double i = 1 / u.c[0];
  return compose<N>({std::log(u.c[0]), i, -i * i, 2 * i * i * i}, u);
}
template <int N>
Taylor<N> pow(const Taylor<N>& u, double n) {
  const double x = u.c[0];
  return compose<N>({std::pow(x, n), n * std::pow(x, n - 1), n * (n - 1) * std::pow(x, n - 2),
                     n * (n - 1) * (n - 2) * std::pow(x, n - 3)},
                    u);
}
template <int N>
Taylor<N> sqrt(const Taylor<N>& u) {
  return pow(u, 0.5);
}
template <int N>
Taylor<N> sinh(const Taylor<N>& u) {
  const double s = std::sinh(u.c[0]), c = std::cosh(u.c[0]);
  return compose<N>({s, c, s, c}, u);
}
template <int N>
Taylor<N> cosh(const Taylor<N>& u) {
  const double s = std::sinh(u.c[0]), c = std::cosh(u.c[0]);
  return compose<N>({c, s, c, s}, u);
}
template <int N>
Taylor<N> tanh(const Taylor<N>& u) {
  const double t = std::tanh(u.c[0]), f1 = 1 - t * t;
  return compose<N>({t, f1, -2 * t * f1, -2 * f1 * (1 - 3 * t * t)}, u);
}

}  // namespace trammel
