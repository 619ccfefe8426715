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
// 871-887).
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "trammel/integrator.h"
#include "trammel/sdk/step_history.h"

namespace trammel::generalized_alpha {

using Map = Eigen::Map<Eigen::VectorXd>;

struct Scheme {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;
  double tolerance = 1e-8;

  /// da_1 / dx''_1
  double share() const { return (1 - alpha_f) / (1 - alpha_m); }
  /// (3), over h^2 (a_1 - a_0)
  double error_coefficient() const { return beta - 1 / (6 * share()); }
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

/// a_0 and x''_0, and whether the matrix at hand is that of this step size and still good.
class History : public sdk::StepHistory {
 public:
  enum Flag : Index { prepared_step = own, worn, flags };
  History(Index n, const Memory& memory) : StepHistory(flags, 2, n, memory) {}
  static Index size(Index n) { return StepHistory::size(flags, 2, n); }
  Map a(bool tried = false) const { return vector(0, tried); }
  Map rate(bool tried = false) const { return vector(1, tried); }
};

/// Positions, velocities and a_1 that belong to x''_1 = `u` by (1), (2); `a_1` is written too.
inline void advance(const Scheme& s, const StateView& state, double h, const Map& a_0, const Map& u_0, const Map& u,
                    Map& a_1, const StateView& next) {
  a_1 = ((1 - s.alpha_f) * u + s.alpha_f * u_0 - s.alpha_m * a_0) / (1 - s.alpha_m);  // (2)
  next.x.map() = state.x.map() + h * state.v.map() + h * h * ((0.5 - s.beta) * a_0 + s.beta * a_1);
  next.v.map() = state.v.map() + h * ((1 - s.gamma) * a_0 + s.gamma * a_1);  // (1)
}

/// Watches a simplified Newton iteration.
struct Convergence {
  double tolerance;
  double before = 0;
  bool slow = false, shrinking = false;
  std::int32_t worst = -1;
  double change = 0;

  /// Whether an iteration that moved positions x by `step` = c du was the last: accelerations u have to be right in
  /// relation to themselves, positions cannot be righter than rounding.
  bool done(const Map& step, ConstVectorView x, const Eigen::Ref<const Eigen::VectorXd>& u, double c) {
    Eigen::Index index = 0;
    change = step.size() > 0 ? step.cwiseAbs().maxCoeff(&index) : 0;
    worst = static_cast<std::int32_t>(index);
    const double rate = before > 0 ? change / before : 0;
    shrinking = rate > 0 && rate < 0.3;
    before = change;
    constexpr double rounding = 1e-15, noise = 1e-11;
    if (step.size() == 0) return true;
    const double size = 1 + x.map().lpNorm<Eigen::Infinity>();
    const double goal = std::max(tolerance * c * (1 + u.lpNorm<Eigen::Infinity>()), rounding * size);
    if (rate > 0.3 && change < noise * size) return true;  // the constraints' rounding, which iterations do not reduce
    slow = slow || (rate > 0.2 && change > goal);
    // What is left after this iteration, by its rate of convergence.
    return change <= goal || (rate > 0 && rate < 0.5 && change * rate / (1 - rate) <= goal);
  }

  /// After `done`: beside a singular position constraints that hold to rounding leave a direction free by more than that,
  /// and iterations go on moving along it.
  bool stagnant(double violation, ConstVectorView x) const {
    constexpr double rounding = 1e-12, free_play = 1e-8;
    const double size = 1 + x.map().lpNorm<Eigen::Infinity>();
    return before > 0 && !shrinking && violation < rounding * size && change < free_play * size;
  }
};

}  // namespace trammel::generalized_alpha
