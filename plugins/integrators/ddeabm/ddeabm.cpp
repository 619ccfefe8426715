// Plugin `ddeabm`: the variable-order, variable-step Adams PECE method of Shampine and Gordon.
//
// Shampine, Gordon, Computer Solution of Ordinary Differential Equations: The Initial Value Problem (1975), chapters 5
// to 10; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, III.5 and III.7. With the differences and
// coefficients (1) to (5) of trammel/sdk/methods/divided_differences.h, gamma*_j those of the Adams-Moulton formulas:
//   p = y_n + h sum_{j<k} g_j phi*_j(n)                                    predictor of order k (6) D = f(x_{n+1}, p) -
//   sum_{j<k} phi*_j(n)                                phi_k(n+1) with the predicted f           (7) y_{n+1} = p + h
//   g_k D                                                  corrector of order k + 1                  (8) err = |h (g_k
//   - g_{k-1}) D|                                            against the corrector of order k          (9) ER_j = |h
//   sigma_j gamma*_j phi_j(n+1)|, j = k-2, k-1, k, k+1           as if made with order j at equal steps   (10) y(x) =
//   y_n + h (sum_{j<k} g_j(x) phi*_j(n) + g_k(x) D)                 dense output                             (11)
// A step is accepted if err <= 1 in the norm of the run. Order and step of the next follow from (10): the lowest order
// whose estimate is not larger; double the step, keep it, or shrink it to 0.5 ... 0.9 of it. At the start order and
// step rise together until an estimate objects.
//
// The second evaluation of a step, f(x_{n+1}, y_{n+1}), is made when the next one begins: at the state that the kernel
// accepted, also where a projection moved it, so that the history needs no repair and no third evaluation.
#include <cmath>
#include <limits>

#include "history.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/error_weights.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

using namespace ddeabm;

class Ddeabm final : public Integrator, protected IntegratorAdvice, protected IntegratorChannels {
  using Map = History::Map;
  static constexpr double rounding_unit = std::numeric_limits<double>::epsilon();

 public:
  struct Parameters {
    std::int64_t max_order;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, max_order, "1", "Highest order k of the predictor.")
                                 .at_least(1)
                                 .at_most(12)
                                 .otherwise("12"));

  explicit Ddeabm(const Parameters& p) : max_k_(static_cast<int>(p.max_order)) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = max_k_;
    traits.error_order = max_k_;
    traits.interpolation_order = max_k_;
    traits.self_controlled = true;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<History>(size.n), Layout::size<Work>(size.n)};
  }

  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    const auto history = Layout::place<Record>(memory.state);
    history.fresh = 1;
    history.pending = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double limit, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    const Index n = state.x.size;
    const auto history = Layout::place<History>(memory.state, n);
    Work work = Layout::place<Work>(memory.scratch, n);
    StepResult result;
    result.status = settle(problem, state, limit, history, work);
    if (!result.status) return result;

    // Within rounding of the limit the step ends there.
    const bool to_the_limit = !(history.h < std::abs(limit) * (1 - 1e-9));
    const double h = to_the_limit ? limit : std::copysign(history.h, limit);
    const int k = static_cast<int>(history.k);
    const Grid grid = history.grid();
    const Coefficients beta = grid.beta(h, k), g = grid.integrals(h, h, k + 1), sigma = grid.sigma(h, k + 1);
    const auto y = state.x.map();
    Map sum = work.sum.map(), rate = work.rate.map(), y_1 = next.x.map();
    Map D = history.predicted(), carried = history.carry_attempted();
    result.h = history.last_h = h;
    result.order = k;
    history.last_k = k;
    history.last_g = g[Grid::at(k)];

    sum.setZero();  // small terms first
    D.setZero();
    for (int j = k - 1; j >= 0; --j) {
      sum += g[Grid::at(j)] * beta[Grid::at(j)] * history.phi(j);
      D -= beta[Grid::at(j)] * history.phi(j);
    }
    add(y, h, sum, history.carry(), y_1, carried);  // (6)
    result.status = problem.ode->rhs(state.t + h, next.x, {rate.data(), n});
    if (!result.status) return result;
    D += rate;  // (7)
    const sdk::ErrorWeights weights(problem.tolerances, problem.ode->mask(), state.x, next.x, work.sum);
    result.status = weights.reachable(y);
    if (!result.status) return result;
    estimate(history, weights, beta, sigma, rate, k, h);
    const double err = std::abs(h * (g[Grid::at(k)] - g[Grid::at(k - 1)])) * weights.norm(D);  // (9)
    history.error = err;
    if (error.size > 0) error.map() = h * (g[Grid::at(k)] - g[Grid::at(k - 1)]) * D;
    rate = y_1;
    sum = g[Grid::at(k)] * D;
    add(rate, h, sum, carried, y_1, carried);  // (8)
    if (!std::isfinite(err)) {
      result.status = Status::failure(StatusCode::not_finite, "error estimate");
      return result;
    }
    if (err <= 1) {
      result.h_next = 2 * std::abs(h);
      return result;
    }
    result.rejected = true;
    result.h_next = plan_after_failure(history, h);
    return result;
  }

  void accept(const Problem&, const ConstStateView& state, bool changed, const Memory& memory) const override {
    const auto history = Layout::place<History>(memory.state, state.x.size);
    history.pending = 1;
    history.failures = 0;
    if (changed) {
      history.carry().setZero();
    } else {
      history.carry() = history.carry_attempted();
    }
  }

  /// All that an attempt leaves behind belongs to the state it started from; after errors that were too large, the plan
  /// for the next attempt.
  void reject(const Memory&) const override {}

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView&, double t, const StateView& out,
                     const Memory& memory) const override {
    const auto history = Layout::place<History>(memory.state, from.x.size);
    const int k = static_cast<int>(history.last_k);
    if (k == 0) return Status::failure(StatusCode::unsupported, "no step yet");
    const double h = history.last_h;
    const Coefficients beta = history.grid().beta(h, k), g = history.grid().integrals(h, t - from.t, k + 1);
    Map sum = Layout::place<Work>(memory.scratch, from.x.size).sum.map(), y = out.x.map();
    sum = g[Grid::at(k)] * history.predicted();
    for (int j = k - 1; j >= 0; --j) sum += g[Grid::at(j)] * beta[Grid::at(j)] * history.phi(j);
    y = from.x.map() + h * sum;  // (11)
    return Status::success();
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<IntegratorAdvice, IntegratorChannels, MethodFamily, EvaluatesAtEnds>(
        id, this, this, &sdk::adams_family, &sdk::evaluates_at_ends);
  }

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "order" : "local_error"; }
  double channel(Index i, const Memory& memory) const override {
    const auto history = Layout::place<Record>(memory.state);
    return i == 0 ? history.last_k : history.error;
  }

  const char* advice(const Memory& memory) const override {
    if (Layout::place<Record>(memory.state).stiff == 0) return nullptr;
    return "the problem looks stiff to 'ddeabm': its steps are held small by stability, not by accuracy; an implicit "
           "method would take longer ones";
  }

 private:
  struct Work {
    Work(Layout& at, Index n) : sum(at.vector(n)), rate(at.vector(n)) {}
    VectorView sum, rate;
  };

  /// Brings the history to the state at hand, once for all attempts from it: f there, the differences, the plan.
  Status settle(const Problem& problem, const ConstStateView& state, double limit, const History& history,
                const Work& work) const {
    if (history.fresh == 0 && history.pending == 0) return Status::success();
    Map rate = work.rate.map();
    const Status status = problem.ode->rhs(state.t, state.x, work.rate);
    if (!status) return status;
    const sdk::ErrorWeights weights(problem.tolerances, problem.ode->mask(), state.x, state.x, work.sum);
    if (history.fresh != 0) {
      begin(history, weights, rate, state.t, limit);
    } else {
      history.push(rate);
      watch_stiffness(history, weights);
      plan(history, weights, state.t);
    }
    history.fresh = history.pending = 0;
    return status;
  }

  void begin(const History& history, const sdk::ErrorWeights& weights, const Map& rate, double t, double limit) const {
    for (int j = 1; j < columns; ++j) history.phi(j).setZero();
    history.phi(0) = rate;
    history.carry().setZero();
    std::fill_n(history.span, columns, 0.0);
    history.points = 1;
    history.k = 1;
    history.starting = 1;
    history.equal_steps = history.failures = history.h_before = history.evidence = history.last_k = 0;
    // The error of order 1 is h^2 y'' / 2; h |y'| stands for h^2 |y''|, and a quarter of the root is on the safe side.
    const double slope = weights.norm(rate), safe = 0.25 / std::sqrt(slope);
    history.h = std::max(slope > 0 ? std::min(safe, std::abs(limit)) : std::abs(limit), least(t));
  }

  /// (10), and whether it speaks for a lower order. `work` is overwritten.
  static void estimate(const History& history, const sdk::ErrorWeights& weights, const Coefficients& beta,
                       const Coefficients& sigma, Map& work, int k, double h) {
    const auto at_order = [&](int j) { return std::abs(h * sigma[Grid::at(j)] * star(j)) * weights.norm(work); };
    work = history.predicted();
    const double error_k = at_order(k);
    double below = 0, two_below = 0;
    if (k >= 2) {
      work += beta[Grid::at(k - 1)] * history.phi(k - 1);
      below = at_order(k - 1);
    }
    if (k >= 3) {
      work += beta[Grid::at(k - 2)] * history.phi(k - 2);
      two_below = at_order(k - 2);
    }
    history.error_k = error_k;
    history.error_below = below;
    history.lower = (k > 2 && std::max(below, two_below) <= error_k) || (k == 2 && below <= 0.5 * error_k);
  }

  /// Order and step after an accepted step, whose end is in the history.
  void plan(const History& history, const sdk::ErrorWeights& weights, double t) const {
    const double h = history.last_h;
    int k = static_cast<int>(history.last_k);
    history.equal_steps = h == history.h_before ? history.equal_steps + 1 : 1;
    history.h_before = h;
    double error = history.error_k;
    const auto raise = [&] { ++k; };
    const auto lower = [&] { --k, error = history.error_below; };
    if (history.lower != 0 || k >= max_k_) history.starting = 0;
    if (history.starting != 0) {
      raise();
      history.k = k;
      history.h = 2 * std::abs(h);
      return;
    }
    if (history.lower != 0) {
      lower();
    } else if (history.equal_steps > k && k < max_k_) {  // else phi_{k+1} is not that of equal steps
      const double above = std::abs(h * star(k + 1)) * weights.norm(history.phi(k + 1));
      if (k > 1 && history.error_below <= std::min(error, above)) {
        lower();
      } else if (above < (k > 1 ? error : 0.5 * error)) {
        raise();
        error = above;
      }
    }
    double factor = 2;
    if (!(0.5 >= error * std::ldexp(1, k + 1))) {
      factor = error <= 0.5 ? 1 : std::clamp(std::pow(0.5 / error, 1.0 / (k + 1)), 0.5, 0.9);
    }
    history.k = k;
    history.h = std::max(factor * std::abs(h), least(t));
  }

  /// Half the step; from the third failure in a row on order 1, and what its error allows.
  static double plan_after_failure(const History& history, double h) {
    double factor = 0.5;
    history.starting = 0;
    history.equal_steps = history.h_before = 0;
    ++history.failures;
    if (history.failures > 3 && 0.5 < 0.25 * history.error_k) factor = std::sqrt(0.5 / history.error_k);
    if (history.failures >= 3) {
      history.k = 1;
    } else if (history.lower != 0) {
      history.k = std::max(1.0, history.k - 1);
    }
    history.h = factor * std::abs(h);
    return history.h;
  }

  /// Fifty steps of order 4 or less are what Shampine and Gordon take for stiffness. Loose tolerances have them too, so
  /// the step must in addition be near the end of the stability interval: D and phi_k(n+1), which differ by f(y_{n+1})
  /// - f(p), tell h times the eigenvalue that rules the corrector.
  void watch_stiffness(const History& history, const sdk::ErrorWeights& weights) const {
    constexpr double enough = 50, near_the_limit = -0.4;
    const int k = static_cast<int>(history.last_k);
    const Map D = history.predicted(), phi_k = history.phi(k);
    double product = 0, square = 0;
    for (Index i = 0; i < D.size(); ++i) {
      const double w = weights[i], d = w * D[i];
      product += d * (w * phi_k[i] - d);
      square += d * d;
    }
    const double z = square > 0 ? product / (history.last_g * square) : 0;
    history.evidence = k <= 4 && z < near_the_limit ? history.evidence + 1 : std::max(0.0, history.evidence - 2);
    if (history.evidence >= enough) history.stiff = 1;
  }

  /// y_1 = y + h sum, with the rounding error of the addition fed into the next one (Shampine, Gordon, chapter 9).
  template <class Vector>
  static void add(const Vector& y, double h, const Map& sum, const Map& carry, Map& y_1, Map& carry_1) {
    for (Index i = 0; i < y.size(); ++i) {
      const double change = h * sum[i] - carry[i], moved = y[i] + change;
      carry_1[i] = (moved - y[i]) - change;
      y_1[i] = moved;
    }
  }

  static double star(int j) { return sdk::adams_gamma_star[Grid::at(j)].value(); }
  static double least(double t) { return 4 * rounding_unit * std::abs(t); }

  int max_k_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("ddeabm", "1.0.0", "BSD-3-Clause",
               component<Ddeabm>(Host::any, "ddeabm",
                                 "Adams PECE of variable order (1 to 12) and step, after Shampine and Gordon.",
                                 "Shampine, Gordon, Computer Solution of Ordinary Differential Equations (1975)"));
