// Integrals of smooth functions to rounding: Gauss' rule with 10 points, panels halved until nothing changes.
#pragma once

#include <cmath>

#include "trammel/status.h"

namespace trammel::sdk {

/// Integrals of f and of |f| over a panel.
struct PanelSums {
  double value = 0, magnitude = 0;
};

/// Gauss-Legendre, 10 points: Abramowitz and Stegun, table 25.4. `f(x, y)` writes y and returns Status.
template <class F>
Status gauss_rule(const F& f, double a, double b, PanelSums& sums) {
  constexpr double node[5] = {0.1488743389816312108848260, 0.4333953941292471907992659, 0.6794095682990244062343274,
                              0.8650633666889845107320967, 0.9739065285171717200779640};
  constexpr double weight[5] = {0.2955242247147528701738930, 0.2692667193099963550912269, 0.2190863625159820439955349,
                                0.1494513491505805931457763, 0.0666713443086881375935688};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  sums = {};
  for (int k = 0; k < 5; ++k) {
    for (const double side : {-half, half}) {
      double value = 0;
      const Status status = f(middle + side * node[k], value);
      if (!status) return status;
      sums.value += weight[k] * half * value;
      sums.magnitude += weight[k] * std::abs(half * value);
    }
  }
  return Status::success();
}

namespace detail {

/// Adds the integral over [a, b], whose rule gives `whole`. The depth bounds the work at kinks, where halving 40 times
/// leaves nothing that counts.
template <class F>
Status add_halves(const F& f, double a, double b, const PanelSums& whole, double magnitude, int depth, double& value) {
  const double middle = 0.5 * (a + b);
  PanelSums left, right;
  Status status = gauss_rule(f, a, middle, left);
  if (status) status = gauss_rule(f, middle, b, right);
  if (!status) return status;
  // Rounding of the rule's 10 terms is about 1e-15 of the integral of |f|.
  if (std::abs(left.value + right.value - whole.value) <= 2e-15 * magnitude || depth == 40) {
    value += left.value + right.value;
    return status;
  }
  status = add_halves(f, a, middle, left, magnitude, depth + 1, value);
  return status ? add_halves(f, middle, b, right, magnitude, depth + 1, value) : status;
}

}  // namespace detail

/// Integral of f from a to b (b < a: its negative from b to a). No allocation.
template <class F>
Status integrate(const F& f, double a, double b, double& value) {
  value = 0;
  if (a == b) return Status::success();
  PanelSums whole;
  const Status status = gauss_rule(f, a, b, whole);
  return status ? detail::add_halves(f, a, b, whole, whole.magnitude, 0, value) : status;
}

/// Integral of f from a to b over the part where `acts(x, flag)` says so. Its ends are found by bisection between 32
/// samples, since a rule does not see a kink between its last node and the end of a panel.
template <class Acts, class F>
Status integrate_where(const Acts& acts, const F& f, double a, double b, double& value) {
  constexpr int samples = 32;
  value = 0;
  bool before = false;
  Status status = acts(a, before);
  double begin = a, last = a;  // of the part where it acts, of the samples
  for (int k = 1; status && k <= samples; ++k) {
    const double x = k == samples ? b : a + (b - a) * k / samples;
    bool here = false;
    status = acts(x, here);
    double low = last, high = x;
    for (int n = 0; status && here != before && n < 60; ++n) {
      const double middle = 0.5 * (low + high);
      bool flag = false;
      status = acts(middle, flag);
      (flag == before ? low : high) = middle;
    }
    const bool ends = before && (!here || k == samples);
    double part = 0;
    if (status && ends) status = integrate(f, begin, here ? x : low, part);
    value += part;
    if (here && !before) begin = high;
    before = here, last = x;
  }
  return status;
}

}  // namespace trammel::sdk
