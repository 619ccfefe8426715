// The family on M q'' + Phi_q^T lambda = Q, Phi(t, q) = 0, without reduction of the index (section 8 of the paper).
//
// In the step to t_n+1 the positions there are known; s and lambda of t_n+1 and the positions of t_n+2 belong together:
//   M q'' + Phi_q^T lambda = Q(q, q')           at t_n+1                                                          (5)
//   Phi(t_n+2, q_n+2) = 0                                                                                           (6)
//   q'' = b_2 + beta_2 s,  q' = b_1 + beta_1 s,  q_n+2 = b_0 + beta_0 s                                             (7)
// with (1), (2) of family.h. Newton's method on q_n+2 with Phi_q of t_n+1, which differs from that of t_n+2 by O(h):
//   Phi_q q'' = Phi_q b_2 + beta_2 / beta_0 [Phi_q (q_n+2 - b_0) - Phi]                                             (8)
// is solved together with (5); it ends when q_n+2 changes by less than the tolerance, or by rounding only: h^2 q'' keeps
// what it leaves. So states are whole at the end of each step; the paper, which counts from t_n+2, has velocities and
// multipliers one step late. Rows that depend on others are left out by the solver.
// With `newton_matrix` "iterate", Phi_q in (8) is that of the iterate of q_n+2, as the paper's Eq. 90 has it, beside
// Phi_q^T of t_n+1 in (5).
//
// Beside a singular position Phi_q of t_n+1 and that of t_n+2 hold some direction with opposite signs, and (8) diverges
// there. Where it begins to, with only free play left, the kernel puts q_n+2 onto the constraints with Phi_q of t_n+2.
//
// Null space (section 8): q'' = q''_p + N y with N a basis of the null space of Phi_q, q''_p any solution of (8),
//   N^T M N y = N^T (Q - M q''_p)                                                                                   (9)
// N = [-Phi_u^-1 Phi_w; I] comes from a coordinate partition and is kept through the iterations of a step.
#pragma once

#include "history.h"
#include "iterate_matrix.h"
#include "null_space.h"

namespace trammel::conditionally_explicit {

class ConstrainedForm {
 public:
  struct Work {
    Work(Layout& at, const Options& o, Index n, Index m)
        : b_0(at.vector(n)),
          b_1(at.vector(n)),
          b_2(at.vector(n)),
          work(at.vector(n)),
          moved(at.vector(n)),
          start(at, n),
          Phi(at.vector(m)),
          g(at.vector(m)),
          null_space(at, o.solver == Solver::null_space ? n : 0, o.solver == Solver::null_space ? m : 0),
          iterate_matrix(at, o.newton_matrix == NewtonMatrix::iterate ? n : 0,
                         o.newton_matrix == NewtonMatrix::iterate ? m : 0) {}
    Map b_0, b_1, b_2, work, moved;
    StartWork start;
    Map Phi, g;
    NullSpace::Work null_space;
    IterateMatrix iterate_matrix;
  };

  ConstrainedForm(const Options& o, const Problem& problem, const Kept& kept, const Work& work)
      : o_(o),
        f_(o.family),
        system_(*problem.constrained),
        n_(static_cast<Index>(work.b_0.size())),
        history_(kept.history),
        b_0_(work.b_0),
        b_1_(work.b_1),
        b_2_(work.b_2),
        work_(work.work),
        moved_(work.moved),
        start_(work.start),
        Phi_(work.Phi),
        g_(work.g),
        null_space_(system_, kept.partition, work.null_space),
        iterate_matrix_(work.iterate_matrix) {}

  StepResult attempt(const ConstStateView& state, double h, const StateView& next) {
    StepResult result;
    result.h = h;
    result.order = o_.order;
    if (history_.flag.started == 0) result.status = begin(state, h);
    if (!result.status) return result;
    history_.shift();
    const StepWeights w(f_, h);
    predict(w, state, next);
    result.status = solve(w, state, next, h, result);
    if (!result.status) return result;
    Map s = history_.s(true);
    s = (next.a.map() - b_2_) / beta_2_;
    for (int k = 3; k < w.degree - 1; ++k) history_.d(k, true) += w.gain[k] * s;
    if (w.degree > 3) history_.d(2, true) = next.a.map();
    return result;
  }

 private:
  static ConstVectorView view(const Map& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static VectorView out(Map& x) { return {x.data(), static_cast<Index>(x.size())}; }

  /// q_{n+1}, known already, and the parts of (7): b_0 and b_1 without q_{n+1} and q'_n, b_2, beta_0, beta_2 and, in the
  /// history, b_3 ... b_{N-2}.
  void predict(const StepWeights& w, const ConstStateView& state, const StateView& next) {
    const int N = w.degree;
    const double* const vectors = history_.d(2).data();  // d_2, d_3 ... one after another
    double* const tried = history_.d(2, true).data();
    double d[highest_degree], known[highest_degree];
    for (Index i = 0; i < n_; ++i) {
      const double s = vectors[(N - 3) * n_ + i], x = vectors[(N - 2) * n_ + i];
      next.x[i] = x;
      d[1] = 0;  // positions and velocities of t_n+1 are added last, see SecondOrderForm::predict
      for (int k = 2; k < N - 1; ++k) d[k] = vectors[(k - 2) * n_ + i];
      w.known(d, s, known);
      double move = w.term[N - 1] * (1 - w.first) * s;  // smallest terms first
      for (int k = N - 2; k > 0; --k) move += w.term[k] * known[k];
      b_0_[i] = move + w.term[1] * state.v[i];
      b_1_[i] = known[1];
      b_2_[i] = N > 3 ? known[2] : 0;
      for (int k = 3; k < N - 1; ++k) tried[(k - 2) * n_ + i] = known[k];
    }
    beta_0_ = w.term[N - 1] * w.first;
    for (int k = 1; k < N - 1; ++k) beta_0_ += w.term[k] * w.gain[k];
    beta_2_ = w.gain[2];
  }

  /// Accelerations and multipliers of t_0 from the index-1 system; positions of t_1 by Taylor's formula, put onto the
  /// constraints by the smallest correction.
  Status begin(const ConstStateView& state, double h) {
    Map a = history_.d(2), ahead = history_.other();
    Status status = acceleration(state.t, state.x, state.v, {a.data(), n_});
    const auto jerk = [&](double t, ConstVectorView x, ConstVectorView v, VectorView out) {
      return exact_jerk(t, x, v, out);
    };
    if (status) status = start_derivatives(o_, history_, state, h, jerk, start_);
    ahead = state.x.map() + h * state.v.map();
    for (int i = 2; i < f_.degree(); ++i) ahead += Family::term(h, i) * history_.d(i);
    ProjectionReport report;
    if (status) {
      const double tolerance = Ending(o_.tolerance, 0).projection();
      status =
          system_.project_positions(state.t + h, {ahead.data(), n_}, ProjectionWeights::identity, tolerance, report);
    }
    if (status && o_.solver == Solver::null_space) {
      status = system_.evaluate(state.t, state.x, state.v, {}, evaluate_jacobian);
      if (status) status = null_space_.choose();
    }
    history_.flag.started = status.ok();
    history_.flag.promote = 0;
    return status;
  }

  Status acceleration(double t, ConstVectorView q, ConstVectorView v, VectorView a) {
    Status status = system_.evaluate(t, q, v, {}, evaluate_dynamics);
    if (status) status = system_.factorize(ProjectionWeights::mass);
    return status ? system_.solve(system_.Q(), system_.gamma(), a, out(g_)) : status;
  }

  /// M q''' + Phi_q^T lambda' = Q_t - K q' - C q'',   Phi_q q''' = -d/dt (Phi_q q'' - gamma) at fixed q''.
  Status exact_jerk(double t, ConstVectorView q, ConstVectorView v, VectorView jerk) {
    Status status = acceleration(t, q, v, out(b_0_));
    ConstrainedLinearization& at = *system_.linearization();
    if (status) status = at.linearize(view(b_0_), view(g_));
    if (status) status = at.time_gradients(view(b_0_), out(b_1_), out(g_), out(Phi_));
    if (status) status = at.apply_linearization(v, view(b_0_), out(b_2_), out(g_));
    if (!status) return status;
    b_1_ -= b_2_;
    g_ = -g_ - Phi_;
    return system_.solve(view(b_1_), view(g_), jerk, out(Phi_));
  }

  Status solve(const StepWeights& w, const ConstStateView& state, const StateView& next, double h, StepResult& result) {
    constexpr int most_iterations = 30;
    constexpr double free_play = 1e-6;
    const double kappa = w.gain[1] / beta_2_;
    const Map s = history_.s();
    for (Index j = 0; j < n_; ++j) {
      work_[j] = next.x[j] + (b_0_[j] + beta_0_ * s[j]);  // q_n+2 as if s stayed
      next.v[j] = state.v[j] + (b_1_[j] + w.gain[1] * s[j]);
    }
    double change = 0, before = 0;
    Ending ending(o_.tolerance, most_iterations);
    Index worst = 0;
    for (int i = 0; !ending.failed(); ++i) {
      ++result.newton_iterations;
      Status status = linearize_rows(next, h);
      if (!status) return status;
      status = system_.evaluate(next.t, next.x, next.v, {}, evaluate_jacobian | evaluate_force);
      if (status) status = solve_linear(next, i == 0);
      if (!status) return status;
      change = 0;
      double size = 0;
      for (Index j = 0; j < n_; ++j) {
        moved_[j] = next.x[j] + (b_0_[j] + beta_0_ / beta_2_ * (next.a[j] - b_2_[j]));
        size = std::max(size, std::abs(moved_[j]));
        const double by = std::abs(moved_[j] - work_[j]);
        if (!(by <= change) && !std::isnan(change)) change = by, worst = j;
      }
      size += 1;
      const bool done = ending.reached(change, size);
      const bool diverging = !done && i > 0 && change > before && before <= free_play * size;
      if (diverging) {
        ProjectionReport report;
        status =
            system_.project_positions(next.t + h, out(work_), ProjectionWeights::identity, ending.projection(), report);
        if (!status) return status;
        next.a.map() = b_2_ + beta_2_ / beta_0_ * (work_ - next.x.map() - b_0_);  // (7)
      } else {
        std::copy_n(moved_.data(), n_, work_.data());
      }
      for (Index j = 0; j < n_; ++j) next.v[j] = state.v[j] + (b_1_[j] + kappa * (next.a[j] - b_2_[j]));
      before = change;
      if (done || diverging) {
        history_.other(true) = work_;
        return status;
      }
    }
    return Status::failure(StatusCode::not_converged, "positions", worst, change);
  }

  /// Phi at the iterate; with rows at the iterate also the right side of (8).
  Status linearize_rows(const StateView& next, double h) {
    const bool at_iterate = o_.newton_matrix == NewtonMatrix::iterate;
    const unsigned parts = at_iterate ? evaluate_Phi | evaluate_jacobian : evaluate_Phi;
    const Status status = system_.evaluate(next.t + h, view(work_), {}, {}, parts);
    if (!status) return status;
    std::copy_n(system_.Phi().data, Phi_.size(), Phi_.data());
    if (!at_iterate) return status;
    iterate_matrix_.take_rows(system_);
    right_side(next);
    return status;
  }

  /// Right side of (8) with the last evaluated Jacobian, in g.
  void right_side(const StateView& next) {
    const double ratio = beta_2_ / beta_0_;
    for (Index j = 0; j < n_; ++j) moved_[j] = b_2_[j] + ratio * (work_[j] - next.x[j] - b_0_[j]);
    system_.apply_jacobian(view(moved_), out(g_));
    for (Index r = 0; r < g_.size(); ++r) g_[r] -= ratio * Phi_[r];
  }

  /// (5) with (8); the model is at next.
  Status solve_linear(const StateView& next, bool first) {
    if (o_.newton_matrix == NewtonMatrix::iterate) {
      if (first) iterate_matrix_.take_dynamics(system_);
      return iterate_matrix_.solve(system_.Q(), view(g_), next.a, next.lambda);
    }
    const bool by_basis = o_.solver == Solver::null_space;
    Status status;
    if (!by_basis) status = system_.factorize(ProjectionWeights::mass);
    if (by_basis && first) status = null_space_.prepare();
    if (!status) return status;
    right_side(next);
    if (!by_basis) return system_.solve(system_.Q(), view(g_), next.a, next.lambda);
    null_space_.solve(system_.Q(), view(g_), next.a, next.lambda);
    return status;
  }

  const Options& o_;
  const Family& f_;
  ConstrainedSystem& system_;
  Index n_;
  History history_;
  Map b_0_, b_1_, b_2_, work_, moved_;
  StartWork start_;
  Map Phi_, g_;
  NullSpace null_space_;
  IterateMatrix iterate_matrix_;
  double beta_0_ = 0, beta_2_ = 0;
};

}  // namespace trammel::conditionally_explicit
