// The step loop's part that looks for events, and goes on after them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/illinois.h"
#include "run/stepping/engine.h"

namespace trammel {
namespace {

// So many events in so short a part of the run's time change the motion without letting it get anywhere.
constexpr std::size_t chattering_events = 100;
constexpr double chattering_time = 1e-7;
// Gaps of contacts at the start, m: below the first they overlap, below the second they touch.
constexpr double overlap = -1e-6, touch = 1e-12;
constexpr double smallest = 1e-300;  // a zero with a sign
constexpr double at_zero = 1e-9;     // values of functions that have just passed zero
constexpr double pole = 1e3;         // growth towards a change of sign that is no zero and no jump

}  // namespace

Status Engine::event_values(const StateView& state, std::vector<double>& values) {
  const Status status = monitor_.needs_observation() ? plant_.observe(state) : plant_.look(state);
  return status ? monitor_.evaluate(values) : status;
}

Status Engine::event_values(double t, std::vector<double>& values) {
  next_.view.t = t;
  const Status status = interpolate(t, next_.view);
  return status ? event_values(next_.view, values) : status;
}

std::string Engine::void_event() const {
  return monitor_.void_event() < 0 ? "the events" : monitor_.name(static_cast<std::size_t>(monitor_.void_event()));
}

bool Engine::start_events() {
  for (auto* values : {&event_values_, &middle_values_, &trial_values_}) values->assign(monitor_.values(), 0.0);
  samples_.resize(monitor_.values());
  found_events_.reserve(4 * monitor_.count());
  recent_events_.reserve(chattering_events);
  fired_.assign(monitor_.values(), 0);
  if (!monitor_.any()) return true;
  const Status status = event_values(state_.view, event_values_);
  if (!status) {
    monitor_.refuse_void_event();
    return fail(fmt::format("{} cannot be evaluated at the start: {}", void_event(), explain(status)));
  }
  const Contacts* contacts = monitor_.contacts();
  for (Index i = 0; contacts != nullptr && i < contacts->count(); ++i) {
    double& gap = event_values_[monitor_.event_of_contact(i)];
    if (gap < overlap) {
      const ConstraintSlot& slot = contacts->slot(i);
      throw Error::parameter(
          "constraints/" + slot.name,
          fmt::format("the bodies of '{}' (type '{}') overlap by {:.3g} m at the start; move them apart", slot.name,
                      slot.type, -gap));
    }
    samples_.overlap = std::max(samples_.overlap, -gap);
    if (gap < touch) gap = smallest;
  }
  if (const ConstrainedModel* model = plant_.model())
    samples_.rate_before = EventSamples::fastest(model, model->point().v().data());
  met_.assign(contacts != nullptr ? static_cast<std::size_t>(contacts->count()) : 0, 0);
  return true;
}

// To the rounding of times. `t` is on the far side of the zero.
Status Engine::locate(std::size_t event, const Bracket& bracket, double& t, double& least) {
  IllinoisSearch search(bracket.from, bracket.before, bracket.to, bracket.after);
  while (search.tries() < 100 && search.width() > same_time()) {
    const double trial = search.trial();
    const Status status = event_values(trial, trial_values_);
    if (!status) return status;
    const double f = trial_values_[event];
    search.take(trial, f, f * bracket.before > 0);
  }
  t = search.high();
  least = search.least();
  return Status::success();
}

Status Engine::look_into(std::size_t event, const Bracket& bracket) {
  if (!monitor_.crosses(event, bracket.before, bracket.after)) return Status::success();
  double at = bracket.to, least = 0;
  const Status status = locate(event, bracket, at, least);
  if (!status) return status;
  if (least <= pole * std::max({std::abs(bracket.before), std::abs(bracket.after), at_zero})) {
    found_events_.push_back({at, event, bracket.before < 0});
    return status;
  }
  const std::string text =
      monitor_.name(event) + " changes its sign through poles too, which are no zeros and no events";
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(text);
  return status;
}

// All zeros of one function inside the step: between neighbouring samples; and the two around a peak that reaches over
// zero between these (motions that graze), to which parabolas through the nearest three points lead.
Status Engine::find_zeros(std::size_t event) {
  constexpr double near = 0.05;  // of the values at the ends: what a parabola may be off
  constexpr int most_points = 6;
  const Status looked = samples_.look_at_kinks(
      monitor_.first_switch_of(event), monitor_.switches_of(event),
      [&](std::size_t s, const EventSamples::Point& a, const EventSamples::Point& b, EventSamples::Point& kink) {
        double least = 0;
        Status status = locate(s, {a.t, a.f, b.t, b.f}, kink.t, least);
        if (status) status = event_values(kink.t, trial_values_);
        kink.f = trial_values_[event];
        return status;
      });
  if (!looked) return looked;
  std::vector<EventSamples::Point>& points = samples_.points_of(event);
  std::size_t at = 1;
  for (std::size_t k = 1; k < samples_.parts(); ++k, ++at) {
    // Peaks of the others are nearer to other samples.
    const double first = k == 1 ? points[at - 1].t : 0.5 * (points[at - 1].t + points[at].t);
    const double last = k + 1 == samples_.parts() ? points[at + 1].t : 0.5 * (points[at].t + points[at + 1].t);
    const std::size_t more = points.size() - at;
    for (int i = 0; i < most_points; ++i) {
      const EventSamples::Point left = points[at - 1], here = points[at], right = points[at + 1];
      if (!(left.f * here.f > 0) || !(here.f * right.f > 0)) break;
      const double f = here.f, width_left = here.t - left.t, width = right.t - left.t;
      const double rise = (f - left.f) / width_left;
      const double bend = ((right.f - f) / (right.t - here.t) - rise) / width;
      const double slope = rise + bend * width_left, shift = -0.5 * slope / bend, height = f + 0.5 * slope * shift;
      const double peak = here.t + shift, scale = std::max(std::abs(left.f), std::abs(right.f));
      const bool inside = peak > left.t && peak < right.t && peak >= first && peak <= last;
      const bool away = !(bend * f > 0) || !inside || (height * f > 0 && std::abs(height) > near * scale);
      if (away || std::abs(shift) <= same_time()) break;
      const Status status = event_values(peak, trial_values_);
      if (!status) return status;
      if (shift > 0) ++at;
      points.insert(points.begin() + static_cast<std::ptrdiff_t>(at), {peak, trial_values_[event]});
    }
    at = points.size() - more;
  }
  if (!samples_.kinks().empty()) {
    points.insert(points.end(), samples_.kinks().begin(), samples_.kinks().end());
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  }
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Status status = look_into(event, {points[k].t, points[k].f, points[k + 1].t, points[k + 1].f});
    if (!status) return status;
  }
  return Status::success();
}

// The functions at the ends of the step, in its middle, and as densely between as the bodies turn.
Status Engine::sample_events() {
  const ConstrainedModel* model = plant_.model();
  const auto rate = [&] { return model != nullptr ? EventSamples::fastest(model, model->point().v().data()) : 0; };
  Status status = event_values(0.5 * (t_previous() + t()), trial_values_);
  if (!status) return status;
  double fastest = std::max(samples_.rate_before, rate());
  std::swap(middle_values_, trial_values_);
  status = event_values(state_.view, trial_values_);
  if (!status) return status;
  samples_.rate_before = rate();
  fastest = std::max(fastest, samples_.rate_before);
  samples_.divide(t_previous(), t(), fastest);
  samples_.set(0, event_values_);
  samples_.set(samples_.parts(), trial_values_);
  std::swap(event_values_, trial_values_);
  samples_.set(samples_.parts() / 2, middle_values_);
  for (std::size_t k = 1; k < samples_.parts(); ++k) {
    if (2 * k == samples_.parts()) continue;
    status = event_values(samples_.time(k), trial_values_);
    if (!status) return status;
    samples_.set(k, trial_values_);
  }
  return status;
}

bool Engine::look_for_events(bool chart_changed) {
  if (!monitor_.any()) return true;
  const auto failed = [&](const Status& status) {
    return fail(fmt::format("{} cannot be evaluated at t = {:.9g}: {}", void_event(), t(), explain(status)));
  };
  found_events_.clear();
  monitor_.begin_step(event_values_);
  Status status = sample_events();
  for (std::size_t i = 0; status.ok() && i < monitor_.count(); ++i) status = find_zeros(i);
  if (!status) return failed(status);
  if (found_events_.empty()) return true;
  for (bool again = true; again;) {
    again = false;
    std::sort(found_events_.begin(), found_events_.end(), [](const Found& a, const Found& b) { return a.t < b.t; });
    double ends = t();  // of the step, at the first event that changes something
    for (const Found& found : found_events_) {
      if (monitor_.action(found.event) != EventAction::record) ends = std::min(ends, found.t);
    }
    if (!(ends < t() - same_time()) || chart_changed) break;  // a new chart holds at the step's end only
    status = event_values(ends, event_values_);
    if (!status) return failed(status);
    state_.copy_from(next_);
    last_h_ = t() - t_previous();
    if (const ConstrainedModel* model = plant_.model())
      samples_.rate_before = EventSamples::fastest(model, model->point().v().data());
    // A function that changes its sign twice, unseen, shows it at an event in between (corners inside corners).
    for (std::size_t i = 0; status.ok() && i < monitor_.count(); ++i) {
      const double before = samples_.first(i), after = event_values_[i];
      const bool seen = std::any_of(found_events_.begin(), found_events_.end(), [&](const Found& found) {
        return found.event == i && found.t <= t() + same_time();
      });
      const std::size_t known = found_events_.size();
      if (!seen) status = look_into(i, {t_previous(), before, t(), after});
      again = again || found_events_.size() > known;
    }
    if (!status) return failed(status);
  }
  for (const Found& found : found_events_) {
    // Zeros at the step's end up to rounding, several of equal elements too, lie behind; later ones lie ahead.
    const bool behind = found.t <= t() + same_time();
    double& value = event_values_[found.event];
    // Away from its zeros a function shows its sign itself: behind a double zero it is the old one.
    if (std::abs(found.t - t()) <= same_time() || std::abs(value) <= at_zero) {
      value = std::copysign(std::max(std::abs(value), smallest), found.rising == behind ? 1.0 : -1.0);
    }
    if (behind) take(found);
  }
  return !failure_.happened;
}

void Engine::take(const Found& found) {
  const EventAction action = monitor_.action(found.event);
  ++statistics_.events;
  fired_[found.event] = 1;
  if (action == EventAction::impulse) {
    met_[static_cast<std::size_t>(monitor_.contact_of(found.event))] = 1;
  } else {
    located_.push_back(monitor_.located(found.event, found.t, found.rising));
  }
  if (action == EventAction::record) return;
  pending_ = true;
  impacts_ = impacts_ || action == EventAction::impulse;
  if (action == EventAction::set_parameter) changes_.push_back(found.event);
  if (action == EventAction::stop) {
    t_end_ = std::min(t_end_, t());
    stop_message_ = fmt::format("stopped at t = {:.9g} by {}", t(), monitor_.name(found.event));
  }
  refuse_chattering(found);
}

void Engine::refuse_chattering(const Found& found) {
  if (recent_events_.size() < chattering_events) {
    recent_events_.push_back(found.t);
    return;
  }
  double& oldest = recent_events_[next_recent_];
  next_recent_ = (next_recent_ + 1) % chattering_events;
  if (found.t - oldest < chattering_time * duration_) {
    fail(
        fmt::format("chattering: {} events within {:.3g} s before t = {:.9g}, the last one {}; the motion gets nowhere "
                    "between them - smooth the law that switches, or let the event act in one direction only",
                    chattering_events, found.t - oldest, t(), monitor_.name(found.event)));
  }
  oldest = found.t;
}

bool Engine::collide() {
  impact_ = {};
  Contacts& contacts = *monitor_.contacts();
  const Status status = plant_.collide(state_.view, contacts, met_, approach_, impact_);
  if (!status) return fail(fmt::format("the impact at t = {:.9g} cannot be solved: {}", t(), explain(status)));
  for (Index i = 0; i < contacts.count(); ++i) {
    const auto contact = static_cast<std::size_t>(i);
    const std::size_t event = monitor_.event_of_contact(i);
    double& gap = event_values_[event];
    if (met_[contact] || approach_[contact] > 0) gap = std::max(gap, smallest), fired_[event] = 1;
    // Hops of bodies at rest on each other are not worth a row.
    if (approach_[contact] > 2 * contacts.rest_speed(i)) {
      located_.push_back(monitor_.located(event, t(), false));
      located_.back().speed = approach_[contact];
    }
    met_[contact] = 0;
  }
  return true;
}

void Engine::choose_step_anew() {
  constexpr double longer = 5;  // than the careful guess: the controller's own growth
  if (fixed_) return;
  // Without a history the order is the first again, for which the steps before were too long.
  const double growth = traits_.self_controlled ? 1 : longer;
  h_ = std::max(min_step_, std::min(h_, growth * choose_first_step()));
}

// Whatever the search for events did not see: no state behind a rigid stop is shown.
bool Engine::contacts_hold(double t) {
  Contacts* contacts = monitor_.contacts();
  if (contacts == nullptr || contacts->count() == 0) return true;
  const Observation& now = plant_.observation();
  const double scale = 1 + now.q.map().lpNorm<Eigen::Infinity>();
  const double within = fixed_ ? 1e-6 : rtol_[0] * scale + atol_[0];  // a tenth of what the run's tolerances allow
  const double allowed = 1e-9 * scale + 0.1 * within + 2 * samples_.overlap;
  for (Index i = 0; i < contacts->count(); ++i) trial_values_[static_cast<std::size_t>(i)] = 0;
  const Status status = contacts->gaps(*plant_.model(), {trial_values_.data(), contacts->count()});
  for (Index i = 0; status.ok() && i < contacts->count(); ++i) {
    const double gap = trial_values_[static_cast<std::size_t>(i)];
    if (gap >= -allowed) continue;
    const ConstraintSlot& slot = contacts->slot(i);
    return fail(
        fmt::format("the bodies of '{}' (type '{}') overlap by {:.3g} m at t = {:.9g}: an impact was passed over; try "
                    "\"max_step\" or smaller steps",
                    slot.name, slot.type, -gap, t));
  }
  return true;
}

bool Engine::resume() {
  if (!pending_ || failure_.happened) return !failure_.happened;
  pending_ = false;
  impact_ = {};
  ++statistics_.restarts;
  plan_.begin_segment(t());
  const bool impacts = impacts_;
  impacts_ = false;
  if (impacts && !collide()) return false;
  for (const std::size_t event : changes_) {
    monitor_.change_elements(event);
    changed_.push_back(static_cast<double>(event));
  }
  Status status;
  const bool changed = !changes_.empty() || elements_change_;
  elements_change_ = false;
  if (changed) status = plant_.elements_changed(state_.view);
  if (status) status = plant_.restarting(state_.view);
  if (status) status = integrator_.start(problem_, state_.view, memory_);
  controller_.restart();
  defects_.restart(plant_);
  if (!status) return fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status)));
  const bool fired = std::any_of(fired_.begin(), fired_.end(), [](char f) { return f != 0; });
  const bool same_motion = !impacts && !changed && !fired && plan_.left_of_break(t()) == t();  // in another chart
  if (!finished() && (traits_.self_controlled || !same_motion)) choose_step_anew();
  status = plant_.observe(state_.view);
  if (!status) return fail(fmt::format("the state at t = {:.9g} cannot be evaluated: {}", t(), explain(status)));
  // Dense output of the next step begins with what acts behind a jump, not with what acted before it.
  if (state_.view.a.size > 0 && state_.view.a.size == plant_.observation().a.size) {
    state_.view.a.map() = plant_.observation().a.map();
    state_.view.lambda.map() = plant_.observation().lambda.map();
  }
  if (impacts || changed) status = keep_signs();
  changes_.clear();
  std::fill(fired_.begin(), fired_.end(), 0);
  if (!status) return fail(fmt::format("{} cannot be evaluated at t = {:.9g}: {}", void_event(), t(), explain(status)));
  if (impacts) plan_.limit_flight(1.05 * plant_.time_of_flight(*monitor_.contacts()));
  limit_turning();
  return true;
}

// Functions may jump with velocities and parameters: a jump is no crossing. Those that are at zero because they have
// just passed it stay on their side.
Status Engine::keep_signs() {
  const Status status = monitor_.evaluate(trial_values_);
  for (std::size_t i = 0; status.ok() && i < trial_values_.size(); ++i) {
    if (!fired_[i] || std::abs(trial_values_[i]) > at_zero) event_values_[i] = trial_values_[i];
  }
  return status;
}

}  // namespace trammel
