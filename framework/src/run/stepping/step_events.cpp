// What events do at the end of a step.
#include "run/stepping/step_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/plant/status_text.h"

namespace trammel {
namespace {

constexpr double touch = 1e-12;  // gaps of contacts at the start that are closed, m

void remember_events(Archive& archive, std::vector<LocatedEvent>& events) {
  std::vector<double> numbers;
  std::vector<std::string> names;
  for (const LocatedEvent& event : events) {
    numbers.insert(numbers.end(), {event.t, static_cast<double>(event.direction), event.speed});
    names.insert(names.end(), {event.element, event.event});
  }
  archive.list("events.located", numbers);
  archive.list("events.located", names);
  if (!archive.restores()) return;
  events.clear();
  for (std::size_t i = 0; i < std::min(numbers.size() / 3, names.size() / 2); ++i) {
    const double* number = &numbers[3 * i];
    events.push_back({number[0], names[2 * i], names[2 * i + 1], static_cast<int>(number[1]), number[2]});
  }
}

}  // namespace

StepEvents::StepEvents(Plant& plant, RunEvents* run_events, LastStep& step, double duration)
    : plant_(plant),
      step_(step),
      monitor_(plant.model(), run_events),
      locator_(monitor_, plant, step),
      impacts_(monitor_.contacts()),
      chattering_(duration) {
  if (run_events != nullptr) locator_.sample_densely();
}

std::string StepEvents::void_event() const {
  return monitor_.void_event() < 0 ? "the events" : monitor_.name(static_cast<std::size_t>(monitor_.void_event()));
}

std::string StepEvents::start() {
  if (!any()) return {};
  const Status status = locator_.start();
  if (!status) {
    monitor_.refuse_void_event();
    return fmt::format("{} cannot be evaluated at the start: {}", void_event(), explain(status, plant_));
  }
  for (Index i = 0; i < impacts_.count(); ++i) {
    double& gap = locator_.value(monitor_.event_of_contact(i));
    impacts_.check_start(i, gap);
    if (gap < touch) gap = EventLocator::smallest;
  }
  return {};
}

std::string StepEvents::look(bool may_cut, StepWarnings& warnings) {
  outcome_ = {};
  if (!any()) return {};
  const Status status = locator_.look(may_cut);
  for (const std::size_t event : locator_.poles())
    warnings.add_once(monitor_.name(event) + " changes its sign through poles too, which are no zeros and no events");
  if (locator_.crowded())
    warnings.add_once(
        "formulas of events switch so often in a step that a passage of zero may have been missed; try a smaller "
        "\"max_step\", or \"step\"");
  if (!status) {
    return fmt::format("{} cannot be evaluated at t = {:.9g}: {}", void_event(), step_.t(), explain(status, plant_));
  }
  return {};
}

std::string StepEvents::take() {
  std::string failure;
  if (!any()) return failure;
  for (const EventLocator::Found& found : locator_.found()) {
    std::string text = take(found);
    if (!text.empty()) failure = std::move(text);
  }
  return failure;
}

std::string StepEvents::take(const EventLocator::Found& found) {
  const EventEffect effect = monitor_.effect(found.event);
  ++outcome_.events;
  if (effect == EventEffect::impact) {
    impacts_.meet(monitor_.contact_of(found.event));
  } else {
    located_.push_back(monitor_.located(found.event, found.t, found.rising));
  }
  if (effect == EventEffect::record) return {};
  outcome_.changes = true;
  if (effect == EventEffect::set_parameter) changes_.push_back(found.event);
  if (effect == EventEffect::stop) {
    outcome_.stops = true;
    stop_message_ = fmt::format("stopped at t = {:.9g} by {}", step_.t(), monitor_.name(found.event));
  }
  const double within = chattering_.see(found.t);
  if (!std::isfinite(within)) return {};
  return fmt::format(
      "chattering: {} events within {:.3g} s before t = {:.9g}, the last one {}; the motion gets nowhere "
      "between them - smooth the law that switches, or let the event act in one direction only",
      Chattering::events, within, step_.t(), monitor_.name(found.event));
}

std::string StepEvents::collide() {
  const Status status = impacts_.collide(plant_, step_.end().view);
  if (!status) return fmt::format("the impact at t = {:.9g} cannot be solved: {}", step_.t(), explain(status, plant_));
  for (Index i = 0; i < impacts_.count(); ++i) {
    const std::size_t event = monitor_.event_of_contact(i);
    double& gap = locator_.value(event);
    if (impacts_.took_part(i)) {
      gap = std::max(gap, EventLocator::smallest);
      locator_.mark(event);
    }
    // Hops of bodies at rest on each other are not worth a row.
    if (impacts_.is_hop(i)) continue;
    located_.push_back(monitor_.located(event, step_.t(), false));
    located_.back().speed = impacts_.speed(i);
  }
  return {};
}

bool StepEvents::change_elements() {
  for (const std::size_t event : changes_) {
    monitor_.change_elements(event);
    changed_.push_back(static_cast<double>(event));
  }
  return !changes_.empty();
}

std::string StepEvents::finish(bool values_jump) {
  const Status status = values_jump ? locator_.keep_signs() : Status::success();
  changes_.clear();
  locator_.clear_marks();
  if (status) return {};
  return fmt::format("{} cannot be evaluated at t = {:.9g}: {}", void_event(), step_.t(), explain(status, plant_));
}

void StepEvents::forget() {
  impacts_.forget();
  changes_.clear();
  locator_.clear_marks();
}

double StepEvents::longest_step() const {
  const Observation& now = plant_.observation(Look::glance);
  const double rate = any() && now.v.size > 0 ? EventSamples::fastest(plant_.model(), now.v.data) : 0;
  return rate > 0 ? EventSamples::most_turn / rate : std::numeric_limits<double>::infinity();
}

bool StepEvents::changes_are_in(Archive& archive) const {
  return archive.numbers()["events.changed"].size() >= changed_.size();
}

bool StepEvents::remember(Archive& archive) {
  locator_.remember(archive);
  impacts_.remember(archive);
  chattering_.remember(archive);
  remember_events(archive, located_);
  const std::size_t changes_here = changed_.size();
  archive.list("events.changed", changed_);
  for (std::size_t i = changes_here; i < changed_.size(); ++i)
    monitor_.change_elements(static_cast<std::size_t>(changed_[i]));
  return changes_here < changed_.size();
}

}  // namespace trammel
