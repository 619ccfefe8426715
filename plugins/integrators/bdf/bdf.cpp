// Plugin `bdf`: backward differentiation formulas of order 1 to 5 on M^ x'' = Q^(t, x, x').
//
// With y = (x, x'), c = h / gamma_k and (1), (2) of grid.h a step is one system in the acceleration a_1:
//   x'_1 = x'^p - psi_x' + c a_1,   x_1 = x^p - psi_x + c x'_1,   a_1 = f(t_1, x_1, x'_1)                           (5)
// Its error is (y_1 - y^p) / (k + 1) = nabla^{k+1} y / (k + 1), that of the orders k - 1 and k + 1 nabla^k y / k and
// nabla^{k+2} y / (k + 2). Order and step are kept for k + 1 steps at least, so that these differences exist; then the
// order with the longest step is taken if that step is longer (Shampine, Reichelt 1997, section 2.3, as in ode15s).
// With fixed steps the first k - 1 are made by `sdirk4`, whose error does not show up to order 5.
#include <cmath>

#include "grid.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/methods/sdirk.h"
#include "trammel/sdk/methods/tableaus/sdirk.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Bdf final : public Integrator, protected IntegratorChannels {
  using Newton = sdk::SimplifiedNewton;
  using Layout = sdk::StateLayout;
  using Map = bdf::Map;
  using Starter = sdk::Sdirk<sdk::tableaus::Sdirk4>;

 public:
  enum class Control : std::int32_t { variable, fixed };

  struct Parameters {
    std::int64_t order;
    Control control;
    double newton_tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, order, "1", "Order; with control variable the highest.")
          .at_least(1)
          .at_most(bdf::highest_order)
          .otherwise("5"),
      TRAMMEL_FIELD(Parameters, control, "1", "Order and step controlled by the error, or both fixed.")
          .choices("variable|fixed")
          .otherwise("\"variable\""),
      TRAMMEL_FIELD(
          Parameters, newton_tolerance, "1",
          "Error of the Newton iteration, as a part of the run's tolerances; fixed steps iterate to rounding.")
          .above(0)
          .otherwise("0.01"));

  explicit Bdf(const Parameters& p)
      : order_(static_cast<int>(p.order)),
        fixed_(p.control == Control::fixed),
        tolerance_(p.newton_tolerance),
        starter_({.error_filter = false, .newton_tolerance = p.newton_tolerance}) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = traits.interpolation_order = order_;
    traits.error_order = fixed_ ? 0 : 1;  // that of the first steps
    traits.self_controlled = !fixed_;
    traits.implicit = true;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<Kept>(size.n, starter_), std::max(Layout::size<Work>(size.n), starter_.memory(size).scratch)};
  }

  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.newton.forget();
    kept.points = 0;
    return starter_.start(problem, state, kept.starter(memory));
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    const Index n = state.x.size;
    const Kept m = kept_in(memory, state);
    Work work = Layout::place<Work>(memory.scratch, n);
    StepResult result;
    if (m.points == 0) result.status = begin(problem, state, h, m, work);
    if (!result.status) return result;
    const bdf::Grid& tried = m.tried;
    tried.copy(m.accepted);
    m.by_starter = fixed_ && m.points < order_;
    if (m.by_starter != 0) {
      result = starter_.attempt(problem, state, h, next, {}, m.starter(memory));
      Map& y_1 = work.y;
      y_1 << next.x.map(), next.v.map();
      tried.push(y_1, static_cast<int>(m.points));
      m.tried_step = h;
      return result;
    }

    const int k = static_cast<int>(m.order);
    m.tried_order = k;
    m.tried_equal = m.equal_steps;
    m.tried_step = std::abs(h - m.step) < 1e-10 * std::abs(h) ? m.step : h;  // rounding of t does not count
    if (m.tried_step != m.step) {
      tried.stretch(k, h / m.step);
      m.tried_equal = 0;
    }
    result.h = h;
    result.order = k;
    Map &y_p = work.y, &psi = work.psi;
    Newton newton(problem, state, tolerance_, m.newton, work.newton);
    result.status = solve(newton, tried, k, m.tried_step, state.t + h, next, work);
    result.newton_iterations = newton.iterations();
    if (!result.status) return result;
    tried.predict(k, y_p);
    psi << next.x.map(), next.v.map();
    psi -= y_p;
    if (!fixed_) judge(newton, tried, k, h, psi, result, error, m);
    tried.advance(k, psi);
    if (!fixed_ && !result.rejected) plan(newton, tried, k, result, m);
    return result;
  }

  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override {
    const Index n = state.x.size;
    const Kept m = kept_in(memory, state);
    const bdf::Grid& at = m.accepted;
    at.copy(m.tried);
    if (changed) {
      at.nabla[0].head(n) = state.x.map();
      at.nabla[0].tail(n) = state.v.map();
    }
    m.points += 1;
    m.failures = 0;
    m.step = m.tried_step;
    if (m.by_starter != 0) {
      starter_.accept(problem, state, changed, m.starter(memory));
      m.told_order = sdk::tableaus::Sdirk4::order;
      return;
    }
    m.newton.accepted();
    m.told_order = m.tried_order;
    m.told_error = m.tried_error;
    m.equal_steps = m.tried_equal + 1;
    if (fixed_ || m.next_order == 0) return;
    m.order = m.next_order;
    m.equal_steps = 0;
  }
  /// The grid stays; after errors that were too large, so does the plan for the next attempt.
  void reject(const Memory&) const override {}

  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Index n = from.x.size;
    const Kept m = kept_in(memory, from);
    if (m.by_starter != 0) return starter_.interpolate(problem, from, to, t, out, m.starter(memory));
    Map y = Layout::place<Work>(memory.scratch, n).y;
    m.tried.value(static_cast<int>(m.tried_order), (t - to.t) / (to.t - from.t), y);
    out.x.map() = y.head(n);
    out.v.map() = y.tail(n);
    return Status::success();
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<IntegratorChannels, MethodFamily>(id, this, &sdk::backward_differentiation_family);
  }
  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "order" : "local_error"; }
  double channel(Index i, const Memory& memory) const override {
    const auto m = Layout::place<Record>(memory.state);
    return i == 0 ? m.told_order : m.told_error;
  }

 private:
  struct Record {
    explicit Record(Layout& at)
        : newton(at),
          points(at.number()),
          order(at.number()),
          step(at.number()),
          equal_steps(at.number()),
          failures(at.number()),
          by_starter(at.number()),
          tried_order(at.number()),
          tried_step(at.number()),
          tried_equal(at.number()),
          tried_error(at.number()),
          next_order(at.number()),
          told_order(at.number()),
          told_error(at.number()) {}
    Newton::Kept newton;
    double& points;       ///< steps since the start + 1; 0: not begun
    double& order;        ///< of the next step
    double& step;         ///< of the accepted grid
    double& equal_steps;  ///< made with this order and step
    double& failures;     ///< errors too large in a row
    double& by_starter;   ///< the last attempt was a step of the starter
    double &tried_order, &tried_step, &tried_equal, &tried_error;
    double& next_order;  ///< planned by the last attempt, 0: no change
    double &told_order, &told_error;
  };
  struct Kept : Record {
    Kept(Layout& at, Index n, const Starter& method)
        : Record(at),
          accepted(at, 2 * n),
          tried(at, 2 * n),
          of_starter(at.numbers(method.memory({n, 0, ViewKind::second_order}).state)) {}
    Memory starter(const Memory& memory) const { return {of_starter, memory.scratch}; }
    bdf::Grid accepted, tried;
    double* of_starter;
  };
  /// Of a step that is not the starter's.
  struct Work {
    Work(Layout& at, Index n) : y(at.vector(2 * n)), psi(at.vector(2 * n)), newton(at, n) {}
    Map y, psi;
    Newton::Work newton;
  };
  Kept kept_in(const Memory& memory, const ConstStateView& state) const {
    return Layout::place<Kept>(memory.state, state.x.size, starter_);
  }

  Status begin(const Problem& problem, const ConstStateView& state, double h, const Kept& m, Work& work) const {
    const Index n = state.x.size;
    Map &y = work.y, &change = work.psi;
    const Status status = problem.second_order->acceleration(state.t, state.x, state.v, {change.data() + n, n});
    if (!status) return status;
    y << state.x.map(), state.v.map();
    change.head(n) = state.v.map();
    change *= h;
    m.accepted.begin({y.data(), 2 * n}, {change.data(), 2 * n});
    m.points = 1;
    m.order = fixed_ ? order_ : 1;
    m.step = h;
    m.equal_steps = m.failures = 0;
    return status;
  }

  /// (5)
  static Status solve(Newton& newton, const bdf::Grid& at, int k, double h, double t, const StateView& next,
                      Work& work) {
    const Index n = next.x.size;
    const double c = h / bdf::gamma(k);
    return newton.attempt(c, [&] {
      Map &p = work.y, &psi = work.psi;
      at.predict(k, p);
      at.psi(k, psi);
      p -= psi;
      psi /= c;
      const Map p_x(p.data(), n), p_v(p.data() + n, n);
      Map a(psi.data() + n, n);  // from x'_1 = x'^p
      return newton.solve(t, p_x, p_v, a, next.x, next.v);
    });
  }

  /// What a step can be multiplied with for an error, made with order k, to be tolerated.
  static double factor(double error, int k, double safety) {
    return error > 0 ? std::min(1 / (safety * std::pow(error, 1.0 / (k + 1))), 10.0) : 10;
  }

  /// Whether the error, whose difference is `correction`, is too large, and what then.
  void judge(const Newton& newton, const bdf::Grid& at, int k, double h, const Map& correction, StepResult& result,
             VectorView error, const Record& m) const {
    const Index n = static_cast<Index>(correction.size() / 2);
    if (error.size > 0) error.map() = correction / (k + 1);
    const double e = m.tried_error = newton.norm(correction.head(n), correction.tail(n)) / (k + 1);
    if (!std::isfinite(e)) result.status = Status::failure(StatusCode::not_finite, "error estimate");
    if (!result.status || e <= 1) return;
    result.rejected = true;
    double best = factor(e, k, 1.2);
    if (k > 1) {
      const double lower =
          newton.norm(at.nabla[k].head(n) + correction.head(n), at.nabla[k].tail(n) + correction.tail(n)) / k;
      if (const double other = factor(lower, k - 1, 1.3); other > best) m.order = k - 1, best = other;
    }
    if (++m.failures > 1) best = std::min(best, 0.5);
    result.h_next = h * std::clamp(best, 0.1, 0.9);
  }

  /// Order and step after a step that will be accepted, whose end `at` is.
  void plan(const Newton& newton, const bdf::Grid& at, int k, StepResult& result, const Record& m) const {
    m.next_order = 0;
    result.h_next = m.tried_step;
    if (m.tried_equal < k + 1) return;
    const auto norm = [&](int j) {
      const Map nabla = at.nabla[j];
      const Index n = static_cast<Index>(nabla.size() / 2);
      return newton.norm(nabla.head(n), nabla.tail(n));
    };
    double best = factor(m.tried_error, k, 1.2);
    int chosen = k;
    const auto consider = [&](int j, double safety) {
      if (j < 1 || j > order_) return;
      const double other = factor(norm(j + 1) / (j + 1), j, safety);
      if (other > best) best = other, chosen = j;
    };
    consider(k - 1, 1.3);
    consider(k + 1, 1.4);
    if (best <= 1) return;
    m.next_order = chosen;
    result.h_next = m.tried_step * best;
  }

  int order_;
  bool fixed_;
  double tolerance_;
  Starter starter_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("bdf", "1.0.0", "BSD-3-Clause",
               component<Bdf>(Host::any, "bdf", "BDF of order 1 to 5, variable order and step or both fixed.",
                              "Shampine, Reichelt, SIAM J. Sci. Comput. 18 (1997); Hairer, Wanner (1996), V.1"));
