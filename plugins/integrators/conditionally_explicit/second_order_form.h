// The family on M^ x'' = Q^(t, x, x'): explicit where x'' does not depend on x', iterated where it does.
//
// With (1) of family.h for k = 1, 2: x'' = b_2 + beta_2 s, x' = x'_n + b_1 + beta_1 s, hence
//   x' = x'_n + [b_1 + kappa (x'' - b_2)],  kappa = beta_1 / beta_2, b_1 without x'_n                               (3)
// and x'' = g(t, x, x') is solved by fixed-point iteration on (3) or, linearized (section 6 of the paper, Eq. 75),
//   (M^ - kappa M^ J2) dx'' = M^ (g - x'')                                                                        (4)
// with J2 of the first iterate. Whether x'' depends on x' is looked at in starts, again every `steps_between_looks`
// steps, and where x'' leaves its prediction: dampers may come to act in the midst of a run. Analytic jerk (Eq. 44,
// degree 4): s = dg/dt in place of (1) for k = 2.
#pragma once

#include "history.h"

namespace trammel::conditionally_explicit {

class SecondOrderForm {
 public:
  struct Work {
    Work(Layout& at, Index n)
        : b_1(at.vector(n)), b_2(at.vector(n)), a(at.vector(n)), r(at.vector(n)), work(at.vector(n)), start(at, n) {}
    Map b_1, b_2, a, r, work;
    StartWork start;
  };

  SecondOrderForm(const Options& o, const Problem& problem, const History& history, const Work& work)
      : o_(o),
        f_(o.family),
        system_(*problem.second_order),
        n_(static_cast<Index>(work.a.size())),
        history_(history),
        b_1_(work.b_1),
        b_2_(work.b_2),
        a_(work.a),
        r_(work.r),
        work_(work.work),
        start_(work.start) {}

  StepResult attempt(const ConstStateView& state, double h, const StateView& next) {
    StepResult result;
    result.h = h;
    result.order = o_.order;
    if (history_.flag.started == 0) result.status = begin(state, h);
    if (!result.status) return result;
    history_.shift();
    const StepWeights w(f_, h);
    predict(w, state, next);
    result.status = o_.analytic_jerk ? solve_with_jerk(w, state, next, result) : solve(w, state, next, result);
    if (!result.status) return result;
    finish(w);
    return result;
  }

 private:
  /// (2); b_1, b_2 and, in the history, b_3 ... b_{N-2} by (1), b_1 without x' itself; x' as if s stayed.
  void predict(const StepWeights& w, const ConstStateView& state, const StateView& next) {
    const int N = w.degree;
    const double* const vectors = history_.d(2).data();  // d_2, d_3 ... one after another
    double* const tried = history_.d(2, true).data();
    double d[highest_degree], known[highest_degree];
    for (Index i = 0; i < n_; ++i) {
      const double s = vectors[(N - 3) * n_ + i], before = vectors[(N - 2) * n_ + i];
      d[1] = state.v[i];
      for (int k = 2; k < N - 1; ++k) d[k] = vectors[(k - 2) * n_ + i];
      // Smallest terms first: each sum with x itself rounds at the size of x, and always the same way where the term is
      // a few units in its last place (error of Table 6 at h = 1e-4: 1.8e-11 that way, 3e-13 so).
      double move = w.term[N - 1] * ((1 - w.first) * before + w.first * s);
      for (int k = N - 2; k > 0; --k) move += w.term[k] * d[k];
      next.x[i] = state.x[i] + move;
      d[1] = 0;  // the last addition to x', as to x, is that of the whole change
      w.known(d, s, known);
      b_1_[i] = known[1];
      b_2_[i] = N > 3 ? known[2] : 0;
      for (int k = 3; k < N - 1; ++k) tried[(k - 2) * n_ + i] = known[k];
      next.v[i] = state.v[i] + (known[1] + w.gain[1] * s);
    }
  }

  Status begin(const ConstStateView& state, double h) {
    const Flags& flag = history_.flag;
    Map a = history_.d(2);
    Status status = system_.acceleration(state.t, state.x, state.v, {a.data(), n_});
    const auto jerk = [&](double t, ConstVectorView x, ConstVectorView v, VectorView out) {
      return exact_jerk(t, x, v, out);
    };
    if (status) status = start_derivatives(o_, history_, state, h, jerk, start_);
    history_.other() = history_.s();
    flag.velocity_dependent = 1;
    flag.steps_since_look = 0;
    if (status && o_.iteration == Iteration::automatic) status = look_for_velocities(state);
    flag.started = status.ok();
    flag.promote = 0;
    return status;
  }

  /// Whether accelerations change with velocities, at two other velocities.
  Status look_for_velocities(const ConstStateView& state) {
    const Flags& flag = history_.flag;
    flag.velocity_dependent = 0;
    for (const double sign : {1.0, -0.6}) {
      for (Index i = 0; i < n_; ++i) work_[i] = state.v[i] + sign * (1 + std::abs(state.v[i])) * (1 + 0.1 * (i % 7));
      const Status status = system_.acceleration(state.t, state.x, {work_.data(), n_}, {r_.data(), n_});
      if (!status) return status;
      if (r_ != history_.d(2)) flag.velocity_dependent = 1;
    }
    return Status::success();
  }

  /// In an explicit step, a_ being known: whether accelerations have begun to depend on velocities, at another
  /// velocity.
  Status look_again(const StepWeights& w, const StateView& next) {
    constexpr double steps_between_looks = 16, jump = 0.1;
    const Flags& flag = history_.flag;
    const Map s_0 = history_.s();
    bool jumped = false;  // s, in a_, off its value before by a good part of it
    for (Index i = 0; i < n_ && !jumped; ++i) {
      const double before = w.gain[2] * s_0[i];
      const double change = std::abs(a_[i] - b_2_[i] - before);
      jumped = change > jump * (std::abs(before) + std::abs(a_[i])) && change > 0;
    }
    flag.steps_since_look += 1;
    if (!jumped) flag.jumps_in_vain = 0;
    // Where steps are so long that each jumps, looks that find nothing become rarer: after 1, 2, 4, ... steps.
    const double pause = std::min(steps_between_looks, std::exp2(flag.jumps_in_vain));
    if (flag.steps_since_look < (jumped ? pause : steps_between_looks)) return Status::success();
    flag.steps_since_look = 0;
    if (jumped) flag.jumps_in_vain += 1;
    for (Index i = 0; i < n_; ++i)
      work_[i] = next.v[i] + (1 + std::abs(next.v[i])) * (1 + 0.1 * static_cast<double>(i % 7));
    const Status status = system_.acceleration(next.t, next.x, {work_.data(), n_}, {r_.data(), n_});
    if (!status || r_ == a_) return status;
    flag.velocity_dependent = 1;
    if (!jumped) flag.found_late = 1;
    return status;
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
  Status solve(const StepWeights& w, const ConstStateView& state, const StateView& next, StepResult& result) {
    constexpr int most_iterations = 60;
    const double kappa = w.gain[1] / w.gain[2];
    bool explicit_step = history_.flag.velocity_dependent == 0;
    const bool linearized = o_.iteration == Iteration::linearized;
    Status status;
    if (linearized) {
      status = system_.linearize(next.t, next.x, next.v);
      if (status) status = system_.prepare(0, kappa);
      if (status) a_ = b_2_ + w.gain[2] * history_.s();  // of the predicted x'
    }
    double change = 0;
    Ending ending(o_.tolerance, most_iterations);
    while (status && !ending.failed()) {
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
      if (explicit_step) {
        status = look_again(w, next);
        if (!status) return status;
        explicit_step = history_.flag.velocity_dependent == 0;
      }
      work_ = state.v.map() + (b_1_ + kappa * (a_ - b_2_));  // (3)
      Index worst = 0;
      const double scale = 1e-3 + work_.lpNorm<Eigen::Infinity>();
      change = (work_ - next.v.map()).cwiseAbs().maxCoeff(&worst);
      next.v.map() = work_;
      if (explicit_step || ending.reached(change, scale)) {
        if (explicit_step) result.newton_iterations = 0;
        return status;
      }
      worst_ = worst;
    }
    return status ? Status::failure(StatusCode::not_converged, "velocities", worst_, change) : status;
  }

  /// Degree 4: s = dg/dt; x' = b_1 + beta_1 s, iterated as the jerk depends on x'.
  Status solve_with_jerk(const StepWeights& w, const ConstStateView& state, const StateView& next, StepResult& result) {
    constexpr int most_iterations = 60;
    double change = 0;
    Ending ending(o_.tolerance, most_iterations);
    while (!ending.failed()) {
      ++result.newton_iterations;
      work_ = b_1_;  // exact_jerk works in b_1 and b_2
      Status status = exact_jerk(next.t, next.x, next.v, {r_.data(), n_});
      a_ = b_1_;
      b_1_ = work_;
      if (!status) return status;
      work_ = state.v.map() + (b_1_ + w.gain[1] * r_);
      Index worst = 0;
      const double scale = 1e-3 + work_.lpNorm<Eigen::Infinity>();
      change = (work_ - next.v.map()).cwiseAbs().maxCoeff(&worst);
      next.v.map() = work_;
      if (ending.reached(change, scale)) return status;
      worst_ = worst;
    }
    return Status::failure(StatusCode::not_converged, "velocities", worst_, change);
  }

  /// All derivatives of the new time.
  void finish(const StepWeights& w) {
    const int N = w.degree;
    Map s = history_.s(true);
    if (o_.analytic_jerk) {
      s = r_;
    } else {
      s = (a_ - b_2_) / w.gain[2];
    }
    for (int k = 3; k < N - 1; ++k) history_.d(k, true) += w.gain[k] * s;
    if (N > 3) history_.d(2, true) = a_;
    history_.other(true) = history_.s();
  }

  const Options& o_;
  const Family& f_;
  SecondOrderSystem& system_;
  Index n_;
  History history_;
  Map b_1_, b_2_, a_, r_, work_;
  StartWork start_;
  Index worst_ = 0;
};

}  // namespace trammel::conditionally_explicit
