// The step loop's part that looks for events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/engine.h"

namespace trammel {

Status Engine::event_values(double t, std::vector<double>& values) {
  next_.view.t = t;
  Status status = interpolate(t, next_.view);
  if (status) status = plant_.observe(next_.view);
  return status ? monitor_.evaluate(values) : status;
}

// The zero between the ends of the last step by the Illinois method, safeguarded by bisection (Dowell and Jarratt, BIT 11
// (1971) 168-174), to the rounding of times. `t` is on the far side of the zero.
Status Engine::locate(std::size_t event, double before, double after, double& t) {
  double low = t_previous(), high = this->t(), f_low = before, f_high = after;
  int side = 0;
  for (int i = 0; i < 100 && high - low > same_time(); ++i) {
    const double secant = high - f_high * (high - low) / (f_high - f_low), middle = 0.5 * (low + high);
    const double trial = i % 4 != 3 && secant > low && secant < high ? secant : middle;
    const Status status = event_values(trial, trial_values_);
    if (!status) return status;
    const double f = trial_values_[event];
    if (f * before > 0) {
      low = trial, f_low = f;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = trial, f_high = f;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
  }
  t = high;
  return Status::success();
}

bool Engine::look_for_events(bool chart_changed, bool& restart) {
  if (!monitor_.any()) return true;
  const auto failed = [&](const Status& status) {
    return fail(fmt::format("events at t = {:.9g} cannot be evaluated: {}", t(), explain(status)));
  };
  Status status = plant_.observe(state_.view);
  if (status) status = monitor_.evaluate(end_values_);
  if (!status) return failed(status);
  std::swap(before_values_, event_values_);
  event_values_ = end_values_;
  const std::vector<double>&before = before_values_, &end = end_values_;
  auto& found = found_events_;
  found.clear();
  for (std::size_t i = 0; i < monitor_.count(); ++i) {
    if (!monitor_.crosses(i, before[i], end[i])) continue;
    double at = t();
    status = locate(i, before[i], end[i], at);
    if (!status) return failed(status);
    found.emplace_back(at, i);
  }
  if (found.empty()) return true;
  std::sort(found.begin(), found.end());
  double ends = t();  // of the step, at the first event that changes something
  for (const auto& [at, i] : found) {
    if (monitor_.action(i) != EventAction::record) ends = std::min(ends, at);
  }
  const bool shortened = ends < t() - same_time() && !chart_changed;  // a new chart holds at the step's end only
  if (shortened) {
    status = event_values(ends, event_values_);
    if (!status) return failed(status);
    state_.copy_from(next_);
    last_h_ = t() - t_previous();
  }
  for (const auto& [at, i] : found) {
    // Zeros at the step's end up to rounding, several of equal elements too, lie behind; later ones lie ahead.
    const bool behind = at <= t() + same_time();
    const double sign = behind ? (end[i] != 0 ? end[i] : -before[i]) : before[i];
    event_values_[i] = std::copysign(std::max(std::abs(event_values_[i]), 1e-300), sign);
    if (!behind) continue;
    located_.push_back(monitor_.located(i, at, before[i] < 0));
    ++statistics_.events;
    restart = restart || monitor_.action(i) != EventAction::record;
    if (monitor_.action(i) == EventAction::stop) t_end_ = std::min(t_end_, t());
  }
  return true;
}

}  // namespace trammel
