// The family on M^ x'' = Q^(t, x, x'): explicit where x'' does not depend on x', iterated where it does.
//
// With (1) of family.h for k = 1, 2: x'' = b_2 + beta_2 s, x' = b_1 + beta_1 s, hence
//   x' = b_1 + kappa (x'' - b_2),  kappa = beta_1 / beta_2                                                        (3)
// and x'' = g(t, x, x') is solved by fixed-point iteration on (3) or, linearized (section 6 of the paper, Eq. 75),
//   (M^ - kappa M^ J2) dx'' = M^ (g - x'')                                                                        (4)
// with J2 of the first iterate. Analytic jerk (Eq. 44, degree 4): s = dg/dt in place of (1) for k = 2.
#pragma once

#include "history.h"

namespace trammel::conditionally_explicit {

class SecondOrderForm {
 public:
  static constexpr Index scratch_vectors = 6;

  SecondOrderForm(const Options& o, const Problem& problem, const StateView& state, const Memory& memory)
      : o_(o),
        f_(o.family),
        system_(*problem.second_order),
        n_(state.x.size),
        history_(o.family, n_, memory),
        b_1_(memory.scratch, n_),
        b_2_(memory.scratch + n_, n_),
        a_(memory.scratch + 2 * n_, n_),
        r_(memory.scratch + 3 * n_, n_),
        work_(memory.scratch + 4 * n_, n_),
        scratch_(memory.scratch) {}

  StepResult attempt(const StateView& state, double h, const StateView& next) {
    StepResult result;
    result.h = h;
    result.order = f_.order();
    if (history_.flag[History::started] == 0) result.status = begin(state, h);
    if (!result.status) return result;
    history_.shift();
    const int N = f_.degree();
    Map x = next.x.map();
    x = state.x.map() + h * state.v.map();
    for (int i = 2; i < N - 1; ++i) x += Family::term(h, i) * history_.d(i);
    x += Family::term(h, N - 1) * ((1 - f_.weight(0)) * history_.other() + f_.weight(0) * history_.s());  // (2)
    known_part(1, h, state.v.map(), b_1_);
    b_2_.setZero();
    if (N > 3) known_part(2, h, history_.d(2), b_2_);
    next.v.map() = b_1_ + f_.gain(1, h) * history_.s();
    result.status = o_.analytic_jerk ? solve_with_jerk(next, h, result) : solve(next, h, result);
    if (!result.status) return result;
    finish(h);
    return result;
  }

 private:
  /// (1) without the term of s_{n+1}; `lowest` is d_k.
  template <class Vector>
  void known_part(int k, double h, const Vector& lowest, Map& out) const {
    const int N = f_.degree();
    out = lowest;
    for (int i = 1; i < N - 1 - k; ++i) out += Family::term(h, i) * history_.d(k + i);
    out += f_.past_gain(k, h) * history_.s();
  }

  Status begin(const StateView& state, double h) {
    double* const flag = history_.flag;
    Map a = history_.d(2);
    Status status = system_.acceleration(state.t, state.x, state.v, {a.data(), n_});
    const auto jerk = [&](double t, ConstVectorView x, ConstVectorView v, VectorView out) {
      return exact_jerk(t, x, v, out);
    };
    if (status) status = start_derivatives(o_, history_, state, h, jerk, scratch_ + 2 * n_);
    history_.other() = history_.s();
    flag[History::velocity_dependent] = 1;
    if (status && o_.iteration == Iteration::automatic) status = look_for_velocities(state);
    flag[History::started] = status.ok();
    flag[History::promote] = 0;
    return status;
  }

  /// Whether accelerations change with velocities, at two other velocities.
  Status look_for_velocities(const StateView& state) {
    double* const flag = history_.flag;
    flag[History::velocity_dependent] = 0;
    for (const double sign : {1.0, -0.6}) {
      for (Index i = 0; i < n_; ++i) work_[i] = state.v[i] + sign * (1 + std::abs(state.v[i])) * (1 + 0.1 * (i % 7));
      const Status status = system_.acceleration(state.t, state.x, {work_.data(), n_}, {r_.data(), n_});
      if (!status) return status;
      if (r_ != history_.d(2)) flag[History::velocity_dependent] = 1;
    }
    return Status::success();
  }

  /// M^ x''' = M^ J1 x' + M^ J2 x'' + M^ d(x'')/dt.
  Status exact_jerk(double t, ConstVectorView x, ConstVectorView v, VectorView out) {
    Status status = system_.acceleration(t, x, v, {b_1_.data(), n_});
    if (status) status = system_.linearize(t, x, v);
    if (status) status = system_.time_gradient(out);
    if (status) status = system_.apply_J1(v, {b_2_.data(), n_});
    if (!status) return status;
    out.map() += b_2_;
    status = system_.apply_J2({b_1_.data(), n_}, {b_2_.data(), n_});
    out.map() += b_2_;
    if (status) status = system_.prepare(0, 0);
    b_2_ = out.map();
    return status ? system_.solve({b_2_.data(), n_}, out) : status;
  }

  /// x'' and x' of next.t from the predicted x' in next.v.
  Status solve(const StateView& next, double h, StepResult& result) {
    constexpr int most_iterations = 60;
    const double kappa = f_.gain(1, h) / f_.gain(2, h);
    const bool explicit_step = history_.flag[History::velocity_dependent] == 0;
    const bool linearized = o_.iteration == Iteration::linearized;
    Status status;
    if (linearized) {
      status = system_.linearize(next.t, next.x, next.v);
      if (status) status = system_.prepare(0, kappa);
      if (status) a_ = b_2_ + (next.v.map() - b_1_) / kappa;  // of the predicted x'
    }
    double change = 0;
    for (int i = 0; status && i < most_iterations; ++i) {
      ++result.newton_iterations;
      status = system_.acceleration(next.t, next.x, next.v, {r_.data(), n_});
      if (!status) return status;
      if (linearized) {
        work_ = r_ - a_;
        status = system_.apply_mass({work_.data(), n_}, {r_.data(), n_});
        if (status) status = system_.solve({r_.data(), n_}, {work_.data(), n_});  // (4)
        a_ += work_;
      } else {
        a_ = r_;
      }
      work_ = b_1_ + kappa * (a_ - b_2_);  // (3)
      Index worst = 0;
      const double scale = 1e-3 + work_.lpNorm<Eigen::Infinity>();
      change = (work_ - next.v.map()).cwiseAbs().maxCoeff(&worst);
      next.v.map() = work_;
      if (explicit_step || change <= o_.tolerance * scale) {
        if (explicit_step) result.newton_iterations = 0;
        return status;
      }
      worst_ = worst;
    }
    return status ? Status::failure(StatusCode::not_converged, "velocities", worst_, change) : status;
  }

  /// Degree 4: s = dg/dt; x' = b_1 + beta_1 s, iterated as the jerk depends on x'.
  Status solve_with_jerk(const StateView& next, double h, StepResult& result) {
    constexpr int most_iterations = 60;
    double change = 0;
    for (int i = 0; i < most_iterations; ++i) {
      ++result.newton_iterations;
      work_ = b_1_;  // exact_jerk works in b_1 and b_2
      Status status = exact_jerk(next.t, next.x, next.v, {r_.data(), n_});
      a_ = b_1_;
      b_1_ = work_;
      if (!status) return status;
      work_ = b_1_ + f_.gain(1, h) * r_;
      Index worst = 0;
      const double scale = 1e-3 + work_.lpNorm<Eigen::Infinity>();
      change = (work_ - next.v.map()).cwiseAbs().maxCoeff(&worst);
      next.v.map() = work_;
      if (change <= o_.tolerance * scale) return status;
      worst_ = worst;
    }
    return Status::failure(StatusCode::not_converged, "velocities", worst_, change);
  }

  /// All derivatives of the new time.
  void finish(double h) {
    const int N = f_.degree();
    Map s = history_.s(true);
    if (o_.analytic_jerk) {
      s = r_;
    } else {
      s = (a_ - b_2_) / f_.gain(2, h);
    }
    for (int k = 3; k < N - 1; ++k) {
      known_part(k, h, history_.d(k), work_);
      history_.d(k, true) = work_ + f_.gain(k, h) * s;
    }
    if (N > 3) history_.d(2, true) = a_;
    history_.other(true) = history_.s();
  }

  const Options& o_;
  const Family& f_;
  SecondOrderSystem& system_;
  Index n_;
  History history_;
  Map b_1_, b_2_, a_, r_, work_;
  double* scratch_;
  Index worst_ = 0;
};

}  // namespace trammel::conditionally_explicit
