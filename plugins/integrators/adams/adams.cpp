// Plugin `adams`: Adams-Bashforth predictor and Adams-Bashforth-Moulton PECE on equidistant steps.
//
// Haug, Computer Aided Kinematics and Dynamics, 7.4; D_i = nabla^i f_n, s = number of the step since the start:
//   y^p = y_n + h sum_{i=0}^{k'-1} gamma_i D_i                   k' = min(s, k)                                   (1)
//   E_0 = f(t_{n+1}, y^p), E_i = E_{i-1} - D_{i-1}               backward differences with the predicted value    (2)
//   y^c = y_n + h sum_{i=0}^{k'} gamma*_i E_i                    corrector order k' + 1                           (3)
// mode predictor ends with (1). The second evaluation of PECE, f(t_{n+1}, y^c), is made at the beginning of the next
// step: so it holds the state that the kernel accepted, also where a projection moved it, and the history stays.
//
// Dense output is the integral of the same interpolation polynomials (7.4.4) from t_n, w_i(u) the integral of their
// basis from 0 to u, sigma = (t - t_n) / h: it meets y_{n+1} by construction.
//   y(sigma) = y_n + h sum w_i(sigma) D_i   or   y_n + h sum (w_i(sigma - 1) - w_i(-1)) E_i                       (4)
//
// The order ramp of the text commits an error of O(h^2) (predictor) or O(h^3) (PECE) in its first step, which no higher
// order afterwards takes back. start runge_kutta begins with steps of order 8 instead and gives the full order.
#include <cmath>

#include "trammel/integrator.h"
#include "trammel/sdk/adams_coefficients.h"
#include "trammel/sdk/backward_differences.h"
#include "trammel/sdk/explicit_runge_kutta.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/tableaus/dopri853.h"

namespace trammel {

class Adams final : public Integrator {
  using Map = Eigen::Map<Eigen::VectorXd>;
  using Starter = sdk::ExplicitRungeKutta<sdk::tableaus::Dopri853>;

 public:
  enum class Mode : std::int32_t { predictor, pece };
  enum class Start : std::int32_t { ramp, runge_kutta };

  struct Parameters {
    std::int64_t order;
    Mode mode;
    Start start;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, order, "1", "Order k of the predictor; the corrector of pece has order k + 1.")
          .at_least(1)
          .at_most(12),
      TRAMMEL_FIELD(Parameters, mode, "1", "Predictor only, or predict, evaluate, correct, evaluate.")
          .choices("predictor|pece")
          .otherwise("\"pece\""),
      TRAMMEL_FIELD(Parameters, start, "1",
                    "Start with rising orders (total order at most 2, pece 3), or with short Runge-Kutta steps.")
          .choices("ramp|runge_kutta")
          .otherwise("\"ramp\""));

  explicit Adams(const Parameters& p)
      : k_(static_cast<int>(p.order)), pece_(p.mode == Mode::pece), ramp_(p.start == Start::ramp) {}

  IntegratorTraits traits() const override {
    const int full = pece_ ? k_ + 1 : k_, ramp = pece_ ? 3 : 2;
    IntegratorTraits traits;
    traits.order = ramp_ && full > ramp ? ramp : full;
    traits.interpolation_order = full;
    traits.variable_step = false;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    MemorySize starter;
    if (!ramp_) starter = starter_.memory(size);
    return {flags + (k_ + 1) * size.n, 2 * size.n + starter.state + starter.scratch};
  }

  Status start(const Problem&, const StateView&, const Memory& memory) const override {
    memory.state[points] = memory.state[f_known] = memory.state[step] = memory.state[terms] = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const StateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const Index n = state.x.size;
    const sdk::BackwardDifferences D = differences(memory, n);
    Map f_p = predicted_rate(memory, n), y = state.x.map(), y_next = next.x.map(), sum(memory.scratch, n);
    StepResult result;

    if (memory.state[f_known] == 0) {  // f_n enters the history, once for all attempts from this state
      result.status = problem.ode->rhs(state.t, state.x, {sum.data(), n});
      if (!result.status) return result;
      D.push(sum);
      memory.state[points] = std::fmin(memory.state[points] + 1, k_);
      memory.state[f_known] = 1;
    }
    const int k = static_cast<int>(memory.state[points]);
    if (k > 1 && std::abs(h - memory.state[step]) > 1e-8 * std::abs(h)) {  // beyond the rounding of t + h - t
      result.status = Status::failure(StatusCode::failed, "the step size changed without a restart", -1, h);
      return result;
    }
    if (k == 1) memory.state[step] = h;
    memory.state[terms] = 0;
    if (!ramp_ && k < k_) return short_steps(problem, state, h, next, memory);

    weigh(
        sdk::adams_gamma, k, [&](int i) -> Map { return D[i]; }, sum);
    y_next = y + h * sum;  // (1)
    if (pece_) {
      result.status = problem.ode->rhs(next.t, next.x, {f_p.data(), n});  // (2)
      if (!result.status) return result;
      Map E(memory.scratch + n, n);
      E = f_p;
      sum = E;
      for (int i = 1; i <= k; ++i) {
        E -= D[i - 1];
        sum += sdk::adams_gamma_star[static_cast<std::size_t>(i)].value() * E;
      }
      y_next = y + h * sum;  // (3)
    }
    memory.state[terms] = k;
    result.status = finite(y_next);
    result.h = h;
    result.order = pece_ ? k + 1 : k;
    return result;
  }

  void accept(const Problem&, const StateView&, bool, const Memory& memory) const override {
    memory.state[f_known] = 0;
  }

  /// What an attempt leaves behind, f_n in the history, belongs to the state it started from.
  void reject(const Memory&) const override {}

  /// (4). The steps of a Runge-Kutta start leave it to the kernel's Hermite polynomial.
  Status interpolate(const Problem&, const StateView& from, const StateView& to, double t, const StateView& out,
                     const Memory& memory) const override {
    const Index n = from.x.size;
    const int k = static_cast<int>(memory.state[terms]);
    if (k == 0) return Status::failure(StatusCode::unsupported, "no dense output in the starting steps");
    const sdk::BackwardDifferences D = differences(memory, n);
    Map sum(memory.scratch, n), E(memory.scratch + n, n), result = out.x.map();
    const double h = to.t - from.t, sigma = (t - from.t) / h;
    double w[sdk::adams_max_order], w_start[sdk::adams_max_order];

    sum.setZero();
    if (pece_) {
      sdk::adams_weights(sigma - 1, k + 1, w);
      sdk::adams_weights(-1, k + 1, w_start);
      E = predicted_rate(memory, n);
      for (int i = 0; i <= k; ++i) {
        if (i > 0) E -= D[i - 1];
        sum += (w[i] - w_start[i]) * E;
      }
    } else {
      sdk::adams_weights(sigma, k, w);
      for (int i = 0; i < k; ++i) sum += w[i] * D[i];
    }
    result = from.x.map() + h * sum;
    return Status::success();
  }

 private:
  // memory.state: [points in the history, whether f_n is one of them, h, k' of the last attempt, D_0 ... D_{k-1}, E_0]
  static constexpr int points = 0, f_known = 1, step = 2, terms = 3, flags = 4;

  sdk::BackwardDifferences differences(const Memory& memory, Index n) const {
    return sdk::BackwardDifferences(memory.state + flags, n, k_);
  }
  Map predicted_rate(const Memory& memory, Index n) const { return Map(memory.state + flags + k_ * n, n); }

  template <class Column>
  static void weigh(const std::array<sdk::Fraction, sdk::adams_max_order>& gamma, int count, const Column& column,
                    Map& sum) {
    sum.setZero();
    for (int i = 0; i < count; ++i) sum += gamma[static_cast<std::size_t>(i)].value() * column(i);
  }

  static Status finite(const Map& y) {
    for (Index i = 0; i < y.size(); ++i) {
      if (!std::isfinite(y[i])) return Status::failure(StatusCode::not_finite, "a component of the new state", i, y[i]);
    }
    return Status::success();
  }

  /// Eight steps of order 8 in place of one: an error near rounding wherever the Adams steps that follow make sense.
  StepResult short_steps(const Problem& problem, const StateView& state, double h, const StateView& next,
                         const Memory& memory) const {
    constexpr int count = 8;
    const Index n = state.x.size;
    double* const begin = memory.scratch + 2 * n;
    ProblemSize size;
    size.n = n;
    const Memory starter{begin, begin + starter_.memory(size).state};
    Map y(memory.scratch, n);
    StateView from;
    from.t = state.t;
    from.x = {memory.scratch, n};
    y = state.x.map();

    StepResult result;
    result.status = starter_.start(problem, from, starter);
    for (int i = 1; i <= count && result.status; ++i) {
      StateView to = next;
      to.t = state.t + h * i / count;
      result = starter_.attempt(problem, from, h / count, to, {}, starter);
      y = next.x.map();
      from.t = to.t;
      starter_.accept(problem, from, false, starter);
    }
    result.h = h;
    return result;
  }

  int k_;
  bool pece_;
  bool ramp_;
  Starter starter_;
};

}  // namespace trammel

TRAMMEL_PLUGIN(
    "adams", "1.0.0", "BSD-3-Clause",
    component<Adams>(Host::any, "adams",
                     "Adams-Bashforth of order 1 to 12, alone or as predictor of Adams-Bashforth-Moulton PECE.",
                     "Haug, Computer Aided Kinematics and Dynamics, 7.4"));
