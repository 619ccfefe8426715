// The search for zeros of event functions.
#include "run/stepping/event_locator.h"

#include <algorithm>
#include <cmath>

#include "linalg/illinois.h"

namespace trammel {
namespace {

constexpr double at_zero = 1e-9;  // values of functions that have just passed zero
constexpr double pole = 1e3;      // growth towards a change of sign that is no zero and no jump

}  // namespace

EventLocator::EventLocator(EventMonitor& monitor, Plant& plant, LastStep& step)
    : monitor_(monitor), plant_(plant), step_(step), inside_(plant.size(), plant.view()) {
  for (auto* values : {&values_, &middle_, &trial_}) values->assign(monitor.values(), 0.0);
  shift_.assign(monitor.count(), 0.0);
  samples_.resize(monitor.values());
  found_.reserve(4 * monitor.count());
  poles_.reserve(monitor.count());
  marked_.assign(monitor.values(), 0);
}

Status EventLocator::start() {
  const Status status = evaluate(step_.state(), values_);
  if (status) samples_.rate_before = turning_rate();
  return status;
}

Status EventLocator::evaluate(const ConstStateView& state, std::vector<double>& values) {
  Status status = monitor_.needs_observation() ? plant_.observe(state) : plant_.look(state);
  if (status) status = monitor_.evaluate(values);
  for (std::size_t i = 0; i < shift_.size(); ++i) values[i] += shift_[i];
  return status;
}

Status EventLocator::evaluate_at(double t, std::vector<double>& values) {
  inside_.view.t = t;
  const Status status = step_.interpolate(t, inside_.view);
  return status ? evaluate(inside_.view, values) : status;
}

// At the model's last evaluation point.
double EventLocator::turning_rate() const {
  const ConstrainedModel* model = plant_.model();
  return model != nullptr ? EventSamples::fastest(model, model->point().v().data()) : 0;
}

Status EventLocator::look(bool may_cut) {
  found_.clear();
  poles_.clear();
  inside_.copy_from(step_.end());
  monitor_.begin_step(values_);
  Status status = match_start();
  if (status) status = look_inside(may_cut);
  forget_shifts();
  return status;
}

// Behind an event a function has the sign of the way on, whatever rounding and corrections of the state have left of it
// there: a wall may be overlapped by 1e-13. Steps so short that this is a part of their way would come out of the wall
// after their start, by a value that has the other sign there, and meet it at the start again. In such a step the
// function is looked at less what it is at the start.
Status EventLocator::match_start() {
  std::fill(shift_.begin(), shift_.end(), 0.0);
  const auto open = [&](std::size_t i) { return std::abs(values_[i]) <= at_zero && values_[i] != 0; };
  bool any = false;
  for (std::size_t i = 0; i < shift_.size(); ++i) any = any || open(i);
  if (!any) return Status::success();
  const Status status = evaluate_at(step_.t_previous(), trial_);
  for (std::size_t i = 0; status.ok() && i < shift_.size(); ++i) {
    const bool opposite = trial_[i] != 0 && std::signbit(trial_[i]) != std::signbit(values_[i]);
    if (open(i) && opposite && std::abs(trial_[i]) <= at_zero) shift_[i] = -trial_[i];
  }
  return status;
}

// A function that is still on the wrong side at the end of a step is shifted in the next one, too.
void EventLocator::forget_shifts() {
  for (std::size_t i = 0; i < shift_.size(); ++i) {
    const double value = values_[i] - shift_[i];
    if (value != 0 && std::signbit(value) == std::signbit(values_[i])) values_[i] = value;
    shift_[i] = 0;
  }
}

Status EventLocator::look_inside(bool may_cut) {
  Status status = sample();
  if (status) status = sample_switches();
  for (std::size_t i = 0; status.ok() && i < monitor_.count(); ++i) status = find_zeros(i);
  if (!status || found_.empty()) return status;
  for (bool again = true; again;) {
    again = false;
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.t < b.t; });
    double ends = step_.t();  // of the step, at the first event that changes something
    for (const Found& found : found_) {
      if (monitor_.effect(found.event) != EventEffect::record) ends = std::min(ends, found.t);
    }
    if (!(ends < step_.t() - step_.same_time()) || !may_cut) break;
    status = cut_off(ends, again);
    if (!status) return status;
  }
  settle_signs();
  return settle_others();
}

void EventLocator::take_back() {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = samples_.first(i);
  samples_.rate_before = rate_at_start_;
  found_.clear();
}

// The functions at the ends of the step, in its middle, and as densely between as the bodies turn.
Status EventLocator::sample() {
  Status status = evaluate_at(0.5 * (step_.t_previous() + step_.t()), trial_);
  if (!status) return status;
  rate_at_start_ = samples_.rate_before;
  double fastest = std::max(samples_.rate_before, turning_rate());
  std::swap(middle_, trial_);
  status = evaluate(step_.state(), trial_);
  if (!status) return status;
  samples_.rate_before = turning_rate();
  fastest = std::max(fastest, samples_.rate_before);
  samples_.divide(step_.t_previous(), step_.t(), fastest);
  samples_.set(0, values_);
  samples_.set(samples_.parts(), trial_);
  std::swap(values_, trial_);
  samples_.set(samples_.parts() / 2, middle_);
  for (std::size_t k = 1; k < samples_.parts(); ++k) {
    if (2 * k == samples_.parts()) continue;
    status = evaluate_at(samples_.time(k), trial_);
    if (!status) return status;
    samples_.set(k, trial_);
  }
  return status;
}

// Where abs, min, max or a comparison of a formula switches, the formula may have a peak or jump, and a sign for a moment
// that no sample shows: samples on either side of each such place. Switches in branches that are not taken are found once
// their branch has samples.
Status EventLocator::sample_switches() {
  constexpr int deepest = 4;  // branches in branches
  const double beside = 2 * step_.same_time();
  Status status;
  bool room = true;
  const auto sample_at = [&](double t) {
    if (status) status = evaluate_at(t, trial_);
    room = status.ok() && samples_.insert(t, trial_);
  };
  for (int depth = 0; depth < deepest; ++depth) {
    const std::size_t known = samples_.count();
    for (std::size_t s = monitor_.first_switch(); s < values_.size() && room; ++s) {
      samples_.points_of(s);
      if (depth == 0) {
        status = samples_.look_at_peaks(step_.same_time(), [&](double t, double& f) {
          sample_at(t);
          f = trial_[s];
          return status;
        });
      }
      const std::vector<EventSamples::Point>& points = samples_.points_of(s);
      for (std::size_t k = 0; k + 1 < points.size() && room; ++k) {
        const EventSamples::Point before = points[k], after = points[k + 1];
        if (!(before.f * after.f < 0) || after.t - before.t <= 3 * beside) continue;
        double t = 0, least = 0;
        status = locate(s, {before.t, before.f, after.t, after.f}, t, least);
        for (const double place : {t - beside, t + beside}) {
          if (room && status && place > before.t && place < after.t) sample_at(place);
        }
      }
      if (!status) return status;
    }
    if (samples_.count() == known) break;
  }
  crowded_ = !room && status.ok();
  return status;
}

// All zeros of one function inside the step: between neighbouring samples, and the two around a peak between these.
Status EventLocator::find_zeros(std::size_t event) {
  const std::vector<EventSamples::Point>& points = samples_.points_of(event);
  Status status = samples_.look_at_peaks(step_.same_time(), [&](double t, double& f) {
    const Status found = evaluate_at(t, trial_);
    f = trial_[event];
    return found;
  });
  if (!status) return status;
  status = look_behind_zero(event);
  for (std::size_t k = 0; status.ok() && k + 1 < points.size(); ++k)
    status = look_into(event, {points[k].t, points[k].f, points[k + 1].t, points[k + 1].f});
  return status;
}

// A function that is at zero at the start may pass it again long before the first sample.
Status EventLocator::look_behind_zero(std::size_t event) {
  constexpr double nearer = 0.1;
  constexpr int most_points = 8;
  std::vector<EventSamples::Point>& points = samples_.points();
  const double start = points.front().f, from = points.front().t;
  if (std::abs(start) > at_zero || !(start * points[1].f < 0)) return Status::success();
  double part = points[1].t - from;
  for (int i = 0; i < most_points; ++i) {
    part *= nearer;
    const Status status = evaluate_at(from + part, trial_);
    if (!status) return status;
    points.insert(points.begin() + 1, {from + part, trial_[event]});
    if (trial_[event] * start > 0) break;
  }
  return Status::success();
}

Status EventLocator::look_into(std::size_t event, const Bracket& bracket) {
  if (!monitor_.crosses(event, bracket.before, bracket.after)) return Status::success();
  double at = bracket.to, least = 0;
  const Status status = locate(event, bracket, at, least);
  if (!status) return status;
  if (least <= pole * std::max({std::abs(bracket.before), std::abs(bracket.after), at_zero})) {
    found_.push_back({at, event, bracket.before < 0});
  } else if (std::find(poles_.begin(), poles_.end(), event) == poles_.end()) {
    poles_.push_back(event);
  }
  return status;
}

// To the rounding of times. `t` is on the far side of the zero.
Status EventLocator::locate(std::size_t event, const Bracket& bracket, double& t, double& least) {
  IllinoisSearch search(bracket.from, bracket.before, bracket.to, bracket.after);
  while (search.tries() < 100 && search.width() > step_.same_time()) {
    const double trial = search.trial();
    const Status status = evaluate_at(trial, trial_);
    if (!status) return status;
    const double f = trial_[event];
    search.take(trial, f, f * bracket.before > 0);
  }
  t = search.high();
  least = search.least();
  return Status::success();
}

// A function that changes its sign twice, unseen, shows it at an event in between (corners inside corners).
Status EventLocator::cut_off(double t, bool& found_more) {
  Status status = evaluate_at(t, values_);
  if (!status) return status;
  step_.cut_off(inside_);
  samples_.rate_before = turning_rate();
  const std::size_t known = found_.size();
  for (std::size_t i = 0; status.ok() && i < monitor_.count(); ++i) {
    const double before = samples_.first(i), after = values_[i];
    const bool seen = std::any_of(found_.begin(), found_.end(), [&](const Found& found) {
      return found.event == i && found.t <= step_.t() + step_.same_time();
    });
    if (!seen) status = look_into(i, {step_.t_previous(), before, step_.t(), after});
  }
  found_more = found_.size() > known;
  return status;
}

// Zeros at the step's end up to rounding, several of equal elements too, lie behind; later ones lie ahead.
void EventLocator::settle_signs() {
  std::size_t behind_end = 0;
  for (const Found& found : found_) {
    const bool behind = found.t <= step_.t() + step_.same_time();
    if (!behind && marked_[found.event]) continue;  // the sign is that behind the zero at the end
    double& value = values_[found.event];
    // Away from its zeros a function shows its sign itself: behind a double zero it is the old one.
    if (std::abs(found.t - step_.t()) <= step_.same_time() || std::abs(value) <= at_zero)
      value = std::copysign(std::max(std::abs(value), smallest), found.rising == behind ? 1.0 : -1.0);
    if (!behind) continue;
    ++behind_end;
    marked_[found.event] = 1;
  }
  found_.resize(behind_end);
}

// Functions that are at zero where another one ended the step, and were not looked for in this direction: their sign is
// that of the way on.
Status EventLocator::settle_others() {
  constexpr double a_little = 1e-6;  // of the step
  const double h = step_.attempted().view.t - step_.t_previous(), ahead = step_.t() + a_little * h;
  const auto open = [&](std::size_t i) { return !marked_[i] && std::abs(values_[i]) <= at_zero; };
  bool any = false;
  for (std::size_t i = 0; i < monitor_.count(); ++i) any = any || open(i);
  if (!any || found_.empty() || !(ahead < step_.attempted().view.t)) return Status::success();
  const Status status = evaluate_at(ahead, trial_);
  for (std::size_t i = 0; status.ok() && i < monitor_.count(); ++i) {
    if (!open(i) || trial_[i] == 0) continue;
    values_[i] = std::copysign(std::max(std::abs(values_[i]), smallest), trial_[i]);
    marked_[i] = 1;
  }
  return status;
}

bool EventLocator::any_marked() const {
  return std::any_of(marked_.begin(), marked_.end(), [](char m) { return m != 0; });
}

void EventLocator::clear_marks() { std::fill(marked_.begin(), marked_.end(), 0); }

Status EventLocator::keep_signs() {
  const Status status = monitor_.evaluate(trial_);
  for (std::size_t i = 0; status.ok() && i < trial_.size(); ++i) {
    if (!marked_[i] || std::abs(trial_[i]) > at_zero) values_[i] = trial_[i];
  }
  return status;
}

void EventLocator::remember(Archive& archive) {
  samples_.remember(archive);
  archive.block("events.values", values_);
}

}  // namespace trammel
