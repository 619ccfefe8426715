// Wilson's theta method on M^ x'' = Q^(t, x, x'): accelerations linear over theta h, equations satisfied at its end.
//
//   x_t = x + T x' + T^2/6 (a_t + 2 a_0),   x'_t = x' + T/2 (a_t + a_0),   a_t = g(t + T, x_t, x'_t),  T = theta h  (1)
//   a_1 = a_0 + (a_t - a_0) / theta, and (1) with h and a_1 for x_1, x'_1                                         (2)
// Wilson, Farhoomand, Bathe, Earthquake Eng. Struct. Dyn. 1 (1973) 241-252.
#pragma once

#include "forms.h"

namespace trammel::generalized_alpha {

class Wilson {
 public:
  struct Work {
    Work(Layout& at, Index n)
        : a_t(at.vector(n)), r(at.vector(n)), change(at.vector(n)), x(at.vector(n)), v(at.vector(n)) {}
    Map a_t, r, change, x, v;
  };

  Wilson(double theta, double tolerance, SecondOrderSystem& system, const History& history, const Work& work)
      : theta_(theta),
        tolerance_(tolerance),
        system_(system),
        n_(static_cast<Index>(work.x.size())),
        history_(history),
        a_t_(work.a_t),
        r_(work.r),
        change_(work.change),
        x_(work.x),
        v_(work.v) {}

  Status attempt(const ConstStateView& state, double h, const StateView& next, StepResult& result) {
    Map a_0 = history_.a(), a_1 = history_.a(true);
    Status status;
    if (history_.flag.started == 0) status = system_.acceleration(state.t, state.x, state.v, {a_0.data(), n_});
    history_.flag.started = status.ok();
    if (!status) return status;
    history_.shift(h);
    const double T = theta_ * h, c_0 = T * T / 6, c_1 = T / 2;
    a_t_ = a_0;
    Convergence convergence(tolerance_);
    double moved = 0;
    for (int i = 0; i < most_iterations; ++i) {
      x_ = state.x.map() + T * state.v.map() + c_0 * (a_t_ + 2 * a_0);
      v_ = state.v.map() + c_1 * (a_t_ + a_0);
      if (i == 0 || (convergence.slow() && i == patience)) {
        status = system_.linearize(state.t + T, {x_.data(), n_}, {v_.data(), n_});
        if (status) status = system_.prepare(c_0, c_1);
      }
      ++result.newton_iterations;
      if (status) status = system_.acceleration(state.t + T, {x_.data(), n_}, {v_.data(), n_}, {r_.data(), n_});
      r_ -= a_t_;
      if (status) status = system_.apply_mass({r_.data(), n_}, {change_.data(), n_});
      r_ = change_;
      if (status) status = system_.solve({r_.data(), n_}, {change_.data(), n_});
      if (!status) return status;
      a_t_ += change_;
      const double before = moved;
      moved = c_0 * largest(change_);
      if (!convergence.done(change_, a_t_, a_0) && !Convergence::stagnant(moved, before, {x_.data(), n_})) continue;
      a_1 = a_0 + (a_t_ - a_0) / theta_;
      next.x.map() = state.x.map() + h * state.v.map() + h * h / 6 * (a_1 + 2 * a_0);
      next.v.map() = state.v.map() + h / 2 * (a_1 + a_0);
      return status;
    }
    return convergence.failure(moved);
  }

 private:
  double theta_, tolerance_;
  SecondOrderSystem& system_;
  Index n_;
  History history_;
  Map a_t_, r_, change_, x_, v_;
};

}  // namespace trammel::generalized_alpha
