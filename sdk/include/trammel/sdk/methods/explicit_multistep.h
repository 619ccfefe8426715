// Linear multistep methods with fixed steps: one implementation for every table. A new method is its table.
//
//   predictor  y_{n+1} = sum_j alpha_j y_{n-j} + h sum_j beta_j f_{n-j},  j = 0 ... k - 1                           (1)
//   corrector  y_{n+1} = sum_j alpha*_j y_{n-j} + h (beta*_0 f(t_{n+1}, y_{n+1} of (1)) + sum_j beta*_{j+1} f_{n-j}) (2)
//
// Without a corrector a step costs one evaluation; with one it is predict, evaluate, correct, and the evaluation at the
// new state that the next step begins with (PECE). The first k - 1 steps are steps of DOP853, of order 8. After a
// correction from outside the newest f is that of the corrected state; older ones stay.
#pragma once

#include <array>
#include <cmath>

#include "trammel/integrator.h"
#include "trammel/sdk/methods/explicit_runge_kutta.h"
#include "trammel/sdk/methods/tableaus/dopri853.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// `Table` is a struct of static constexpr members: `steps` k, `order`, `alpha` and `beta` (k entries, newest first);
/// for a corrector `beta_corrector` (k + 1 entries, that of f_{n+1} first) and, if not (1, 0, ...), `alpha_corrector`.
template <class Table>
class ExplicitMultistep final : public Integrator {
  using Map = StateLayout::Map;
  using Starter = ExplicitRungeKutta<tableaus::Dopri853>;
  static constexpr int k = Table::steps;
  static constexpr bool corrects = requires { Table::beta_corrector; };
  static_assert(k >= 1 && Table::order <= 8, "methods of order above 8 need another starting procedure");
  static_assert(Table::alpha.size() == k && Table::beta.size() == k, "alpha and beta have one entry per step");
  static constexpr bool corrector_fits() {
    if constexpr (corrects) return Table::beta_corrector.size() == k + 1;
    return true;
  }
  static_assert(corrector_fits(),
                "beta_corrector has one entry more than there are steps: that of f_{n+1} comes first");

 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = Table::order;
    traits.interpolation_order = Table::order < 3 ? Table::order : 3;
    traits.variable_step = false;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {StateLayout::size<Kept>(size.n), StateLayout::size<Work>(size.n, starter_)};
  }

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.known = kept.fresh = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    const Work work = StateLayout::place<Work>(memory.scratch, state.x.size, starter_);
    StepResult result;
    result.status = enter(problem, state, kept, work);
    if (!result.status) return result;
    if (kept.known < k) {
      result.status = starting_step(problem, state, h, next, work);
    } else {
      combine(Table::alpha, Table::beta.data(), h, next.x.map(), kept);  // (1)
      if constexpr (corrects) result.status = correct(problem, next, h, kept, work);
    }
    for (Index i = 0; result.status.ok() && i < state.x.size; ++i) {
      if (!std::isfinite(next.x[i])) {
        result.status = Status::failure(StatusCode::not_finite, "a component of the new state", i, next.x[i]);
      }
    }
    return result;
  }

  void accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const override {
    kept_in(memory, state).fresh = 0;  // the next attempt evaluates f at the accepted state, corrected or not
  }

 private:
  struct Kept {
    Kept(StateLayout& at, Index n) : known(at.number()), fresh(at.number()), f(at.vectors(n, k)), y(at.vectors(n, k)) {}
    double &known, &fresh;      ///< points of the history, and whether the newest is the present state
    StateLayout::Vectors f, y;  ///< f_n ... f_{n-k+1}, y_n ... y_{n-k+1}
  };
  struct Work {
    Work(StateLayout& at, Index n, const Starter& method)
        : rate(at.vector(n)), error(at.vector(n)), starter(at.memory(method.memory({n, 0}))) {}
    VectorView rate, error;
    Memory starter;
  };
  static Kept kept_in(const Memory& memory, const ConstStateView& state) {
    return StateLayout::place<Kept>(memory.state, state.x.size);
  }

  /// Moves the history on by one state, once per accepted step.
  static Status enter(const Problem& problem, const ConstStateView& state, const Kept& kept, const Work& work) {
    if (kept.fresh != 0) return Status::success();
    const Status status = problem.ode->rhs(state.t, state.x, work.rate);
    if (!status) return status;
    for (int j = k - 1; j > 0; --j) kept.f[j] = kept.f[j - 1], kept.y[j] = kept.y[j - 1];
    kept.f[0] = work.rate.map();
    kept.y[0] = state.x.map();
    if (kept.known < k) kept.known += 1;
    kept.fresh = 1;
    return status;
  }

  Status starting_step(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                       const Work& work) const {
    const Status status = starter_.start(problem, state, work.starter);
    if (!status) return status;
    return starter_.attempt(problem, state, h, next, work.error, work.starter).status;
  }

  static Status correct(const Problem& problem, const StateView& next, double h, const Kept& kept, const Work& work) {
    const Status status = problem.ode->rhs(next.t, next.x, work.rate);
    if (!status) return status;
    if constexpr (requires { Table::alpha_corrector; }) {
      combine(Table::alpha_corrector, Table::beta_corrector.data() + 1, h, next.x.map(), kept);
    } else {
      constexpr std::array<double, k> newest{1.0};
      combine(newest, Table::beta_corrector.data() + 1, h, next.x.map(), kept);
    }
    next.x.map() += h * Table::beta_corrector[0] * work.rate.map();  // (2)
    return status;
  }

  static void combine(const std::array<double, k>& alpha, const double* beta, double h, Map sum, const Kept& kept) {
    sum.setZero();
    for (int j = 0; j < k; ++j) {
      if (alpha[static_cast<std::size_t>(j)] != 0) sum += alpha[static_cast<std::size_t>(j)] * kept.y[j];
      if (beta[j] != 0) sum += h * beta[j] * kept.f[j];
    }
  }

  Starter starter_;
};

}  // namespace trammel::sdk
