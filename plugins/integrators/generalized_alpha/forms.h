// One step of (1), (2) of scheme.h on second-order and on constrained systems, by simplified Newton iterations.
//
// Second order: unknown u = x''_1,
//   (M^ - c_1 M^ J2 - c_0 M^ J1) du = M^ (x''(t_1, x_1, x'_1) - u),  c_0 = h^2 beta share, c_1 = h gamma share    (4)
// Constrained, index 3: unknowns u = q''_1 and lambda_1,
//   [M + c_1 C + c_0 K, Phi_q^T; Phi_q, 0] [du; dlambda] = [Q - M u - Phi_q^T lambda; -Phi / c_0]                 (5)
// with Phi divided by c_0, so that entries do not depend on h. The matrix is kept from step to step while h stays and
// the iteration converges fast. HHT-I3 (Negrut, Rampalli, Ottarsson, Sajdak, J. Comput. Nonlinear Dyn. 2 (2007) 73-85,
// Eq. 11) weights M q'' as forces instead of accelerations: the same where M is constant, of order 1 only where it is
// not, as with Euler parameters (measured); hence (2) here.
#pragma once

#include "scheme.h"
#include "trammel/constrained_system.h"
#include "trammel/second_order_system.h"

namespace trammel::generalized_alpha {

inline constexpr int most_iterations = 12, patience = 4;

class SecondOrderForm {
 public:
  static Index scratch_size(Index n) { return 3 * n; }

  SecondOrderForm(const Scheme& s, const Problem& problem, const StateView& state, const Memory& memory)
      : s_(s),
        system_(*problem.second_order),
        n_(state.x.size),
        history_(n_, memory),
        u_(memory.scratch, n_),
        r_(memory.scratch + n_, n_),
        change_(memory.scratch + 2 * n_, n_) {}

  Status begin(const StateView& state) {
    Map rate = history_.rate();
    const Status status = system_.acceleration(state.t, state.x, state.v, {rate.data(), n_});
    history_.a() = rate;
    return status;
  }

  Status attempt(const StateView& state, double h, const StateView& next, StepResult& result) {
    const Map a_0 = history_.a(), u_0 = history_.rate();
    Map a_1 = history_.a(true);
    const double c_0 = h * h * s_.beta * s_.share(), c_1 = h * s_.gamma * s_.share();
    u_ = u_0;
    advance(s_, state, h, a_0, u_0, u_, a_1, next);
    Convergence convergence{s_.tolerance};
    for (int i = 0; i < most_iterations; ++i) {
      Status status;
      if (i == 0 || (convergence.slow && i == patience)) {
        status = system_.linearize(next.t, next.x, next.v);
        if (status) status = system_.prepare(c_0, c_1);
      }
      ++result.newton_iterations;
      if (status) status = system_.acceleration(next.t, next.x, next.v, {r_.data(), n_});
      r_ -= u_;
      if (status) status = system_.apply_mass({r_.data(), n_}, {change_.data(), n_});
      r_ = change_;
      if (status) status = system_.solve({r_.data(), n_}, {change_.data(), n_});  // (4)
      if (!status) return status;
      u_ += change_;
      change_ *= c_0;
      advance(s_, state, h, a_0, u_0, u_, a_1, next);
      if (convergence.done(change_, next.x, u_, c_0)) {
        history_.rate(true) = u_;
        return status;
      }
    }
    return Status::failure(StatusCode::not_converged, "positions", convergence.worst, convergence.change);
  }

 private:
  const Scheme& s_;
  SecondOrderSystem& system_;
  Index n_;
  History history_;
  Map u_, r_, change_;
};

class ConstrainedForm {
 public:
  static Index scratch_size(const ProblemSize& size) { return 3 * size.n + 2 * size.m; }

  ConstrainedForm(const Scheme& s, const Problem& problem, const StateView& state, const Memory& memory)
      : s_(s),
        system_(*problem.constrained),
        n_(state.x.size),
        m_(state.lambda.size),
        history_(n_, memory),
        force_(memory.scratch, n_),
        product_(memory.scratch + n_, n_),
        change_(memory.scratch + 2 * n_, n_),
        rows_(memory.scratch + 3 * n_, m_),
        change_lambda_(memory.scratch + 3 * n_ + m_, m_) {}

  Status begin(const StateView& state) {
    Map a = history_.a();
    Status status = system_.evaluate(state.t, state.x, state.v, {}, evaluate_dynamics);
    if (status) status = system_.factorize(ProjectionWeights::mass);
    if (status) status = system_.solve(system_.Q(), system_.gamma(), {a.data(), n_}, state.lambda);
    if (!status) return status;
    history_.rate() = a;
    history_.flag[History::prepared_step] = 0;
    return status;
  }

  /// First with the matrix at hand; where that does not converge, once more from the start with a new one in every
  /// iteration: beside a singular position the directions that constraints hold turn by as much as the rows are apart.
  Status attempt(const StateView& state, double h, const StateView& next, StepResult& result) {
    Status status = iterate(state, h, next, result, false);
    if (!status) status = iterate(state, h, next, result, true);
    if (!status) history_.flag[History::worn] = 1;
    return status;
  }

 private:
  Status iterate(const StateView& state, double h, const StateView& next, StepResult& result, bool always_new) {
    double* const flag = history_.flag;
    const double c_0 = h * h * s_.beta * s_.share(), c_1 = h * s_.gamma * s_.share();
    const Map a_0 = history_.a(), u_0 = history_.rate();
    Map a_1 = history_.a(true);
    Map u = next.a.map();
    u = u_0;
    next.lambda.map() = state.lambda.map();
    advance(s_, state, h, a_0, u_0, u, a_1, next);
    Convergence convergence{s_.tolerance};
    for (int i = 0; i < most_iterations; ++i) {
      Status status = system_.evaluate(next.t, next.x, next.v, {}, evaluate_dynamics | evaluate_Phi);
      const bool other_step = std::abs(flag[History::prepared_step] - h) > 1e-6 * std::abs(h);
      const bool stale = i == 0 ? other_step || flag[History::worn] != 0 : convergence.slow && i == patience;
      if (status && (stale || always_new)) {
        status = system_.linearize(next.a, next.lambda);
        if (status) status = system_.prepare(c_0, c_1);
        flag[History::prepared_step] = status ? h : 0;
        flag[History::worn] = 0;
      }
      ++result.newton_iterations;
      if (!status) return status;
      residual(next);
      rows_ = -system_.Phi().map() / c_0;
      status = system_.solve_implicit({product_.data(), n_}, {rows_.data(), m_}, {change_.data(), n_},
                                      {change_lambda_.data(), m_});  // (5)
      if (!status) return status;
      u += change_;
      next.lambda.map() += change_lambda_;
      change_ *= c_0;
      advance(s_, state, h, a_0, u_0, u, a_1, next);
      const double violation = m_ > 0 ? c_0 * rows_.lpNorm<Eigen::Infinity>() : 0;
      const bool done = convergence.done(change_, next.x, u, c_0) || (always_new && convergence.stagnant(violation, next.x));
      if (!done) continue;
      flag[History::worn] = convergence.slow || i + 1 > patience;
      history_.rate(true) = u;
      return status;
    }
    return Status::failure(StatusCode::not_converged, "positions", convergence.worst, convergence.change);
  }

  /// product_ = Q - M u - Phi_q^T lambda
  void residual(const StateView& next) {
    system_.apply_jacobian_transpose(next.lambda, {force_.data(), n_});
    system_.apply_mass(next.a, {product_.data(), n_});
    product_ = system_.Q().map() - product_ - force_;
  }

  const Scheme& s_;
  ConstrainedSystem& system_;
  Index n_, m_;
  History history_;
  Map force_, product_, change_, rows_, change_lambda_;
};

}  // namespace trammel::generalized_alpha
