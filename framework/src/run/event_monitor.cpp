// Events of a run.
#include "run/event_monitor.h"

#include <fmt/format.h>

#include "results/atomic_file.h"
#include "trammel/error.h"

namespace trammel {

EventMonitor::EventMonitor(const ConstrainedModel* model) : model_(model) {
  if (model == nullptr) return;
  const auto add = [&](const ElementSlot& slot) {
    for (Index i = 0; slot.events != nullptr && i < slot.events->count(); ++i) {
      const EventAction action = slot.events->action(i);
      if (action == EventAction::set_parameter || action == EventAction::impulse || slot.events->memory_size() > 0) {
        throw Error(ErrorKind::input, fmt::format("event '{}' of '{}' (type '{}') changes the element or its velocities, "
                                                  "which this version does not do", slot.events->name(i), slot.name, slot.type));
      }
      events_.push_back({&slot, slot.events->name(i), slot.events->direction(i), action});
    }
  };
  for (const ConstraintSlot& slot : model->assembly().constraints) add(slot);
  for (const ForceSlot& slot : model->assembly().forces) add(slot);
}

Status EventMonitor::evaluate(std::vector<double>& values) const {
  values.resize(events_.size());
  Status status;
  std::size_t at = 0;
  const auto take = [&](const auto& slot) {
    if (slot.events == nullptr || !status) return;
    const Index count = slot.events->count();
    status = slot.events->values(model_->element_state(slot), {values.data() + at, count});
    at += static_cast<std::size_t>(count);
  };
  for (const ConstraintSlot& slot : model_->assembly().constraints) take(slot);
  for (const ForceSlot& slot : model_->assembly().forces) take(slot);
  return status;
}

bool EventMonitor::crosses(std::size_t i, double before, double after) const {
  if (!(before * after < 0 || (after == 0 && before != 0))) return false;
  const EventDirection wanted = events_[i].direction;
  return wanted == EventDirection::both || (wanted == EventDirection::rising) == (before < 0);
}

LocatedEvent EventMonitor::located(std::size_t i, double t, bool rising) const {
  return {t, events_[i].slot->name, events_[i].name, rising ? 1 : -1};
}

void write_events(const std::vector<LocatedEvent>& events, const std::filesystem::path& file) {
  if (events.empty()) return;
  std::string text = "t,element,event,direction\n";
  for (const LocatedEvent& e : events) text += fmt::format("{:.17g},{},{},{}\n", e.t, e.element, e.event, e.direction);
  write_atomically(file, text);
}

}  // namespace trammel
