// Newmark's formulas with weighted accelerations: what Newmark, HHT and generalized-alpha have in common.
//
//   x_1 = x + h x' + h^2 [(1/2 - beta) a_0 + beta a_1],   x'_1 = x' + h [(1 - gamma) a_0 + gamma a_1]             (1)
//   (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) x''_1 + alpha_f x''_0                                         (2)
// a is the method's own acceleration, x'' that of the equations of motion at the end of the step (Arnold, Bruls,
// Convergence of the generalized-alpha scheme for constrained mechanical systems, Multibody Syst. Dyn. 18 (2007)
// 185-202, Eqs. 5, 6). With alpha_m = alpha_f = 0 it is Newmark's method, with alpha_m = 0 HHT with alpha = -alpha_f.
// Order 2 needs gamma = 1/2 + alpha_f - alpha_m; beta = (gamma + 1/2)^2 / 4 damps high frequencies most. Local error of
// the positions: where a_0 was x''_0, h times the third derivative is (a_1 - a_0) / share with share = (1 - alpha_f) /
// (1 - alpha_m), and
//   e = h^2 [beta - 1 / (6 share)] (a_1 - a_0)                                                                      (3)
// which for HHT is the published control of HHT-I3, share = 1 + alpha (Negrut, Rampalli, Ottarsson, Sajdak, J. Comput.
// Nonlinear Dyn. 2 (2007) 73-85), and for Newmark that of Zienkiewicz and Xie (Earthquake Eng. Struct. Dyn. 20 (1991)
// 871-887). Of the velocities, with delta = alpha_f - alpha_m: Taylor's formula in (2) gives
//   a_1 = x''(t_1) - delta h x''' + delta (1/2 - alpha_m) h^2 x'''' + ...,
// and the second of (1) less the integral of x'' leaves
//   e_v = (gamma - 1/2 - delta) h^2 x''' + C h^3 x'''',   C = 1/12 + delta/2 - alpha_f delta                      (4)
// where for order 2 gamma - 1/2 = delta; x'''' is twice the second divided difference of a. C is 1/12 for Newmark with
// gamma = 1/2, the trapezoidal rule. In the first step, where a_0 is x''_0 instead of x''(t_0 - delta h), the error is
// of order h^2, and C h (a_1 - a_0) stands for it.
//
// HHT-I3 as published weighs forces (Negrut et al. (2007), Eq. 11, times 1 + alpha): with F = Q - Phi_q^T lambda,
//   M_1 a_1 = (1 - alpha_f) F_1 + alpha_f F_0                                                                       (5)
// With a_1 still written by (2), in which x''_1 is then no more than an unknown u, it becomes
//   F_1 = M_1 (u + w u_0) - w F_0,   w = alpha_f / (1 - alpha_f),
// which is M_1 u where M does not change from step to step. Where it does, a_0 and a_1 no longer lie on one smooth
// function of time, and positions have order 1.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "trammel/integrator.h"
#include "trammel/sdk/methods/step_history.h"

namespace trammel::generalized_alpha {

using Layout = sdk::StateLayout;
using Map = Layout::Map;

struct Scheme {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;
  double tolerance = 1e-8;
  bool weighs_forces = false;  ///< (5) in the place of (2)

  /// da_1 / dx''_1
  double share() const { return (1 - alpha_f) / (1 - alpha_m); }
  /// Of u_0 and F_0 in (5).
  double force_weight() const { return alpha_f / (1 - alpha_f); }
  /// (3), over h^2 (a_1 - a_0)
  double error_coefficient() const { return beta - 1 / (6 * share()); }
  /// (4), over h^3 x''''
  double velocity_coefficient() const { return 1.0 / 12 + (alpha_f - alpha_m) * (0.5 - alpha_f); }
  /// (4), over h (a_1 - a_0); 0 for order 2.
  double first_order_coefficient() const { return order() == 2 ? 0 : gamma - 0.5 - alpha_f + alpha_m; }
  int order() const { return std::abs(gamma - 0.5 - alpha_f + alpha_m) < 1e-12 ? 2 : 1; }

  /// Chung, Hulbert, J. Appl. Mech. 60 (1993) 371-375: spectral radius rho at infinite frequency, 0 to 1.
  static Scheme chung_hulbert(double rho) {
    Scheme s;
    s.alpha_m = (2 * rho - 1) / (rho + 1);
    s.alpha_f = rho / (rho + 1);
    s.optimal();
    return s;
  }
  /// Hilber, Hughes, Taylor, Earthquake Eng. Struct. Dyn. 5 (1977) 283-292: alpha from -1/3 to 0.
  static Scheme hht(double alpha) {
    Scheme s;
    s.alpha_f = -alpha;
    s.optimal();
    return s;
  }

 private:
  void optimal() {
    gamma = 0.5 + alpha_f - alpha_m;
    beta = (gamma + 0.5) * (gamma + 0.5) / 4;
  }
};

struct Flags : sdk::StepFlags {
  explicit Flags(Layout& at)
      : StepFlags(at),
        prepared_step(at.number()),
        worn(at.number()),
        row_noise(at.number()),
        step_before(at.number()),
        tried_step(at.number()),
        fastest(at.number()) {}
  void forget() const {
    StepFlags::forget();
    step_before = 0;
  }
  double &prepared_step, &worn;  ///< step of the matrix at hand, and whether it is no longer good
  double& row_noise;             ///< what iterations leave of the constraints
  double &step_before, &tried_step;
  double& fastest;
};

/// a_0, x''_0 and the a before a_0; where forces are weighed, F_0.
struct History {
  History(Layout& at, Index n, bool forces = false) : flag(at), vectors(at, forces ? 4 : 3, n) {}
  Map a(bool tried = false) const { return vectors.vector(0, tried); }
  Map rate(bool tried = false) const { return vectors.vector(1, tried); }
  Map before(bool tried = false) const { return vectors.vector(2, tried); }
  Map force(bool tried = false) const { return vectors.vector(3, tried); }
  /// [hot] At the beginning of an attempt with step `h`.
  void shift(double h) const {
    if (flag.promote != 0) flag.step_before = flag.tried_step;
    flag.tried_step = h;
    vectors.shift(flag);
    before(true) = a();
  }

  Flags flag;
  sdk::StepVectors vectors;
};

/// Positions, velocities and a_1 that belong to x''_1 = `u` by (1), (2); `a_1` is written too.
inline void advance(const Scheme& s, const ConstStateView& state, double h, const Map& a_0, const Map& u_0,
                    const Map& u, Map& a_1, const StateView& next) {
  a_1 = ((1 - s.alpha_f) * u + s.alpha_f * u_0 - s.alpha_m * a_0) / (1 - s.alpha_m);  // (2)
  next.x.map() = state.x.map() + h * state.v.map() + h * h * ((0.5 - s.beta) * a_0 + s.beta * a_1);
  next.v.map() = state.v.map() + h * ((1 - s.gamma) * a_0 + s.gamma * a_1);  // (1)
}

/// Watches a simplified Newton iteration in the accelerations u. Changes are taken relative to each component, those of
/// nothing but rounding relative to the largest, so that no unit of length or time counts.
class Convergence {
 public:
  explicit Convergence(double tolerance) : tolerance_(tolerance) {}

  /// Whether the iteration that changed the accelerations, u_0 at the step's start, by `du` to `u` was the last, by the
  /// size of the change and by the rate of convergence.
  template <class Vector>
  bool done(const Vector& du, const Vector& u, const Vector& u_0) {
    before_ = change_;
    change_ = 0;
    const double largest = u.size() > 0 ? u.template lpNorm<Eigen::Infinity>() : 0;
    for (Eigen::Index i = 0; i < du.size(); ++i) {
      if (du[i] == 0) continue;
      const double part = std::abs(du[i]) / (std::max(std::abs(u[i]), std::abs(u_0[i])) + least_share * largest);
      if (!(part <= change_)) change_ = part, worst_ = static_cast<std::int32_t>(i);
    }
    const double rate = this->rate();
    slow_ = slow_ || (rate > 0.2 && change_ > tolerance_);
    // What is left after this iteration, by its rate of convergence.
    return change_ <= tolerance_ || (rate > 0 && rate < 0.5 && change_ * rate / (1 - rate) <= tolerance_);
  }

  /// Iterations no longer reduce what they move positions x by (`step`, before: `last`), which is as small as their
  /// rounding may leave it: nothing more is to be had from a matrix that is right.
  static bool stagnant(double step, double last, ConstVectorView x) {
    constexpr double noise = 1e-11;
    return last > 0 && step > 0.3 * last && step < noise * size(x);
  }
  /// Also, beside a singular position: constraints that hold to rounding leave a direction free by more than that, and
  /// iterations go on moving along it.
  static bool free_play(double step, double last, double violation, ConstVectorView x) {
    constexpr double rounding = 1e-12, play = 1e-8;
    return last > 0 && step >= 0.3 * last && violation < rounding * size(x) && step < play * size(x);
  }

  bool slow() const { return slow_; }
  /// Of positions, whose rounding is a part of it; the origin itself has none.
  static double size(ConstVectorView x) { return 1e-6 + (x.size > 0 ? x.map().lpNorm<Eigen::Infinity>() : 0); }
  /// `step`: the last change of positions.
  Status failure(double step) const { return Status::failure(StatusCode::not_converged, "positions", worst_, step); }

 private:
  static constexpr double least_share = 1e-4;
  double rate() const { return before_ > 0 ? change_ / before_ : 0; }

  double tolerance_;
  double change_ = 0, before_ = 0;
  bool slow_ = false;
  std::int32_t worst_ = -1;
};

}  // namespace trammel::generalized_alpha
