// Order and step control of Haug, Computer Aided Kinematics and Dynamics, 7.4.4.
//
// Estimates of the local error, with D_i = nabla^i f_n and E_i = nabla^i f^p_{n+1}:
//   tau^p = h gamma_k nabla^k f                    of the predictor                                          (7.4.13)
//   tau^c = h gamma*_{k+1} nabla^{k+1} f^p_{n+1}   of the corrector of order k + 1                           (7.4.16)
// For the orders k - 1 and k + 1, (7.4.16) with their differences; for k + 1 at t_n, since those of f^p_{n+1} hold the
// error of the predictor of order k. While nabla^{k+1} does not exist yet (the start), (7.4.13) with nabla^k f^p_{n+1},
// which is y^c - y^p and overestimates the error of y^c.
//
// Too large an error: h / 2, from the second time on also k + 1 if its error is less than half. After four void
// attempts the history is dropped: beyond a jump in f it is worth nothing. Wherever k - 1 has the smaller error, the
// order falls: then the highest differences are those of perturbations, which projections and changes of the grid
// cause. Far below the tolerance, so that 2 h would keep it with k - 1, k or k + 1: 2 h and that order, but not before
// k + 1 steps of equal size, so that the differences are what they seem. The start doubles h with every step, and
// raises the order where that would be too much.
//
// Another step needs back values on another grid: the polynomial (7.4.4) through the known points, read at spacings of
// r h:
//   V_l = sum_i D_i prod_{j<i} (j - l r) / (j + 1),  D~_i = sum_{l<=i} (-1)^l C(i, l) V_l                         (1)
#include "controlled.h"

#include <algorithm>
#include <limits>

#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::adams {
namespace {

constexpr double tolerated_after_change = 0.1;  // weighted error that 2 h may have
constexpr double significant = 0.5;             // another order must be better by this factor
constexpr double unknown = std::numeric_limits<double>::infinity();

/// [step] (1): `count` differences of D, spacing h, become those of W, spacing r h.
void change_grid(const BackwardDifferences& D, const BackwardDifferences& W, int count, double r) {
  // D~_i = sum_m T_im D_m, T_im = sum_{l<=i} (-1)^l C(i, l) c_m(-l r), c_m the weights of (7.4.4)
  for (int i = 0; i < count; ++i) {
    W[i].setZero();
    double binomial = 1;  // (-1)^l C(i, l)
    double T[sdk::adams_max_order] = {}, c[sdk::adams_max_order];
    for (int l = 0; l <= i; ++l) {
      sdk::newton_weights(-l * r, count, c);
      for (int m = 0; m < count; ++m) T[m] += binomial * c[m];
      binomial *= -static_cast<double>(i - l) / (l + 1);
    }
    for (int m = i; m < count; ++m) W[i] += T[m] * D[m];  // lower differences do not contribute
  }
}

}  // namespace

IntegratorTraits Controlled::traits() const {
  IntegratorTraits traits;
  traits.order = k_max_ + 1;
  traits.error_order = 1;
  traits.interpolation_order = k_max_ + 1;
  traits.self_controlled = true;
  return traits;
}

MemorySize Controlled::memory(const ProblemSize& size) const {
  return {Layout::size<Kept>(size.n, columns()), Layout::size<Scratch>(size.n)};
}

Status Controlled::start(const Problem&, const ConstStateView&, const Memory& memory) const {
  const auto m = Layout::place<History>(memory.state);
  m.forget();
  m.order = m.starting = 1;
  return Status::success();
}

void Controlled::History::forget() const {
  points = f_known = grid = order = starting = void_attempts = settled = 0;
  used_order = used_points = used_step = other_grid = 0;
  next_order = still_starting = next_settled = local_error = 0;
}

/// The differences from which the attempt starts: as accepted, or on a grid of steps h.
void Controlled::choose_grid(double h, const Kept& m) {
  const int known = static_cast<int>(m.points), k = static_cast<int>(m.order);
  m.used_step = h;
  m.used_points = known;
  m.other_grid = known > 1 && std::abs(h - m.grid) > 1e-8 * std::abs(h) ? 1 : 0;
  if (m.other_grid == 0) return;
  // Reading the polynomial beyond its points, its highest differences are worth nothing.
  m.used_points = std::min(known, std::abs(h) > std::abs(m.grid) ? k + 1 : k + 2);
  change_grid(m.accepted, m.changed, static_cast<int>(m.used_points), h / m.grid);
}

StepResult Controlled::attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                               VectorView error, const Memory& memory) const {
  const Index n = state.x.size;
  Kept m = kept_in(memory, state);
  Scratch work = Layout::place<Scratch>(memory.scratch, n);
  StepResult result;
  result.h = h;

  if (m.f_known == 0) {  // f_n enters the history, once for all attempts from this state
    result.status = problem.ode->rhs(state.t, state.x, {work.sum.data(), n});
    if (!result.status) return result;
    m.accepted.push(work.sum);
    m.points = std::min<double>(m.points + 1, columns());
    m.f_known = 1;
  }
  choose_grid(h, m);
  const int k = static_cast<int>(m.order), known = static_cast<int>(m.used_points);
  m.used_order = k;

  predict(m.used(), k, h, state.x, next.x, work.sum);
  result.status = problem.ode->rhs(next.t, next.x, {m.E_0.data(), n});
  if (!result.status) return result;
  const sdk::ErrorWeights weights(problem.tolerances, problem.ode->mask(), state.x, next.x, work.weights);
  result.status = weights.reachable(state.x.map());
  if (!result.status) return result;
  const Estimates e = correct(m, known, h, weights, work, error);
  if (!std::isfinite(e.here)) {
    result.status = Status::failure(StatusCode::not_finite, "error estimate");
    return result;
  }
  result.order = k + 1;
  if (e.here > 1) {
    result.rejected = true;
    result.h_next = reduce(h, e, m);
    return result;
  }
  next.x.map() = state.x.map() + h * work.sum;
  m.local_error = e.here;
  result.h_next = m.starting != 0 ? continue_start(h, e, m) : continue_run(h, e, m);
  result.status = check_finite(next.x.map());
  return result;
}

/// (7.4.15) into work.sum, and what the differences on the way say about the errors; `error` as in Integrator::attempt.
Controlled::Estimates Controlled::correct(const Kept& m, int known, double h, const sdk::ErrorWeights& weights,
                                          Work& work, VectorView error) const {
  const int k = static_cast<int>(m.order);
  const BackwardDifferences& D = m.used();
  const auto weighted = [&](double coefficient, const Map& difference) {
    return std::abs(h * coefficient) * weights.norm(difference);
  };
  Estimates e{unknown, unknown, unknown, k + 2};
  double below = 0;  // at a zero of one difference its order is not better
  work.E = m.E_0;
  work.sum = work.E;
  for (int i = 1; i <= std::min(k + 1, known); ++i) {
    work.E -= D[i - 1];
    if (i <= k) work.sum += gamma_star(i) * work.E;
    if (i == k - 1 && i > 1) below = weighted(gamma_star(i), work.E);
    if (i == k && k > 1) e.lower = std::max(below, weighted(gamma_star(k), work.E) / (k == 2 ? significant : 1));
    const bool first = i == k && known == k;
    if (i == k + 1 || first) {
      const double coefficient = first ? gamma(k) : gamma_star(k + 1);
      e.here = weighted(coefficient, work.E);
      e.exponent = first ? k + 1 : k + 2;
      if (error.size > 0) error.map() = -h * coefficient * work.E;
    }
  }
  if (k < k_max_ && known > k + 2) e.higher = weighted(gamma_star(k + 2), D[k + 2]);
  return e;
}

/// The step after a void attempt.
double Controlled::reduce(double h, const Estimates& e, const Record& m) {
  constexpr double hopeless = 4;
  m.starting = m.points > 1 ? 0 : 1;
  m.settled = 0;
  m.void_attempts += 1;
  if (m.void_attempts >= hopeless) {
    m.void_attempts = 0;
    m.points = m.order = m.starting = 1;
  } else if (e.lower < e.here) {
    m.order -= 1;
  } else if (m.void_attempts > 1 && e.higher < significant * e.here) {
    m.order += 1;
  }
  return h / 2;
}

/// The step after an accepted one of the start, which ends where 2 h or a higher order would be of no use.
double Controlled::continue_start(double h, const Estimates& e, const Record& m) const {
  const double k = m.order;
  const bool doubles = e.here * std::exp2(e.exponent) <= tolerated_after_change;
  // Reading a polynomial of high degree far beyond its points multiplies its rounding: no higher order than needed.
  const bool rises = !doubles && k < k_max_ && (k < 2 || e.here < e.lower);
  m.next_order = rises ? k + 1 : k;
  m.still_starting = rises || doubles ? 1 : 0;
  m.next_settled = 0;
  return doubles ? 2 * h : h;
}

/// The step after an accepted one.
double Controlled::continue_run(double h, const Estimates& e, const Record& m) {
  const double k = m.order;
  m.next_order = k;
  m.still_starting = 0;
  m.next_settled = m.settled + 1;
  if (e.lower < e.here) m.next_order = k - 1;
  if (m.settled < k + 1 || m.next_order != k) return h;

  // Errors of the three orders with 2 h.
  const double doubled[] = {e.lower * std::exp2(k + 1), e.here * std::exp2(e.exponent), e.higher * std::exp2(k + 3)};
  const auto best = std::min_element(doubled, doubled + 3);
  if (*best <= tolerated_after_change) {
    m.next_order = k + static_cast<double>(best - doubled) - 1;
    m.next_settled = 0;
    return 2 * h;
  }
  if (e.higher >= significant * e.here) return h;
  m.next_order = k + 1;
  m.next_settled = 0;
  return h;
}

void Controlled::accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const {
  const Kept m = kept_in(memory, state);
  if (m.other_grid != 0) {
    for (int i = 0; i < static_cast<int>(m.used_points); ++i) m.accepted[i] = m.changed[i];
  }
  m.told_order = m.used_order;
  m.told_error = m.local_error;
  m.points = m.used_points;
  m.grid = m.used_step;
  m.order = m.next_order;
  m.starting = m.still_starting;
  m.settled = m.next_settled;
  m.f_known = m.void_attempts = 0;
}

Status Controlled::interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                               const StateView& out, const Memory& memory) const {
  const Kept m = kept_in(memory, from);
  const int k = static_cast<int>(m.used_order);
  if (k == 0) return Status::failure(StatusCode::unsupported, "no dense output before the first step");
  Work work = Layout::place<Work>(memory.scratch, from.x.size);
  const double h = to.t - from.t;
  adams::interpolate(m.used(), m.E_0, {k, k + 1}, h, from.x, (t - from.t) / h, out.x, work);
  return Status::success();
}

const void* Controlled::extension(const char* id) const {
  return sdk::offer_extensions<IntegratorChannels, MethodFamily, EvaluatesAtEnds>(id, this, &sdk::adams_family,
                                                                                  &sdk::evaluates_at_ends);
}

}  // namespace trammel::adams
