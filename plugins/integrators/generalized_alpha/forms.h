// One step of (1), (2) of scheme.h on second-order and on constrained systems, by simplified Newton iterations.
//
// Second order: unknown u = x''_1,
//   (M^ - c_1 M^ J2 - c_0 M^ J1) du = M^ (x''(t_1, x_1, x'_1) - u),  c_0 = h^2 beta share, c_1 = h gamma share    (4)
// Constrained, index 3: unknowns u = q''_1 and lambda_1,
//   [M + c_1 C + c_0 K, Phi_q^T; Phi_q, 0] [du; dlambda] = [Q - M u - Phi_q^T lambda; -Phi / c_0]                 (5)
// with Phi divided by c_0, so that entries do not depend on h. Rows B v = b that hold for velocities only have B in the
// place of Phi_q and (b - B v) / c_1 in that of -Phi / c_0: like Newmark's positions, his velocities obey them at the end of
// every step. c_0 / c_1 ((B v)_q - b_q), small with h, is left out of the matrix. The matrix is kept from step to step while h stays and
// the iteration converges fast. Where forces are weighed, u + w u_0 takes the place of u in the residual of (5), and w F_0
// is added to it.
#pragma once

#include "scheme.h"
#include "trammel/constrained_system.h"
#include "trammel/extensions/velocity_level.h"
#include "trammel/second_order_system.h"

namespace trammel::generalized_alpha {

inline constexpr int most_iterations = 12, patience = 4;
inline constexpr double slowest = 0.2;  ///< rate of convergence that a matrix may have before it is renewed

template <class Vector>
double largest(const Vector& x) {
  return x.size() > 0 ? x.template lpNorm<Eigen::Infinity>() : 0;
}

class SecondOrderForm {
 public:
  struct Work {
    Work(Layout& at, Index n) : u(at.vector(n)), r(at.vector(n)), change(at.vector(n)) {}
    Map u, r, change;
  };

  SecondOrderForm(const Scheme& s, const Problem& problem, const History& history, const Work& work)
      : s_(s),
        system_(*problem.second_order),
        n_(static_cast<Index>(work.u.size())),
        history_(history),
        u_(work.u),
        r_(work.r),
        change_(work.change) {}

  Status begin(const ConstStateView& state) {
    Map rate = history_.rate();
    const Status status = system_.acceleration(state.t, state.x, state.v, {rate.data(), n_});
    history_.a() = rate;
    return status;
  }

  Status attempt(const ConstStateView& state, double h, const StateView& next, StepResult& result) {
    const Map a_0 = history_.a(), u_0 = history_.rate();
    Map a_1 = history_.a(true);
    const double c_0 = h * h * s_.beta * s_.share(), c_1 = h * s_.gamma * s_.share();
    u_ = u_0;
    advance(s_, state, h, a_0, u_0, u_, a_1, next);
    Convergence convergence(s_.tolerance);
    double moved = 0;
    for (int i = 0; i < most_iterations; ++i) {
      Status status;
      if (i == 0 || (convergence.slow() && i == patience)) {
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
      const double before = moved;
      moved = c_0 * largest(change_);
      advance(s_, state, h, a_0, u_0, u_, a_1, next);
      if (convergence.done(change_, u_, u_0) || Convergence::stagnant(moved, before, next.x)) {
        history_.rate(true) = u_;
        return status;
      }
    }
    return convergence.failure(moved);
  }
  /// Estimates of velocities count as they are.
  Status keep_to_motion(VectorView) { return Status::success(); }

 private:
  const Scheme& s_;
  SecondOrderSystem& system_;
  Index n_;
  History history_;
  Map u_, r_, change_;
};

class ConstrainedForm {
 public:
  struct Work {
    Work(Layout& at, Index n, Index m)
        : force(at.vector(n)),
          product(at.vector(n)),
          change(at.vector(n)),
          rows(at.vector(m)),
          change_lambda(at.vector(m)),
          lambda_0(at.vector(m)),
          held(at.vector(n)) {}
    Map force, product, change, rows, change_lambda, lambda_0, held;
  };

  ConstrainedForm(const Scheme& s, const Problem& problem, const ConstStateView& state, const History& history,
                  const Work& work)
      : s_(s),
        system_(*problem.constrained),
        linearization_(*problem.constrained->linearization()),
        implicit_(*problem.constrained->implicit_solve()),
        level_(find_extension<VelocityLevel>(*problem.constrained)),
        n_(state.x.size),
        m_(state.lambda.size),
        history_(history),
        force_(work.force),
        product_(work.product),
        change_(work.change),
        rows_(work.rows),
        change_lambda_(work.change_lambda),
        lambda_0_(work.lambda_0),
        held_(work.held) {
    lambda_0_ = state.lambda.map();
  }

  Status begin(const ConstStateView& state) {
    Map a = history_.a();
    Status status = system_.evaluate(state.t, state.x, state.v, {}, evaluate_dynamics);
    if (status) status = system_.factorize(ProjectionWeights::mass);
    if (status) status = system_.solve(system_.Q(), system_.gamma(), {a.data(), n_}, {lambda_0_.data(), m_});
    if (!status) return status;
    history_.rate() = a;
    if (s_.weighs_forces) system_.apply_mass({a.data(), n_}, {history_.force().data(), n_});
    history_.flag.prepared_step = history_.flag.row_noise = 0;
    history_.flag.fastest = largest(state.v.map());
    return status;
  }

  /// First with the matrix at hand; where that does not converge, once more from the start with a new one in every
  /// iteration: beside a singular position the directions that constraints hold turn by as much as the rows are apart.
  Status attempt(const ConstStateView& state, double h, const StateView& next, StepResult& result) {
    Status status = iterate(state, h, next, result, false);
    if (!status) status = iterate(state, h, next, result, true);
    if (!status) history_.flag.worn = 1;
    return status;
  }
  /// Takes from the estimated error of velocities what is off the constraints: multipliers answer to every change of
  /// the step there, and (2) damps that by itself.
  Status keep_to_motion(VectorView error) {
    const Status status = system_.factorize(ProjectionWeights::mass);
    return status ? system_.project_tangent(error) : status;
  }

 private:
  Status iterate(const ConstStateView& state, double h, const StateView& next, StepResult& result, bool always_new) {
    constexpr double play = 100;  // positions that rounding of the constraints may leave
    const Flags& flag = history_.flag;
    const double c_0 = h * h * s_.beta * s_.share(), c_1 = h * s_.gamma * s_.share();
    const Map a_0 = history_.a(), u_0 = history_.rate();
    Map a_1 = history_.a(true);
    Map u = next.a.map();
    u = u_0;
    next.lambda.map() = lambda_0_;
    advance(s_, state, h, a_0, u_0, u, a_1, next);
    Convergence convergence(s_.tolerance);
    double moved = 0, violation = 0;
    bool renewed = false, stuck = false, slow = false;
    for (int i = 0; i < most_iterations; ++i) {
      const bool other_step = std::abs(flag.prepared_step - h) > 1e-6 * std::abs(h);
      const bool stale = i == 0 ? other_step || flag.worn != 0 : slow && i == patience;
      const bool renew = stale || stuck || always_new;
      const unsigned parts = evaluate_force | evaluate_jacobian | evaluate_Phi | evaluate_nu;
      Status status = system_.evaluate(next.t, next.x, next.v, {}, renew ? parts | evaluate_dynamics : parts);
      if (status && renew) {
        status = linearization_.linearize(held(next), next.lambda);
        if (status) status = implicit_.prepare(c_0, c_1);
        flag.prepared_step = status ? h : 0;
        flag.worn = 0;
        renewed = true;
      }
      ++result.newton_iterations;
      if (!status) return status;
      const double unbalanced = residual(next), before = violation;
      violation = violated_rows(next, h, c_0, c_1);
      const bool hold = i > 0 && rows_hold(i > 1 ? before : 0, violation, next.x);
      bool done = hold && unbalanced <= s_.tolerance;
      if (!done) {
        status = implicit_.solve_implicit({product_.data(), n_}, {rows_.data(), m_}, {change_.data(), n_},
                                          {change_lambda_.data(), m_});  // (5)
        if (!status) return status;
        u += change_;
        next.lambda.map() += change_lambda_;
        const double moved_before = moved;
        moved = c_0 * largest(change_);
        slow = slow || (i > 0 && moved > slowest * moved_before &&
                        moved > std::max(c_0 * s_.tolerance * largest(u), play * flag.row_noise));
        advance(s_, state, h, a_0, u_0, u, a_1, next);
        done = convergence.done(change_, u, u_0);
        stuck = !done && Convergence::stagnant(moved, moved_before, next.x);
        done = done || (stuck && renewed) ||
               (always_new && Convergence::free_play(moved, moved_before, violation, next.x));
      }
      if (!done) continue;
      flag.worn = slow || i + 1 > patience;
      history_.rate(true) = u;
      if (s_.weighs_forces) {
        Map F = history_.force(true);
        system_.apply_mass(held(next), {F.data(), n_});
        F -= s_.force_weight() * history_.force();
      }
      return runs_away(next, h) ? Status::failure(StatusCode::failed, "velocities run away from the constraints:")
                                : status;
    }
    return convergence.failure(moved);
  }

  /// rows_ of (5). Returns how far rows are violated; those of velocities by what they come to in a step.
  double violated_rows(const StateView& next, double h, double c_0, double c_1) {
    const double violation = largest(system_.Phi().map());
    if (level_ == nullptr || level_->velocity_row_count() == 0) {
      rows_ = -system_.Phi().map() / c_0;
      return violation;
    }
    system_.apply_jacobian(next.v, {rows_.data(), m_});
    double slip = 0;
    for (Index r = 0; r < m_; ++r) {
      const double off = system_.nu()[r] - rows_[r];
      const bool of_velocity = level_->is_velocity_row(r);
      rows_[r] = of_velocity ? off / c_1 : -system_.Phi()[r] / c_0;
      if (of_velocity) slip = std::max(slip, std::abs(h * off));
    }
    return std::max(violation, slip);
  }

  /// Whether velocities are off the constraints by about their own size. Positions are held, so that only a method that
  /// keeps or feeds what disturbs its multipliers comes to that.
  bool runs_away(const StateView& next, double h) {
    constexpr double share = 0.5, rounding = 1e-9;
    system_.apply_jacobian(next.v, {rows_.data(), m_});
    const double off = largest(rows_ - system_.nu().map()), speed = largest(next.v.map());
    double& fastest = history_.flag.fastest;
    const bool away = off > share * fastest && off > share * speed && h * off > rounding * Convergence::size(next.x);
    fastest = std::max(fastest, speed);
    return away;
  }

  /// What M multiplies: u, or u + w u_0 of (5).
  ConstVectorView held(const StateView& next) {
    if (!s_.weighs_forces) return next.a;
    held_ = next.a.map() + s_.force_weight() * history_.rate();
    return {held_.data(), n_};
  }

  /// product_ = Q - M u - Phi_q^T lambda, or the same of (5); its largest component relative to its three terms, those of nothing but
  /// rounding relative to the largest.
  double residual(const StateView& next) {
    constexpr double least_share = 1e-4;
    system_.apply_jacobian_transpose(next.lambda, {force_.data(), n_});
    system_.apply_mass(held(next), {product_.data(), n_});
    if (s_.weighs_forces) product_ -= s_.force_weight() * history_.force();
    const auto Q = system_.Q().map();
    double most = 0, unbalanced = 0;
    for (Index i = 0; i < n_; ++i) most = std::max({most, std::abs(Q[i]), std::abs(product_[i]), std::abs(force_[i])});
    for (Index i = 0; i < n_; ++i) {
      const double terms = std::abs(Q[i]) + std::abs(product_[i]) + std::abs(force_[i]) + least_share * most;
      product_[i] = Q[i] - product_[i] - force_[i];
      if (!(std::abs(product_[i]) <= unbalanced * terms)) unbalanced = std::abs(product_[i]) / terms;
    }
    return unbalanced;
  }

  /// Whether iterations can make nothing more of the constraints, whose rounding, divided by c_0, is in the
  /// accelerations: they are violated by no less than the iteration `before` (0: not known), or by what was left at
  /// such an end. That is forgotten slowly, so that it is found again.
  bool rows_hold(double before, double violation, ConstVectorView x) {
    constexpr double known = 4, memory = 0.98, rounding = 1e-12;
    double& noise = history_.flag.row_noise;
    const bool usual = violation <= known * noise;
    if (usual) {
      noise *= memory;
    } else if (before > 0 && violation >= 0.5 * before && violation <= rounding * Convergence::size(x)) {
      noise = std::max(noise, violation);
      return true;
    }
    return usual;
  }

  const Scheme& s_;
  ConstrainedSystem& system_;
  ConstrainedLinearization& linearization_;
  ImplicitSolve& implicit_;
  const VelocityLevel* level_;
  Index n_, m_;
  History history_;
  Map force_, product_, change_, rows_, change_lambda_, lambda_0_, held_;
};

}  // namespace trammel::generalized_alpha
