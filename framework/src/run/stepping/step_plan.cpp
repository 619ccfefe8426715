// Where the next step may end.
#include "run/stepping/step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/just_before.h"

namespace trammel {
namespace {

// Times closer than this (relative) are the same: the last step may be a few roundings short of its goal.
constexpr double time_rounding = 1e-12;
// In a piece between break points that is shorter than a fixed step, up to a break point off the grid: methods of many
// steps begin with a low order or look at their ends only.
constexpr double short_steps = 8;
// Of a narrow part, for each that steps which choose themselves would take at least; a pulse is then felt to 1e-3.
constexpr double high_order_steps = 4, low_order_steps = 16;
// The sum over a Gaussian of equal steps of this part of their bound is exact to 1e-3.
constexpr double seeing = 0.5;
constexpr double too_long = 4;  // fixed steps, times the bound of steps that choose themselves

}  // namespace

// Methods of second order, and those that begin with a low order of their own choice, look at the ends of a step only,
// or hardly elsewhere: what acts inside a piece between break points, and not at its ends, they see in the steps
// between.
StepPlan::StepPlan(const StepControlOptions& control, const IntegratorTraits& traits, const Times& times,
                   double duration)
    : break_points_(times.break_points),
      jumps_(times.jumps),
      profile_(times.profile),
      least_steps_(traits.order <= 2 || traits.self_controlled ? 3 : 1),
      narrow_steps_(traits.order <= 2 ? low_order_steps : high_order_steps),
      fixed_(given(control.step)),
      variable_step_(traits.variable_step),
      step_(control.step),
      max_step_(given(control.max_step) ? control.max_step : std::numeric_limits<double>::infinity()),
      same_time_(time_rounding * std::max(1.0, std::abs(duration))) {
  merge(break_points_, profile_.break_points());
  merge(jumps_, profile_.break_points());
  if (fixed_ && variable_step_) find_narrow_parts(duration);
}

// Fixed steps that may have any length are shortened where a function of time is far narrower than they are, as long as
// that is a small part of the run: what is fast everywhere is warned of.
void StepPlan::find_narrow_parts(double duration) {
  constexpr double largest_share = 0.05, most_steps = 20000;
  for (const double ratio : {1 / narrow_steps_, 1.0, too_long}) {
    narrow_.clear();
    for (const TimeProfile::Part& part : profile_.parts()) {
      if (step_ > ratio * part.step) narrow_.push_back(part);
    }
    add_flanks();
    double length = 0, steps = 0;
    for (const TimeProfile::Part& part : narrow_) {
      length += part.end - part.begin, steps += narrow_steps_ * (part.end - part.begin) / part.step;
    }
    shortened_from_ = ratio;
    if (length <= largest_share * duration && steps <= most_steps) return;
  }
  narrow_.clear(), shortened_from_ = std::numeric_limits<double>::infinity();
}

// What is a hundredth of a pulse where its narrow part begins counts for a long step that ends there.
void StepPlan::add_flanks() {
  std::vector<TimeProfile::Part> all;
  for (std::size_t first = 0, next = 0; first < narrow_.size(); first = next) {
    for (next = first + 1; next < narrow_.size() && narrow_[next].begin <= narrow_[next - 1].end + same_time_;) ++next;
    const TimeProfile::Part &front = narrow_[first], &back = narrow_[next - 1];
    const double flank = 0.5 * (back.end - front.begin);
    const double earliest = all.empty() ? front.begin - flank : std::max(all.back().end, front.begin - flank);
    const double latest = next < narrow_.size() ? std::min(narrow_[next].begin, back.end + flank) : back.end + flank;
    all.push_back({earliest, front.begin, front.step});
    all.insert(all.end(), narrow_.begin() + static_cast<std::ptrdiff_t>(first),
               narrow_.begin() + static_cast<std::ptrdiff_t>(next));
    all.push_back({back.end, latest, back.step});
  }
  narrow_ = std::move(all);
}

// As TimeProfile::largest_step, of these parts.
double StepPlan::narrow_step(double t) const {
  auto part = std::upper_bound(narrow_.begin(), narrow_.end(), t,
                               [](double x, const TimeProfile::Part& p) { return x < p.end; });
  double h = std::numeric_limits<double>::infinity();
  for (; part != narrow_.end() && part->begin - t < h; ++part) {
    h = std::min(h, std::max(part->begin - t, cut_ * part->step / narrow_steps_));
  }
  return h;
}

long StepPlan::steps_of_short_piece() const { return std::max(1L, std::lround(short_steps / cut_)); }

double StepPlan::next_break(double t) const {
  const auto next = std::upper_bound(break_points_.begin(), break_points_.end(), t + same_time_);
  return next != break_points_.end() ? *next : std::numeric_limits<double>::infinity();
}

double StepPlan::goal(double t, double t_end) const {
  const double goal = std::min(next_break(t), t_end);
  return landing_ > t + same_time_ ? std::min(goal, landing_) : goal;
}

// Up to the end or the next break point, without leaving a sliver behind. Fixed steps of methods on an equidistant grid
// never change; they may pass the end, and outputs are interpolated; at a break point off the grid they begin anew, for
// a step up to it and again behind it. Goals are computed, not summed up, so that 10000 steps of 1e-3 end at 10
// exactly.
StepPlan::Target StepPlan::next(double t, double h, double t_end) const {
  if (fixed_) {
    if (piece_.step > 0) return next_of_piece(t, t_end);
    const double grid = segment_start_ + static_cast<double>(segment_steps_ + 1) * step_;
    if (!variable_step_) {
      const double point = next_break(t);
      if (piece_.h > 0) return {.h = step_, .t = grid, .anew = true};
      if (point > std::min(grid - 1e-9 * step_, t_end))
        return {step_, std::abs(point - grid) <= 1e-9 * step_ ? point : grid};
      const long pieces = steps_of_short_piece();
      const bool on_the_way = short_step_ > 0 && std::abs(short_end_ - point) <= same_time_ && t < point;
      const long left = on_the_way ? std::lround((point - t) / short_step_) : pieces;
      const double part = left == pieces ? (point - t) / static_cast<double>(pieces) : short_step_;
      return {.h = part, .t = left > 1 ? t + part : point, .anew = left == pieces};
    }
    const double end = goal(t, t_end);
    const double piece = next_break(t) - segment_start_;
    if (piece < step_ * (1 - 1e-9)) {
      const double part = std::min({piece / static_cast<double>(steps_of_short_piece()), flight_, narrow_step(t)});
      return end - t <= part * (1 + 1e-9) ? Target{end - t, end} : Target{part, t + part};
    }
    const bool last = grid > end - 1e-9 * step_;
    if (flight_ < std::min(grid, end) - t) return {flight_, t + flight_};
    if (const double h = narrow_step(t); h < (std::min(grid, end) - t) * (1 - 1e-9))
      return {.h = h, .t = t + h, .off_grid = true};
    return last ? Target{end - t, end} : Target{grid - t, grid};
  }
  const double piece = std::min(next_break(t), t_end) - segment_start_;
  h = std::min({h, max_step_, turning_, flight_, profile_.largest_step(t)});
  if (least_steps_ > 1) h = std::min(h, piece / least_steps_);
  const double end = goal(t, t_end), left = end - t;
  if (h >= left * (1 - 1e-9)) return {left, end};
  const double step = h > 0.5 * left ? 0.5 * left : h;
  return {step, t + step};
}

void StepPlan::divide_piece(double end) {
  piece_ = {.step = (end - segment_start_) / static_cast<double>(steps_of_short_piece()), .end = end, .h = 0};
}

StepPlan::Target StepPlan::next_of_piece(double t, double t_end) const {
  const double end = std::min(variable_step_ ? goal(t, t_end) : next_break(t), segment_start_ + step_);
  const double h = variable_step_ ? std::min({piece_.step, flight_, narrow_step(t)}) : piece_.step;
  const bool last = t + h > end - 1e-9 * h;
  const Target target = last ? Target{end - t, end} : Target{h, t + h};
  return {.h = target.h, .t = target.t, .anew = !variable_step_ && target.h != piece_.h};
}

void StepPlan::piece_taken(const Target& target, double t) {
  if (piece_.step == 0) {  // the first step on the grid
    piece_ = {};
    ++segment_steps_;
    return;
  }
  piece_.h = target.h;
  if (t > piece_.end - same_time_) piece_.step *= 2;
  if (t < segment_start_ + step_ - same_time_) return;
  piece_.step = 0;
  segment_steps_ = 1;
  if (variable_step_) piece_ = {};
}

// In pieces between break points that are shorter than the step it is a part of the piece.
double StepPlan::fixed_step_at(double t, double t_end) const {
  const auto next = std::upper_bound(break_points_.begin(), break_points_.end(), t + same_time_);
  const double begin = next != break_points_.begin() ? *std::prev(next) : 0;
  const double piece = (next != break_points_.end() ? *next : t_end) - begin;
  if (piece >= step_ * (1 - 1e-9)) return step_;
  return piece / static_cast<double>(steps_of_short_piece());
}

// Beyond `ratio` times the bound of steps that choose themselves, and not shortened.
const TimeProfile::Part* StepPlan::missed(double t_end, double ratio) const {
  const TimeProfile::Part* worst = nullptr;
  if (!fixed_) return worst;
  for (const TimeProfile::Part& part : profile_.parts()) {
    const double here = fixed_step_at(part.begin, t_end) / part.step;
    if (here > ratio && !(step_ > shortened_from_ * part.step)) ratio = here, worst = &part;
  }
  return worst;
}

// Steps as long as that bound may miss a part altogether, and steps twice as long as well.
double StepPlan::step_that_sees(double t_end) const {
  const TimeProfile::Part* worst = missed(t_end, 1);
  return worst != nullptr ? seeing * worst->step : std::numeric_limits<double>::infinity();
}

std::string StepPlan::about_fixed_steps(double t_end) const {
  const TimeProfile::Part* worst = missed(t_end, too_long);
  if (worst == nullptr) return "";
  return fmt::format(
      "fixed steps of {:g} s are longer than what a function of time does near t = {:.6g}: steps of {:.2g} s "
      "or less see it",
      step_, worst->begin, seeing * worst->step);
}

double StepPlan::left_of_break(double t) const {
  const auto point = std::lower_bound(break_points_.begin(), break_points_.end(), t - same_time_);
  if (point == break_points_.end() || *point > t + same_time_) return t;
  return just_before(std::min(t, *point));
}

bool StepPlan::on_grid(double t) const {
  constexpr double share_of_step = 1e-9;
  const double steps = (t - segment_start_) / step_;
  return std::abs(steps - std::round(steps)) <= share_of_step;
}

void StepPlan::step_taken(const Target& target, double t) {
  if (piece_.step > 0 || piece_.h > 0) {
    piece_taken(target, t);
    flight_ = std::numeric_limits<double>::infinity();
    return;
  }
  ++segment_steps_;
  if (target.anew)
    short_step_ = target.h, short_end_ = target.t + static_cast<double>(steps_of_short_piece() - 1) * target.h;
  const bool off_grid = variable_step_ && t == landing_ && fixed_ && !on_grid(t);
  if (fixed_ && (flight_ < step_ || off_grid || target.off_grid)) begin_segment(t);
  flight_ = std::numeric_limits<double>::infinity();
}

double StepPlan::jump_outside(double begin, double end, double earliest, double latest) const {
  const double none = std::numeric_limits<double>::infinity();
  const auto before = std::lower_bound(jumps_.begin(), jumps_.end(), earliest + same_time_);
  if (before != jumps_.end() && earliest + same_time_ < begin && *before <= begin) return *before;
  const auto behind = std::lower_bound(jumps_.begin(), jumps_.end(), end - same_time_);
  return behind != jumps_.end() && *behind < latest - same_time_ ? *behind : none;
}

void StepPlan::add(const Times& times) {
  merge(break_points_, times.break_points);
  merge(break_points_, times.profile.break_points());
  merge(jumps_, times.jumps);
  merge(jumps_, times.profile.break_points());
  profile_.add(times.profile);
}

void StepPlan::merge(std::vector<double>& all, const std::vector<double>& times) {
  all.insert(all.end(), times.begin(), times.end());
  std::sort(all.begin(), all.end());
}

void StepPlan::remember(Archive& archive) {
  archive.values("plan", segment_start_, segment_steps_, flight_, short_step_, short_end_, piece_.step, piece_.end,
                 piece_.h);
}

}  // namespace trammel
