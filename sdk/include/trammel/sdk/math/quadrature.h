// Integrals of smooth functions to rounding: Gauss' rule with 10 points, panels halved until nothing changes.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/status.h"

namespace trammel::sdk {

/// Integrals of f and of |f| over a panel.
struct PanelSums {
  double value = 0, magnitude = 0;
};

namespace detail {

/// Adds f(middle +- half * node[k]) * weight[k] * half for five pairs. `f(x, y)` writes y and returns Status.
template <class F>
Status symmetric_rule(const F& f, double a, double b, const double (&node)[5], const double (&weight)[5],
                      PanelSums& sums) {
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

}  // namespace detail

/// Gauss-Legendre, 10 points: Abramowitz and Stegun, table 25.4.
template <class F>
Status gauss_rule(const F& f, double a, double b, PanelSums& sums) {
  constexpr double node[5] = {0.1488743389816312108848260, 0.4333953941292471907992659, 0.6794095682990244062343274,
                              0.8650633666889845107320967, 0.9739065285171717200779640};
  constexpr double weight[5] = {0.2955242247147528701738930, 0.2692667193099963550912269, 0.2190863625159820439955349,
                                0.1494513491505805931457763, 0.0666713443086881375935688};
  return detail::symmetric_rule(f, a, b, node, weight, sums);
}

/// Lobatto's rule with 10 points, the ends among them: roots of P9', weights 2 / (90 P9^2), Abramowitz and Stegun
/// 25.4.32.
template <class F>
Status lobatto_rule(const F& f, double a, double b, PanelSums& sums) {
  constexpr double node[5] = {0.165278957666387024626219, 0.477924949810444495661175, 0.738773865105505075003106,
                              0.919533908166458813828932, 1};
  constexpr double weight[5] = {0.327539761183897456656510, 0.292042683679683757875582, 0.224889342063126452119457,
                                0.133305990851070111126227, 1 / 45.0};
  return detail::symmetric_rule(f, a, b, node, weight, sums);
}

namespace detail {

/// Panels that may still be halved: enough for some dozens of kinks, each of which takes `max_depth` of them.
struct PanelBudget {
  int left = 4000;
};

/// Adds the integral over [a, b], whose rule gives `whole`. Halving ends where it changes nothing beyond rounding, of
/// this panel or of the whole integral; at a kink the depth ends it, where what is left no longer counts.
template <class F>
Status add_halves(const F& f, double a, double b, const PanelSums& whole, double magnitude, int depth,
                  PanelBudget& budget, double& value) {
  constexpr int max_depth = 40;
  const double middle = 0.5 * (a + b);
  PanelSums left, right;
  Status status = gauss_rule(f, a, middle, left);
  if (status) status = gauss_rule(f, middle, b, right);
  if (!status) return status;
  // Rounding of the rule's 10 terms is about 1e-15 of the integral of |f|; the coarse rule may have missed most of it.
  const double scale = std::max(magnitude, left.magnitude + right.magnitude);
  const double sum = left.value + right.value;
  bool settled = depth == max_depth || --budget.left < 0;
  if (!settled && std::abs(sum - whole.value) <= 4e-15 * scale) {
    // Gauss' rule does not see what begins behind its last node: the ends are asked too.
    PanelSums with_ends;
    status = lobatto_rule(f, a, b, with_ends);
    if (!status) return status;
    settled = std::abs(sum - with_ends.value) <= 1e-14 * std::max(scale, with_ends.magnitude);
  }
  if (settled) {
    value += sum;
    return status;
  }
  status = add_halves(f, a, middle, left, scale, depth + 1, budget, value);
  return status ? add_halves(f, middle, b, right, scale, depth + 1, budget, value) : status;
}

}  // namespace detail

/// Integral of f from a to b (b < a: its negative from b to a). No allocation.
template <class F>
Status integrate(const F& f, double a, double b, double& value) {
  value = 0;
  if (a == b) return Status::success();
  PanelSums whole;
  const Status status = gauss_rule(f, a, b, whole);
  detail::PanelBudget budget;
  return status ? detail::add_halves(f, a, b, whole, whole.magnitude, 0, budget, value) : status;
}

/// Integral of f from a to b over the part where `acts(x, flag)` says so. Its ends are found by bisection between
/// `samples` places, since a rule does not see a kink between its last node and the end of a panel.
template <class Acts, class F>
Status integrate_where(const Acts& acts, const F& f, double a, double b, double& value, int samples = 32) {
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
    double part = 0;
    if (status && before && !here) status = integrate(f, begin, low, part);
    value += part;
    if (here && !before) begin = high;
    before = here, last = x;
  }
  double rest = 0;
  if (status && before) status = integrate(f, begin, b, rest);
  value += rest;
  return status;
}

}  // namespace trammel::sdk
