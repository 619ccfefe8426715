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

namespace trammel::sdk {

/// `Table` is a struct of static constexpr members: `steps` k, `order`, `alpha` and `beta` (k entries, newest first);
/// for a corrector `beta_corrector` (k + 1 entries, that of f_{n+1} first) and, if not (1, 0, ...), `alpha_corrector`.
template <class Table>
class ExplicitMultistep final : public Integrator {
  using Map = Eigen::Map<Eigen::VectorXd>;
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

  /// state: [counters, f_n ... f_{n-k+1}, y_n ... y_{n-k+1}, state of the starting method]
  MemorySize memory(const ProblemSize& size) const override {
    const MemorySize starter = starter_.memory(size);
    const Index scratch = 2 * size.n + 1 + starter.state;
    return {flags + 2 * k * size.n, scratch + starter.scratch};
  }

  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    memory.state[known] = memory.state[fresh] = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const Index n = state.x.size;
    StepResult result;
    result.status = enter(problem, state, memory);
    if (!result.status) return result;
    if (memory.state[known] < k) {
      result.status = starting_step(problem, state, h, next, memory);
    } else {
      combine(Table::alpha, Table::beta.data(), n, h, next.x.map(), memory);  // (1)
      if constexpr (corrects) result.status = correct(problem, next, h, memory);
    }
    for (Index i = 0; result.status.ok() && i < n; ++i) {
      if (!std::isfinite(next.x[i])) {
        result.status = Status::failure(StatusCode::not_finite, "a component of the new state", i, next.x[i]);
      }
    }
    return result;
  }

  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    memory.state[fresh] = 0;  // the next attempt evaluates f at the accepted state, corrected or not
  }

 private:
  enum Counter { known, fresh, flags };

  static Map f(const Memory& memory, int j, Index n) { return Map(memory.state + flags + j * n, n); }
  static Map y(const Memory& memory, int j, Index n) { return Map(memory.state + flags + (k + j) * n, n); }

  /// Moves the history on by one state, once per accepted step.
  Status enter(const Problem& problem, const ConstStateView& state, const Memory& memory) const {
    if (memory.state[fresh] != 0) return Status::success();
    const Index n = state.x.size;
    const VectorView value{memory.scratch, n};
    const Status status = problem.ode->rhs(state.t, state.x, value);
    if (!status) return status;
    for (int j = k - 1; j > 0; --j) f(memory, j, n) = f(memory, j - 1, n), y(memory, j, n) = y(memory, j - 1, n);
    f(memory, 0, n) = value.map();
    y(memory, 0, n) = state.x.map();
    if (memory.state[known] < k) memory.state[known] += 1;
    memory.state[fresh] = 1;
    return status;
  }

  Status starting_step(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                       const Memory& memory) const {
    const Index n = state.x.size;
    double* own = memory.scratch + n;
    const Memory inner{own + n, own + n + starter_.memory({n, 0}).state};
    const Status status = starter_.start(problem, state, inner);
    if (!status) return status;
    return starter_.attempt(problem, state, h, next, {own, n}, inner).status;
  }

  Status correct(const Problem& problem, const StateView& next, double h, const Memory& memory) const {
    const Index n = next.x.size;
    const VectorView predicted{memory.scratch, n};
    const Status status = problem.ode->rhs(next.t, next.x, predicted);
    if (!status) return status;
    if constexpr (requires { Table::alpha_corrector; }) {
      combine(Table::alpha_corrector, Table::beta_corrector.data() + 1, n, h, next.x.map(), memory);
    } else {
      constexpr std::array<double, k> newest{1.0};
      combine(newest, Table::beta_corrector.data() + 1, n, h, next.x.map(), memory);
    }
    next.x.map() += h * Table::beta_corrector[0] * predicted.map();  // (2)
    return status;
  }

  static void combine(const std::array<double, k>& alpha, const double* beta, Index n, double h, Map sum,
                      const Memory& memory) {
    sum.setZero();
    for (int j = 0; j < k; ++j) {
      if (alpha[static_cast<std::size_t>(j)] != 0) sum += alpha[static_cast<std::size_t>(j)] * y(memory, j, n);
      if (beta[j] != 0) sum += h * beta[j] * f(memory, j, n);
    }
  }

  Starter starter_;
};

}  // namespace trammel::sdk
