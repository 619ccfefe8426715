// Adams methods with fixed steps; the formulas are in formula.h.
//
// The order ramp of Haug's text commits an error of O(h^2) (predictor) or O(h^3) (PECE) in its first step, which no
// higher order afterwards takes back. The other starts, but for zero_differences, give the full order.
#include "equidistant.h"

#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::adams {

IntegratorTraits Equidistant::traits() const {
  const int full = o_.orders.highest();
  // The first step of a ramp is of order 1 (with corrector: 2), that of zero_differences always; the error of
  // small_steps depends on h_start, not on h.
  const int start_limit = o_.start == Start::zero_differences || o_.orders.corrector == 0 ? 2 : 3;
  const bool limited = o_.start == Start::ramp || o_.start == Start::zero_differences;
  IntegratorTraits traits;
  traits.order = limited ? std::min(full, start_limit) : full;
  traits.interpolation_order = full;
  traits.variable_step = false;
  return traits;
}

MemorySize Equidistant::memory(const ProblemSize& size) const {
  return {Layout::size<Kept>(size.n, *this), Layout::size<Scratch>(size.n, *this)};
}

Status Equidistant::start(const Problem&, const ConstStateView&, const Memory& memory) const {
  Layout::place<History>(memory.state).forget();  // the counts go on
  return Status::success();
}

Orders Equidistant::at(int points) const {
  if (o_.start == Start::zero_differences || points >= k_) return o_.orders;
  return {points, o_.orders.corrector > 0 ? points + o_.orders.corrector - k_ : 0};
}

StepResult Equidistant::attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                                VectorView, const Memory& memory) const {
  const Index n = state.x.size;
  Kept m = kept_in(memory, state);
  Scratch work = Layout::place<Scratch>(memory.scratch, n, *this);
  const BackwardDifferences& D = m.grid.D;
  StepResult result;
  result.h = h;

  if (m.f_known == 0) {  // f_n enters the history, once for all attempts from this state
    result.status = problem.ode->rhs(state.t, state.x, {work.sum.data(), n});
    if (!result.status) return result;
    D.push(work.sum);
    if (o_.start == Start::zero_differences) {
      for (int i = static_cast<int>(m.points) + 1; i < k_; ++i) D[i].setZero();
    }
    m.points = std::min<double>(m.points + 1, k_);
    m.f_known = 1;
  }
  const int count = static_cast<int>(m.points);
  if (count > 1 && std::abs(h - m.step_size) > 1e-8 * std::abs(h)) {  // beyond the rounding of t + h - t
    result.status = Status::failure(StatusCode::failed, "the step size changed without a restart", -1, h);
    return result;
  }
  if (count == 1) m.step_size = h;
  m.terms = 0;
  if (count < k_ && o_.start != Start::ramp && o_.start != Start::zero_differences) {
    result.status = first_steps(problem, state, h, next, m, work);
    return result;
  }
  const Orders orders = at(count);
  result.status = step(*problem.ode, D, orders, h, state.x, next.t, next.x, m.grid.E_0, work);
  result.order = orders.highest();
  m.terms = count;
  return result;
}

Status Equidistant::first_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                                Kept& m, Scratch& work) const {
  constexpr int eighth_order_count = 8;  // an error near rounding wherever the Adams steps that follow make sense
  if (o_.start == Start::small_steps) return small_steps(problem, state, h, next, m, work);
  if (o_.start == Start::runge_kutta)
    return eighth_order_.fixed(eighth_order_count, problem, state, h, next, work.eighth_order);
  StartReport report;
  const Status status = fehlberg_.controlled(o_.start_error, problem, state, h, next, work.fehlberg, report);
  m.tried_steps = report.short_steps;
  m.tried_error = report.tolerance;
  return status;
}

/// The method itself on a grid of equal parts of h, at most h_start long, whose history goes on from step to step.
Status Equidistant::small_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                                Kept& m, Scratch& work) const {
  constexpr double rounding = 1e-6;  // of a step that is meant as a multiple
  const Index n = state.x.size;
  const int count = std::max(1, static_cast<int>(std::ceil(std::abs(h) / o_.short_step - rounding)));
  m.tried_short_grid.copy(m.short_grid);
  m.tried_short_points = m.short_points;
  m.tried_steps = count;
  const BackwardDifferences& D = m.tried_short_grid.D;

  Map& y = work.y;
  y = state.x.map();
  Status status;
  for (int i = 0; i < count && status; ++i) {
    if (i == 0) {
      work.sum = m.grid.D[0];  // f_n is known
    } else {
      status = problem.ode->rhs(state.t + h * i / count, {y.data(), n}, {work.sum.data(), n});
      if (!status) return status;
    }
    D.push(work.sum);
    double& known = m.tried_short_points;
    known = std::min<double>(known + 1, k_);
    status = step(*problem.ode, D, at(static_cast<int>(known)), h / count, {y.data(), n}, state.t + h * (i + 1) / count,
                  next.x, m.tried_short_grid.E_0, work);
    y = next.x.map();
  }
  return status;
}

void Equidistant::accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const {
  const Kept m = kept_in(memory, state);
  m.f_known = 0;
  if (m.points >= k_) return;
  m.starter_steps += m.tried_steps;
  m.starter_error = std::max(m.starter_error, m.tried_error);
  if (o_.start != Start::small_steps) return;
  m.short_grid.copy(m.tried_short_grid);
  m.short_points = m.tried_short_points;
}

Status Equidistant::interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                                const StateView& out, const Memory& memory) const {
  const Kept m = kept_in(memory, from);
  const int count = static_cast<int>(m.terms);
  if (count == 0) return Status::failure(StatusCode::unsupported, "no dense output in the starting steps");
  Work work = Layout::place<Work>(memory.scratch, from.x.size);
  const double h = to.t - from.t;
  adams::interpolate(m.grid.D, m.grid.E_0, at(count), h, from.x, (t - from.t) / h, out.x, work);
  return Status::success();
}

const void* Equidistant::extension(const char* id) const {
  return sdk::offer_extensions<LinearStability, IntegratorNotes, MethodFamily, EvaluatesAtEnds>(
      id, this, this, &sdk::adams_family, &sdk::evaluates_at_ends);
}

void Equidistant::note(const Memory& memory, char* text, Index capacity) const {
  const auto m = Layout::place<Record>(memory.state);
  text[0] = '\0';
  if (m.starter_steps == 0) return;
  const auto size = static_cast<std::size_t>(capacity) + 1;
  if (o_.start == Start::small_steps) {
    std::snprintf(text, size, "start: %.0f steps of at most %g s", m.starter_steps, o_.short_step);
    return;
  }
  const char* const begin = "start: %.0f Runge-Kutta-Fehlberg steps with a local error of %g";
  const int written = std::snprintf(text, size, begin, m.starter_steps, o_.start_error);
  if (m.starter_error <= o_.start_error) return;
  std::snprintf(text + written, size - static_cast<std::size_t>(written),
                ", for large components floored at their rounding, at most %.2g", m.starter_error);
}

}  // namespace trammel::adams
