// Events of a run.
#include "run/event_monitor.h"

#include <fmt/format.h>

#include <cmath>

#include "results/atomic_file.h"
#include "run/run_events.h"
#include "trammel/error.h"

namespace trammel {

EventMonitor::EventMonitor(const ConstrainedModel* model, RunEvents* run_events) : model_(model), run_events_(run_events) {
  const auto add = [&](const ElementSlot& slot) {
    for (Index i = 0; slot.events != nullptr && i < slot.events->count(); ++i) {
      const EventAction action = slot.events->action(i);
      if (action == EventAction::set_parameter || action == EventAction::impulse || slot.events->memory_size() > 0) {
        throw Error(ErrorKind::input, fmt::format("event '{}' of '{}' (type '{}') changes the element or its velocities "
                                                  "by itself, which this version does not do", slot.events->name(i),
                                                  slot.name, slot.type));
      }
      events_.push_back({slot.name, slot.events->name(i), slot.events->direction(i), action});
    }
  };
  if (model != nullptr) {
    for (const ConstraintSlot& slot : model->assembly().constraints) add(slot);
    for (const ForceSlot& slot : model->assembly().forces) add(slot);
    contacts_ = std::make_unique<Contacts>(model->assembly());
  }
  first_contact_ = events_.size();
  for (Index i = 0; contacts_ != nullptr && i < contacts_->count(); ++i) {
    events_.push_back({contacts_->slot(i).name, "impact", EventDirection::falling, EventAction::impulse});
  }
  first_of_run_ = events_.size();
  for (std::size_t i = 0; run_events != nullptr && i < run_events->count(); ++i) {
    const RunEvent& event = run_events->event(i);
    events_.push_back({"analysis", event.name, event.direction, event.action});
  }
}

Status EventMonitor::evaluate(std::vector<double>& values) {
  values.resize(events_.size());
  Status status;
  std::size_t at = 0;
  const auto take = [&](const auto& slot) {
    if (slot.events == nullptr || !status) return;
    const Index count = slot.events->count();
    status = slot.events->values(model_->element_state(slot), {values.data() + at, count});
    at += static_cast<std::size_t>(count);
  };
  if (model_ != nullptr) {
    for (const ConstraintSlot& slot : model_->assembly().constraints) take(slot);
    for (const ForceSlot& slot : model_->assembly().forces) take(slot);
    if (status) status = contacts_->gaps(*model_, {values.data() + first_contact_, contacts_->count()});
  }
  if (status && run_events_ != nullptr) {
    run_events_->values({values.data() + first_of_run_, static_cast<Index>(run_events_->count())});
  }
  void_event_ = -1;
  for (std::size_t i = 0; status.ok() && i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    void_event_ = static_cast<Index>(i);
    status = Status::failure(StatusCode::not_finite, "event function");
  }
  return status;
}

void EventMonitor::refuse_void_event() const {
  const auto i = static_cast<std::size_t>(void_event_);
  if (void_event_ < 0 || i < first_of_run_) return;
  run_events_->refuse(i - first_of_run_, fmt::format("event '{}' has no finite value at the start", events_[i].name));
}

bool EventMonitor::crosses(std::size_t i, double before, double after) const {
  if (!(before * after < 0 || (after == 0 && before != 0))) return false;
  const EventDirection wanted = events_[i].direction;
  return wanted == EventDirection::both || (wanted == EventDirection::rising) == (before < 0);
}

LocatedEvent EventMonitor::located(std::size_t i, double t, bool rising) const {
  return {t, events_[i].element, events_[i].name, rising ? 1 : -1};
}

std::string EventMonitor::name(std::size_t i) const {
  if (i >= first_of_run_) return fmt::format("event '{}' of the run file", events_[i].name);
  return fmt::format("event '{}' of '{}'", events_[i].name, events_[i].element);
}

Index EventMonitor::contact_of(std::size_t i) const {
  return i >= first_contact_ && i < first_of_run_ ? static_cast<Index>(i - first_contact_) : -1;
}

void EventMonitor::change_elements(std::size_t i) {
  if (i >= first_of_run_) run_events_->happened(i - first_of_run_);
}

void write_events(const std::vector<LocatedEvent>& events, const std::filesystem::path& file) {
  if (events.empty()) return;
  std::string text = "t,element,event,direction\n";
  for (const LocatedEvent& e : events) text += fmt::format("{:.17g},{},{},{}\n", e.t, e.element, e.event, e.direction);
  write_atomically(file, text);
}

}  // namespace trammel
