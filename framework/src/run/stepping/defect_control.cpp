// The defect of interpolants at places drawn anew for each step.
#include "run/stepping/defect_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/stepping/step_points.h"
#include "trammel/constrained_system.h"
#include "trammel/math/quintic.h"

namespace trammel {
namespace {

constexpr double suspicious_error = 1e-3, unfelt_error = 1e-5;  // of the tolerance
constexpr double tolerated = 100, tolerated_unfelt = 10;  // times the tolerance, beside what the estimate explains
constexpr double explained = 1000;                        // times the estimate
constexpr double tolerated_off_rows = 100;                // times the tolerance
constexpr double rows_order = 4, rows_safety = 0.9;       // of interpolants of the third degree
constexpr double noteworthy_growth = 1.5;
constexpr double strata = 128;                           // of the run: places to look at where the method felt nothing
constexpr double share_of_evaluations = 0.01;            // of all evaluations, that looking may take,
constexpr double allowance = 2, allowance_unfelt = 150;  // and these
constexpr int looks_around = 4;                          // at least, into a step over a place where something was found
constexpr int looks_at_slope = 7;                        // pairs of them, for the middle of what was found
constexpr double short_step = 1e-3;                      // of the duration: looks begin with steps of this length
constexpr double least_way = 100;   // times the tolerance: nothing is passed over by what stays where it is
constexpr double stiff = 10;        // growth of the defect over a step along itself
constexpr double left_over = 0.25;  // of a defect that an error of p explains
constexpr long most_in_a_row = 14;
constexpr double shortest = 1e-8;  // of the duration: no step is made shorter

VectorView view_of(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

DefectControl::DefectControl(const ProblemSize& size, ViewKind view, DefectMode mode, bool fixed)
    : mode_(fixed ? DefectMode::off : mode),
      searches_(mode != DefectMode::off),
      first_order_(view == ViewKind::ode),
      at_(mode_ == DefectMode::off ? ProblemSize{} : size, view),
      beside_(mode_ == DefectMode::off ? ProblemSize{} : size, view),
      interpolated_(mode_ == DefectMode::off ? ProblemSize{} : size, view) {
  if (mode_ == DefectMode::off) return;
  const auto n = static_cast<std::size_t>(size.n);
  for (auto* x : {&f_, &slope_, &defect_, &change_, &first_slope_, &last_slope_}) x->assign(n, 0.0);
  error_.assign(first_order_ ? n : 2 * n, 0.0);
}

void DefectControl::restart(Plant& plant) {
  proven_ = 0, clear_ = -1;
  elements_changed(plant);
}

void DefectControl::elements_changed(Plant& plant) {
  if (searches_ && plant.model() != nullptr) laws_.begin(*plant.model());
}

std::string DefectControl::watch(Plant& plant, const ConstStateView& start, const ConstStateView& end) {
  static constexpr double rtol = 1e-4, atol = 1e-6;  // what fixed steps may neglect
  const Tolerances tolerances{{&rtol, 1}, {&atol, 1}};
  if (!laws_.any() || !(laws_.look(plant, tolerances, start, end, true) > 0)) return {};
  seeing_ = std::min(seeing_, laws_.found().step);
  if (!about_.empty()) return {};
  about_.push_back(fmt::format(
      "steps of {:g} s pass over a narrow part of the law of force '{}' near t = {:.6g}, which a method may not feel: "
      "try steps of {:.1g} s there, or a method with \"rtol\" and \"atol\"",
      end.t - start.t, laws_.found().force->name, laws_.found().t, laws_.found().step));
  return about_.front();
}

// The way from start to end in tolerances: drift of a state at rest is none.
bool DefectControl::travels(const Attempt& attempt) {
  const ConstVectorView y0 = attempt.start.controlled(), y1 = attempt.end.controlled();
  view_of(error_).map() = y1.map() - y0.map();
  return attempt.measure.norm(view_of(error_), y0, y1, attempt.mask) > least_way;
}

// Nothing was found up to there.
double DefectControl::clear_before(double start, double end) const { return std::clamp(clear_, start, end); }

int DefectControl::draws(const Attempt& attempt, double h) {
  if (mode_ == DefectMode::every_step) return 2;
  if (h < short_step * attempt.duration || !travels(attempt)) return 0;
  if (attempt.error >= 0 && attempt.error <= unfelt_error) {
    const double unknown = attempt.end.view.t - clear_before(attempt.start.view.t, attempt.end.view.t);
    return static_cast<int>(std::ceil(std::min(strata, strata * unknown / attempt.duration)));
  }
  return h > noteworthy_growth * proven_ ? 1 : 0;
}

double DefectControl::look(const Attempt& attempt) {
  largest_next_ = std::numeric_limits<double>::infinity();
  if (mode_ == DefectMode::off) return 0;
  const double t = attempt.start.view.t, h = attempt.end.view.t - t;
  const bool unfelt = attempt.error >= 0 && attempt.error <= unfelt_error;
  const bool suspicious = attempt.error >= 0 && attempt.error <= suspicious_error;
  const bool covers = place_ > t && place_ <= attempt.end.view.t;
  const bool possible = supported_ && h > shortest * attempt.duration && in_a_row_ < most_in_a_row;
  if (possible && laws_.any()) {
    const double shorter = scan_laws(attempt);
    if (shorter > 0) {
      ++voided_;
      ++in_a_row_;
      return shorter;
    }
  }
  if (const double off = possible ? off_rows(attempt) : -1; off > 0) {
    const double factor = rows_safety * std::pow(tolerated_off_rows / off, 1 / rows_order);
    if (off > tolerated_off_rows) {
      ++voided_, ++in_a_row_;
      return std::clamp(factor, 0.1, 0.5) * h;
    }
    largest_next_ = factor * h;
  }
  const int due = possible ? draws(attempt, h) : 0;
  const double all = static_cast<double>(attempt.plant.counters.evaluations);
  double& spent = unfelt ? spent_unfelt_ : spent_;
  const double affordable = (unfelt ? allowance_unfelt : allowance) + share_of_evaluations * all - spent;
  int count = mode_ == DefectMode::every_step ? due : std::min(due, static_cast<int>(std::max(affordable, 0.0)));
  // What was met there may be the slope of something narrower than the step.
  if (covers && possible) count = std::max(count, looks_around);
  const double limit = (unfelt || covers ? tolerated_unfelt : tolerated) + explained * std::max(attempt.error, 0.0);
  StepPoints random(static_cast<std::uint64_t>(attempt.number) + 1);
  have_slopes_ = false;
  doubts_ = unfelt || covers;
  double void_at = -1;
  // What void attempts found empty before their place is passed as they did.
  const double from = unfelt ? clear_before(t, t + h) : t, stretch = t + h - from;
  for (int i = covers && possible ? -1 : 0; i < count && void_at < 0; ++i) {
    // One in the middle half of each stratum: gaps of at most 1.5 of them.
    const double within = count > 1 ? 0.25 + 0.5 * random.next() : 0.05 + 0.9 * random.next();
    const double place = i < 0 ? place_ : from + stretch * (i + within) / count;
    if (measured(attempt, place, limit, h) > limit)
      void_at = place;
    else if (i >= 0 && unfelt)
      clear_ = std::max(clear_, place);
  }
  // A step may end on the slope of what it passed over: the end counts where nothing was felt, and on the way to a
  // known place.
  const bool to_end = possible && void_at < 0 && as_far_as_end(attempt, unfelt && count > 0);
  if (to_end && measured(attempt, t + h, limit, h) > limit) void_at = t + h;
  if (void_at >= 0 && !covers) void_at = middle_of(attempt, void_at, h / std::max(count, 1));
  spent += static_cast<double>(attempt.plant.counters.evaluations) - all;
  if (void_at >= 0) {
    ++voided_, ++in_a_row_;
    place_ = void_at;
    return std::clamp(0.5 * (void_at - t), 0.1 * h, 0.5 * h);
  }
  if (count > 0) proven_ = std::max(proven_, h);
  // What could not be afforded is not passed over in leaps either.
  if (suspicious && count < due) largest_next_ = std::min(largest_next_, 2 * h);
  in_a_row_ = 0;
  return 0;
}

double DefectControl::off_rows(const Attempt& attempt) {
  ConstrainedSystem* const system = attempt.problem.constrained;
  const ConstrainedModel* const model = attempt.plant.model();
  if (system == nullptr || model == nullptr || !model->rheonomic()) return -1;
  const double t = 0.5 * (attempt.start.view.t + attempt.end.view.t);
  if (!interpolate(attempt, t, at_.view)) return -1;
  beside_.copy_from(at_);
  const VectorView q = beside_.view.x, v = beside_.view.v;
  ProjectionReport report;
  constexpr double one_correction = std::numeric_limits<double>::infinity();
  Status status = system->project_positions(t, q, ProjectionWeights::mass, one_correction, report);
  if (status) status = system->project_velocities(t, q, v, ProjectionWeights::mass, report);
  if (!status) return -1;
  const auto largest = [](ConstVectorView x) { return x.size > 0 ? x.map().lpNorm<Eigen::Infinity>() : 0.0; };
  largest_q_ = std::max(largest_q_, largest(q)), largest_v_ = std::max(largest_v_, largest(v));
  q.map() -= at_.view.x.map(), v.map() -= at_.view.v.map();
  const auto least = [](ConstVectorView x) { return x.map().minCoeff(); };
  const double rtol = least(attempt.problem.tolerances.rtol), atol = least(attempt.problem.tolerances.atol);
  // Of what bodies do in the run: at a reversal velocities are small, and the rows no worse.
  return std::max(largest(q) / (atol + rtol * largest_q_), largest(v) / (atol + rtol * largest_v_));
}

// Places of a law follow a cubic to 1e-5 while bodies turn a fifth of a radian.
double DefectControl::scan_laws(const Attempt& attempt) {
  constexpr double turn = 0.2, most_parts = 128;
  constexpr double least_of_step = 0.1, most_of_step = 0.5;  // of a void step: the next one
  const ConstStateView start = attempt.start.view, end = attempt.end.view;
  const Tolerances& tolerances = attempt.problem.tolerances;
  const double rate = laws_.take_ends(attempt.plant, start, end);
  if (rate < 0) return 0;
  const double h = end.t - start.t;
  const double parts = std::clamp(std::ceil(rate * h / turn), 1.0, most_parts);
  if (parts == 1) return laws_.between_ends(attempt.plant, tolerances);
  StateBuffer *from = &at_, *to = &beside_;
  from->copy_from(attempt.start);
  for (double part = 1; part <= parts; ++part) {
    to->view.t = start.t + h * part / parts;
    if (part == parts)
      to->copy_from(attempt.end);
    else if (!interpolate(attempt, to->view.t, to->view))
      return laws_.look(attempt.plant, tolerances, start, end);
    const double shorter = laws_.look(attempt.plant, tolerances, from->view, to->view);
    if (shorter > 0) return std::clamp(from->view.t - start.t + shorter, least_of_step * h, most_of_step * h);
    std::swap(from, to);
  }
  return 0;
}

// A law that holds from one event to the next within a part of a step may lie between the places that the method
// sampled: the force of a stop that is entered and left again.
bool DefectControl::felt_until(const Attempt& attempt, double t) {
  constexpr int looks = 3;
  if (mode_ == DefectMode::off || !supported_) return true;
  const double from = attempt.start.view.t, part = t - from;
  const double limit = tolerated_unfelt + explained * std::max(attempt.error, 0.0);
  StepPoints random(static_cast<std::uint64_t>(attempt.number) + 1);
  have_slopes_ = false, doubts_ = true;
  for (int i = 0; i < looks; ++i) {
    const double place = from + part * (i + 0.25 + 0.5 * random.next()) / looks;
    if (!(measured(attempt, place, limit, part) > limit)) continue;
    ++voided_;
    return false;
  }
  return true;
}

// A look meets the slope of what acts in the step rather than its middle, and shorter steps with smaller defects would
// pass over it after all: up the slope, by steps that are halved.
double DefectControl::middle_of(const Attempt& attempt, double place, double reach) {
  constexpr double any = 1e300;
  const double h = attempt.end.view.t - attempt.start.view.t;
  double largest = measured(attempt, place, any, h);
  for (int i = 0; i < looks_at_slope; ++i, reach *= 0.5) {
    const double around = place;
    for (const double t : {around - reach, around + reach}) {
      if (!(t > attempt.start.view.t) || t > attempt.end.view.t) continue;
      const double defect = measured(attempt, t, any, h);
      if (defect > largest) largest = defect, place = t;
    }
  }
  return place;
}

bool DefectControl::as_far_as_end(const Attempt& attempt, bool unfelt) const {
  return unfelt || place_ > attempt.end.view.t;
}

Status DefectControl::ask(const Attempt& attempt, const ConstStateView& at, VectorView f) const {
  const Problem& problem = attempt.problem;
  if (problem.ode != nullptr) return problem.ode->rhs(at.t, at.x, f);
  if (problem.second_order != nullptr) return problem.second_order->acceleration(at.t, at.x, at.v, f);
  ConstrainedSystem& system = *problem.constrained;
  Status status = system.evaluate(at.t, at.x, at.v, {}, evaluate_dynamics);
  if (status) status = system.factorize(ProjectionWeights::mass);
  return status ? system.solve(system.Q(), system.gamma(), f, {}) : status;
}

Status DefectControl::interpolate(const Attempt& attempt, double t, const StateView& out) const {
  return attempt.integrator.interpolate(attempt.problem, attempt.start.view, attempt.end.view, t, out, attempt.memory);
}

// The quintic polynomial between the ends, for methods without an interpolant.
Status DefectControl::quintic(const Attempt& attempt, double t, Index positions) {
  const double h = attempt.end.view.t - attempt.start.view.t, s = (t - attempt.start.view.t) / h;
  const ConstStateView from = attempt.start.view, to = attempt.end.view;
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
  const Index first = first_order_ ? n : 0;
  const VectorView slope = view_of(slope_), x = at_.view.x.segment(0, n),
                   v = first_order_ ? at_.view.x.segment(n, n) : at_.view.v;
  trammel::quintic({x0, v0, view_of(first_slope_).segment(first, n)}, {x1, v1, view_of(last_slope_).segment(first, n)},
                   h, s, x, v, slope.segment(first, n));
  if (first_order_) slope.segment(0, n).map() = v.map();
  return status;
}

// Of a model in first-order form y = (q, v) or (q_u, q_v, ...): the leading entries whose rates are the entries behind
// them.
Index DefectControl::positions_of(const Attempt& attempt) const {
  const Index n = static_cast<Index>(f_.size());
  if (!first_order_) return n;
  const ConstrainedModel* model = attempt.plant.model();
  return model == nullptr || model->internal_states() > 0 || n % 2 != 0 ? 0 : n / 2;
}

double DefectControl::measured(const Attempt& attempt, double t, double limit, double h) {
  const double d = h / 64;
  const auto view = view_of;
  // Positions follow velocities: defects of v are what counts.
  const Index n = static_cast<Index>(f_.size()), positions = positions_of(attempt);
  const Status known = interpolate(attempt, t, at_.view);
  at_.view.t = t;
  if (known.ok()) {
    // p' by differences of order 4, central ones (p(-2d) - 8 p(-d) + 8 p(d) - p(2d))/(12 d) or, at the end, of what
    // lies behind.
    struct Point {
      double place, weight;
    };
    static constexpr Point central[] = {{-2, 1.0 / 12}, {-1, -8.0 / 12}, {1, 8.0 / 12}, {2, -1.0 / 12}, {0, 0}};
    static constexpr Point backward[] = {
        {0, 25.0 / 12}, {-1, -48.0 / 12}, {-2, 36.0 / 12}, {-3, -16.0 / 12}, {-4, 3.0 / 12}};
    view(slope_).map().setZero();
    for (const Point& point : t + 2 * d > attempt.end.view.t ? backward : central) {
      if (point.weight == 0) continue;
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
  // What a method did not feel at all, or not before, is no error of a stiff motion unless that error ends the defect:
  // beside something narrow forces change as steeply.
  if (doubts_) {
    if (!(change_v.map().dot(in_v.map()) < 0)) return plain;
    beside_.copy_from(at_);
    beside_v.map() += h / growth * in_v.map();
    if (positions > 0) beside_x.map() += h * h / growth * in_v.segment(0, positions).map();
    if (!ask(attempt, beside_.view, view(change_))) return plain;
    view(change_).map() -= view(slope_).map();
    if (change_v.map().lpNorm<Eigen::Infinity>() > left_over * size) return plain;
  }
  // Stiff: an error of p of this size explains the defect, in positions where there are such.
  error.map() /= growth;
  if (positions > 0) {
    error.segment(0, positions).map() = h * h / growth * in_v.segment(0, positions).map();
    error.segment(first_v, count_v).map().setZero();
  }
  return attempt.measure.norm(error, y0, y1, attempt.mask);
}

void DefectControl::remember(Archive& archive) {
  archive.values("defect_control", voided_, in_a_row_, proven_, place_, clear_, spent_, spent_unfelt_, supported_,
                 largest_q_, largest_v_);
  archive.values("fixed_steps_see", seeing_);
  archive.list("fixed_steps_about", about_);
  laws_.remember(archive);
}

}  // namespace trammel
