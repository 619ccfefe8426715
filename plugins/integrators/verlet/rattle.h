// RATTLE: velocity Verlet whose multipliers hold positions and velocities (Andersen, J. Comput. Phys. 52 (1983) 24-34).
//
//   q_1 = q_0 + h q'_0 + h^2/2 a_0,   M_0 a_0 = Q(q_0, q'_0) - Phi_q0^T lambda,   Phi(t_1, q_1) = 0               (1)
//   q'_1 = q'_0 + h/2 (a_0 + a_1),    M_1 a_1 = Q(q_1, q'_1) - Phi_q1^T mu,      Phi_q1 q'_1 = nu                 (2)
// (1) by Newton's method with Phi_q of t_0, which ends when q_1 stays; (2) is linear but for Q's velocities. Symplectic
// where M is constant. States are those after (2): consistent in positions and velocities.
#pragma once

#include "steps.h"
#include "trammel/constrained_system.h"

namespace trammel::verlet {

class Rattle {
 public:
  struct Work {
    Work(Layout& at, Index n, Index m)
        : a(at.vector(n)), work(at.vector(n)), moved(at.vector(n)), g(at.vector(m)), rows(at.vector(m)) {}
    Map a, work, moved, g, rows;
  };
  static MemorySize memory(const ProblemSize& size) { return {0, Layout::size<Work>(size.n, size.m)}; }

  Rattle(ConstrainedSystem& system, double tolerance, const Work& work)
      : system_(system),
        tolerance_(tolerance),
        a_(work.a),
        work_(work.work),
        moved_(work.moved),
        g_(work.g),
        rows_(work.rows) {}

  Status attempt(const ConstStateView& state, double h, const StateView& next, StepResult& result) {
    constexpr int most_iterations = 40;
    next.x.map() = state.x.map() + h * (state.v.map() + h / 2 * state.a.map());
    Convergence q{tolerance_}, v{tolerance_};
    Status status;
    for (int i = 0;; ++i) {  // (1)
      if (i == most_iterations) return q.failure("positions");
      ++result.newton_iterations;
      status = system_.evaluate(next.t, next.x, {}, {}, evaluate_Phi);
      rows_ = system_.Phi().map();
      if (status) status = at(state.t, state.x, state.v);
      if (!status) return status;
      work_ = 2 / (h * h) * (next.x.map() - state.x.map() - h * state.v.map());
      system_.apply_jacobian(in(work_), out(g_));
      g_ -= 2 / (h * h) * rows_;
      status = system_.solve(system_.Q(), in(g_), out(a_), next.lambda);
      if (!status) return status;
      moved_ = state.x.map() + h * (state.v.map() + h / 2 * a_);
      const bool done = q.done(moved_, next.x);
      if (!done && q.diverging(moved_)) {
        ProjectionReport report;
        status = system_.project_positions(next.t, next.x, ProjectionWeights::identity, tolerance_, report);
        if (!status) return status;
        a_ = 2 / (h * h) * (next.x.map() - state.x.map() - h * state.v.map());
        break;
      }
      next.x.map() = moved_;
      if (done) break;
    }
    next.v.map() = state.v.map() + h * a_;
    for (int i = 0;; ++i) {  // (2)
      if (i == most_iterations) return v.failure("velocities");
      status = at(next.t, next.x, next.v);
      if (!status) return status;
      work_ = -(2 / h) * state.v.map() - a_;
      system_.apply_jacobian(in(work_), out(g_));
      g_ += 2 / h * system_.nu().map();
      status = system_.solve(system_.Q(), in(g_), next.a, next.lambda);
      if (!status) return status;
      moved_ = state.v.map() + h / 2 * (a_ + next.a.map());
      const bool done = v.done(moved_, next.v);
      next.v.map() = moved_;
      if (done) return status;
    }
  }

 private:
  struct Convergence {
    double tolerance;
    double change = 0, previous = 0;
    Index worst = -1;
    bool done(const Map& now, ConstVectorView before) {
      if (now.size() == 0) return true;
      previous = change;
      change = (now - before.map()).cwiseAbs().maxCoeff(&worst);
      return change <= tolerance * (1 + now.lpNorm<Eigen::Infinity>());
    }
    /// Beside a singular position Phi_q of t_0 and that of t_1 hold some direction with opposite signs; only free play
    /// is left.
    bool diverging(const Map& now) const {
      return previous > 0 && change > previous && previous <= 1e-6 * (1 + now.lpNorm<Eigen::Infinity>());
    }
    Status failure(const char* what) const { return Status::failure(StatusCode::not_converged, what, worst, change); }
  };
  static ConstVectorView in(const Map& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static VectorView out(Map& x) { return {x.data(), static_cast<Index>(x.size())}; }

  Status at(double t, ConstVectorView q, ConstVectorView v) {
    const Status status = system_.evaluate(t, q, v, {}, evaluate_jacobian | evaluate_force | evaluate_nu);
    return status ? system_.factorize(ProjectionWeights::mass) : status;
  }

  ConstrainedSystem& system_;
  double tolerance_;
  Map a_, work_, moved_, g_, rows_;
};

}  // namespace trammel::verlet
