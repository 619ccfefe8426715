// The defect of interpolants at places drawn anew for each step.
#include "run/defect_control.h"

#include <algorithm>
#include <cmath>

#include "run/step_points.h"
#include "trammel/constrained_system.h"

namespace trammel {
namespace {

constexpr double suspicious_error = 1e-3, unfelt_error = 1e-5;  // of the tolerance
constexpr double tolerated = 100, tolerated_unfelt = 10;         // times the tolerance, beside what the estimate explains
constexpr double explained = 1000;          // times the estimate
constexpr double noteworthy_growth = 1.5;
constexpr double strata = 128;              // of the run: places to look at where the method felt nothing
constexpr double share = 0.01;              // of all evaluations, that looking may take,
constexpr double allowance = 2, allowance_unfelt = 150;  // and these
constexpr double short_step = 1e-3;         // of the duration: looks begin with steps of this length
constexpr double least_way = 100;           // times the tolerance: nothing is passed over by what stays where it is
constexpr double stiff = 10;                // growth of the defect over a step along itself
constexpr long most_in_a_row = 14;
constexpr double shortest = 1e-8;           // of the duration: no step is made shorter

VectorView view_of(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

DefectControl::DefectControl(const ProblemSize& size, ViewKind view, DefectMode mode)
    : mode_(mode), first_order_(view == ViewKind::ode), at_(size, view), beside_(size, view), interpolated_(size, view) {
  if (mode == DefectMode::off) return;
  const auto n = static_cast<std::size_t>(size.n);
  for (auto* x : {&f_, &slope_, &defect_, &change_, &first_slope_, &last_slope_}) x->assign(n, 0.0);
  error_.assign(first_order_ ? n : 2 * n, 0.0);
}

// The way from start to end in tolerances: drift of a state at rest is none.
bool DefectControl::travels(const Attempt& attempt) {
  const ConstVectorView y0 = attempt.start.controlled(), y1 = attempt.end.controlled();
  view_of(error_).map() = y1.map() - y0.map();
  return attempt.measure.norm(view_of(error_), y0, y1, attempt.mask) > least_way;
}

int DefectControl::draws(const Attempt& attempt, double h) {
  if (mode_ == DefectMode::every_step) return 2;
  if (h < short_step * attempt.duration || !travels(attempt)) return 0;
  if (attempt.error >= 0 && attempt.error <= unfelt_error) {
    return static_cast<int>(std::ceil(std::min(strata, strata * h / attempt.duration)));
  }
  return h > noteworthy_growth * proven_ ? 1 : 0;
}

double DefectControl::look(const Attempt& attempt) {
  largest_next_ = std::numeric_limits<double>::infinity();
  if (mode_ == DefectMode::off) return 0;
  const double t = attempt.start.view.t, h = attempt.end.view.t - t;
  const bool unfelt = attempt.error >= 0 && attempt.error <= unfelt_error;
  const bool suspicious = attempt.error >= 0 && attempt.error <= suspicious_error;
  const bool covers = place_ > t && place_ < attempt.end.view.t;
  const bool possible = supported_ && h > shortest * attempt.duration && in_a_row_ < most_in_a_row;
  const int due = possible ? draws(attempt, h) : 0;
  const double all = static_cast<double>(attempt.plant.counters.evaluations);
  const double affordable = (unfelt ? allowance_unfelt : allowance) + share * all - spent_;
  const int count = mode_ == DefectMode::every_step ? due : std::min(due, static_cast<int>(std::max(affordable, 0.0)));
  const double limit = (unfelt ? tolerated_unfelt : tolerated) + explained * std::max(attempt.error, 0.0);
  StepPoints random(static_cast<std::uint64_t>(attempt.number) + 1);
  have_slopes_ = false;
  double void_at = -1;
  for (int i = covers && possible ? -1 : 0; i < count && void_at < 0; ++i) {
    // One in the middle half of each stratum: gaps of at most 1.5 of them.
    const double within = count > 1 ? 0.25 + 0.5 * random.next() : 0.05 + 0.9 * random.next();
    const double place = i < 0 ? place_ : t + h * (i + within) / count;
    if (measured(attempt, place, limit) > limit) void_at = place;
  }
  spent_ += static_cast<double>(attempt.plant.counters.evaluations) - all;
  if (void_at >= 0) {
    ++voided_, ++in_a_row_;
    place_ = void_at;
    return std::clamp(0.5 * (void_at - t), 0.1 * h, 0.5 * h);
  }
  if (count > 0) proven_ = std::max(proven_, h);
  // What could not be afforded is not passed over in leaps either.
  if (suspicious && count < due) largest_next_ = 2 * h;
  in_a_row_ = 0;
  return 0;
}

Status DefectControl::ask(const Attempt& attempt, const StateView& at, VectorView f) const {
  const Problem& problem = attempt.problem;
  if (problem.ode != nullptr) return problem.ode->rhs(at.t, at.x, f);
  if (problem.second_order != nullptr) return problem.second_order->acceleration(at.t, at.x, at.v, f);
  ConstrainedSystem& system = *problem.constrained;
  Status status = system.evaluate(at.t, at.x, at.v, {}, evaluate_dynamics);
  if (status) status = system.factorize(ProjectionWeights::mass);
  return status ? system.solve(system.Q(), system.gamma(), f, at.lambda) : status;
}

Status DefectControl::interpolate(const Attempt& attempt, double t, const StateView& out) const {
  return attempt.integrator.interpolate(attempt.problem, attempt.start.view, attempt.end.view, t, out, attempt.memory);
}

// The quintic polynomial through x, x' and x'' at both ends, for methods without an interpolant; c, c', c'' of s = (t - t0)/h.
Status DefectControl::quintic(const Attempt& attempt, double t, Index positions) {
  const double h = attempt.end.view.t - attempt.start.view.t, s = (t - attempt.start.view.t) / h;
  const StateView &from = attempt.start.view, &to = attempt.end.view;
  Status status;
  if (!have_slopes_) {
    status = ask(attempt, from, view_of(first_slope_));
    if (status) status = ask(attempt, to, view_of(last_slope_));
    if (!status) return status;
    have_slopes_ = true;
  }
  const Index n = positions;
  const ConstVectorView x0 = from.x.segment(0, n), x1 = to.x.segment(0, n);
  const ConstVectorView v0 = first_order_ ? ConstVectorView(from.x.segment(n, n)) : ConstVectorView(from.v);
  const ConstVectorView v1 = first_order_ ? ConstVectorView(to.x.segment(n, n)) : ConstVectorView(to.v);
  const VectorView a0 = view_of(first_slope_).segment(first_order_ ? n : 0, n);
  const VectorView a1 = view_of(last_slope_).segment(first_order_ ? n : 0, n);
  // x0 + h v0 s + h^2/2 a0 s^2 + A s^3 + B s^4 + C s^5 with what the right end asks for: D, E, F.
  const VectorView x = at_.view.x.segment(0, n), v = first_order_ ? at_.view.x.segment(n, n) : at_.view.v;
  for (Index i = 0; i < n; ++i) {
    const double D = x1[i] - x0[i] - h * v0[i] - 0.5 * h * h * a0[i];
    const double E = h * (v1[i] - v0[i]) - h * h * a0[i], F = h * h * (a1[i] - a0[i]);
    const double A = 10 * D - 4 * E + 0.5 * F, B = -15 * D + 7 * E - F, C = 6 * D - 3 * E + 0.5 * F;
    x[i] = x0[i] + s * (h * v0[i] + s * (0.5 * h * h * a0[i] + s * (A + s * (B + s * C))));
    v[i] = v0[i] + s * (h * a0[i] + s * (3 * A + s * (4 * B + s * 5 * C)) / h);
    slope_[static_cast<std::size_t>(first_order_ ? n + i : i)] = a0[i] + s * (6 * A + s * (12 * B + s * 20 * C)) / (h * h);
    if (first_order_) slope_[static_cast<std::size_t>(i)] = v[i];
  }
  return status;
}

// Of a model in first-order form y = (q, v) or (q_u, q_v, ...): the leading entries whose rates are the entries behind them.
Index DefectControl::positions_of(const Attempt& attempt) const {
  const Index n = static_cast<Index>(f_.size());
  if (!first_order_) return n;
  const ConstrainedModel* model = attempt.plant.model();
  return model == nullptr || model->internal_states() > 0 || n % 2 != 0 ? 0 : n / 2;
}

double DefectControl::measured(const Attempt& attempt, double t, double limit) {
  const double h = attempt.end.view.t - attempt.start.view.t, d = h / 64;
  const auto view = view_of;
  // Positions follow velocities: defects of v are what counts.
  const Index n = static_cast<Index>(f_.size()), positions = positions_of(attempt);
  const Status known = interpolate(attempt, t, at_.view);
  at_.view.t = t;
  if (known.ok()) {
    // p' by central differences of order 4: (p(-2d) - 8 p(-d) + 8 p(d) - p(2d))/(12 d).
    static constexpr struct {
      double place, weight;
    } stencil[] = {{-2, 1.0 / 12}, {-1, -8.0 / 12}, {1, 8.0 / 12}, {2, -1.0 / 12}};
    view(slope_).map().setZero();
    for (const auto& point : stencil) {
      interpolated_.view.t = t + point.place * d;
      if (!interpolate(attempt, interpolated_.view.t, interpolated_.view)) return -1;
      const VectorView& y = first_order_ ? interpolated_.view.x : interpolated_.view.v;
      view(slope_).map() += point.weight / d * y.map();
    }
  } else {
    const bool can = known.code == StatusCode::unsupported && positions > 0 && (!first_order_ || 2 * positions == n);
    supported_ = supported_ && can;
    if (!can || !quintic(attempt, t, positions)) return -1;
  }
  if (!ask(attempt, at_.view, view(f_))) return 2 * limit;  // what the model cannot bear was passed over
  view(defect_).map() = view(f_).map() - view(slope_).map();
  const ConstVectorView y0 = attempt.start.controlled(), y1 = attempt.end.controlled();
  const VectorView error = view(error_), defect = view(defect_);
  const Index first_v = first_order_ ? positions : n, count_v = first_order_ ? n - positions : n;
  const VectorView in_v = first_order_ ? defect.segment(positions, count_v) : defect;
  error.map().setZero();
  error.segment(first_v, count_v).map() = h * in_v.map();
  const double plain = attempt.measure.norm(error, y0, y1, attempt.mask);
  if (!(plain > limit)) return plain;
  // How the model answers an error along the defect, as large as the defect makes it within the step.
  const double size = in_v.map().lpNorm<Eigen::Infinity>();
  double scale = 0;
  for (Index i = 0; i < y0.size; ++i) scale = std::max(scale, std::abs(y0[i]));
  const double part = std::min(1.0, 1e-7 * std::max(scale, 1e-6) / (std::max(h, h * h) * size));
  beside_.copy_from(at_);
  const VectorView beside_v = first_order_ ? beside_.view.x.segment(positions, count_v) : beside_.view.v;
  const VectorView beside_x = beside_.view.x.segment(0, positions);
  beside_v.map() += part * h * in_v.map();
  if (positions > 0) beside_x.map() += part * h * h * in_v.segment(0, positions).map();
  if (!ask(attempt, beside_.view, view(change_))) return plain;
  view(change_).map() -= view(f_).map();
  const VectorView change_v = first_order_ ? view(change_).segment(positions, count_v) : view(change_);
  const double growth = change_v.map().lpNorm<Eigen::Infinity>() / (part * size);
  if (!(growth > stiff)) return plain;
  // Stiff: an error of p of this size explains the defect, in positions where there are such.
  error.map() /= growth;
  if (positions > 0) {
    error.segment(0, positions).map() = h * h / growth * in_v.segment(0, positions).map();
    error.segment(first_v, count_v).map().setZero();
  }
  return attempt.measure.norm(error, y0, y1, attempt.mask);
}

void DefectControl::remember(Archive& archive) {
  archive.values("defect_control", voided_, in_a_row_, proven_, place_, spent_, supported_);
}

}  // namespace trammel
