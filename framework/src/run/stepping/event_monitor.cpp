// Events of a run.
#include "run/stepping/event_monitor.h"

#include <fmt/format.h>

#include <cmath>

#include "results/atomic_file.h"
#include "run/stepping/run_events.h"
#include "trammel/error.h"

namespace trammel {

namespace {

/// Forces that events of the run file make anew: "forces.NAME.KEY".
std::vector<std::string> changing_forces(const RunEvents* run_events) {
  std::vector<std::string> names;
  for (std::size_t i = 0; run_events != nullptr && i < run_events->count(); ++i) {
    for (const Setting& setting : run_events->event(i).set) {
      const std::size_t from = setting.path.find('.') + 1;
      // Names of parts of sub-models have a '.' themselves; one of the beginnings is that of a force.
      for (std::size_t dot = setting.path.find('.', from); dot != std::string::npos;
           dot = setting.path.find('.', dot + 1))
        names.push_back(setting.path.substr(from, dot - from));
    }
  }
  return names;
}

EventEffect effect_of(const ElementSlot& slot, Index event) {
  switch (slot.events->event_action(event)) {
    case EventAction::record: return EventEffect::record;
    case EventAction::stop: return EventEffect::stop;
    case EventAction::restart: return EventEffect::restart;
  }
  throw Error(ErrorKind::plugin,
              fmt::format("event '{}' of '{}' (type '{}') wants an action that this version does not know",
                          slot.events->event_name(event), slot.name, slot.type));
}

}  // namespace

EventMonitor::EventMonitor(const ConstrainedModel* model, RunEvents* run_events)
    : model_(model), run_events_(run_events) {
  const auto add = [&](const ElementSlot& slot) {
    for (Index i = 0; slot.events != nullptr && i < slot.events->event_count(); ++i) {
      events_.push_back({slot.name, slot.events->event_name(i), slot.events->event_direction(i), effect_of(slot, i)});
    }
  };
  if (model != nullptr) {
    for (const ConstraintSlot& slot : model->assembly().constraints) add(slot);
    for (const ForceSlot& slot : model->assembly().forces) add(slot);
    contacts_ = std::make_unique<Contacts>(model->assembly());
  }
  first_contact_ = events_.size();
  for (Index i = 0; contacts_ != nullptr && i < contacts_->count(); ++i) {
    events_.push_back({contacts_->slot(i).name, "impact", EventDirection::falling, EventEffect::impact});
  }
  first_kink_ = events_.size();
  if (model != nullptr) kinks_ = std::make_unique<Kinks>(model->assembly(), changing_forces(run_events));
  for (std::size_t i = 0; kinks_ != nullptr && i < kinks_->count(); ++i) {
    events_.push_back({kinks_->element(i), kinks_->name(i), EventDirection::both, EventEffect::restart});
  }
  first_of_run_ = events_.size();
  for (std::size_t i = 0; run_events != nullptr && i < run_events->count(); ++i) {
    const RunEvent& event = run_events->event(i);
    events_.push_back({"analysis", event.name, event.direction, event.effect});
  }
  switches_ = run_events != nullptr ? run_events->switches() : 0;
}

Status EventMonitor::evaluate(std::vector<double>& values) {
  values.resize(this->values());
  Status status;
  std::size_t at = 0;
  const auto take = [&](const auto& slot) {
    if (slot.events == nullptr || !status) return;
    const Index count = slot.events->event_count();
    status = slot.events->event_values(model_->point().element_state(slot), {values.data() + at, count});
    at += static_cast<std::size_t>(count);
  };
  if (model_ != nullptr) {
    for (const ConstraintSlot& slot : model_->assembly().constraints) take(slot);
    for (const ForceSlot& slot : model_->assembly().forces) take(slot);
    kinks_->evaluate(*model_, values.data() + first_kink_, values.data() + events_.size());
    if (status) status = contacts_->gaps(*model_, {values.data() + first_contact_, contacts_->count()});
  }
  if (status && run_events_ != nullptr) {
    run_events_->values({values.data() + first_of_run_, static_cast<Index>(run_events_->count())},
                        values.data() + first_switch());
  }
  void_event_ = -1;
  for (std::size_t i = 0; status.ok() && i < events_.size(); ++i) {
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

void EventMonitor::begin_step(std::vector<double>& values) {
  if (kinks_ != nullptr) kinks_->begin_step(values.data() + first_kink_, values.data() + events_.size());
}

bool EventMonitor::crosses(std::size_t i, double before, double after) const {
  if (!(before * after < 0 || (after == 0 && before != 0))) return false;
  const EventDirection wanted = events_[i].direction;
  return wanted == EventDirection::both || (wanted == EventDirection::rising) == (before < 0);
}

LocatedEvent EventMonitor::located(std::size_t i, double t, bool rising) const {
  if (i < first_kink_ || i >= first_of_run_) return {t, events_[i].element, events_[i].name, rising ? 1 : -1};
  return {t, events_[i].element, kinks_->name(i - first_kink_), kinks_->direction(i - first_kink_)};
}

std::string EventMonitor::name(std::size_t i) const {
  if (i >= first_of_run_) return fmt::format("event '{}' of the run file", events_[i].name);
  if (i >= first_kink_) return fmt::format("switch '{}' of '{}'", kinks_->name(i - first_kink_), events_[i].element);
  return fmt::format("event '{}' of '{}'", events_[i].name, events_[i].element);
}

Index EventMonitor::contact_of(std::size_t i) const {
  return i >= first_contact_ && i < first_kink_ ? static_cast<Index>(i - first_contact_) : -1;
}

void EventMonitor::change_elements(std::size_t i) {
  if (i < first_of_run_) return;
  run_events_->happened(i - first_of_run_);
  kinks_->rebuild();
}

void write_events(const std::vector<LocatedEvent>& events, const std::filesystem::path& file) {
  if (events.empty()) return;
  std::string text = "t,element,event,direction\n";
  for (const LocatedEvent& e : events) text += fmt::format("{:.17g},{},{},{}\n", e.t, e.element, e.event, e.direction);
  write_atomically(file, text);
}

}  // namespace trammel
