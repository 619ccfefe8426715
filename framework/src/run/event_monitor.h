// Events of a run: zero crossings of the functions that elements declare, looked for after every step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/constrained_model.h"
#include "trammel/event.h"

namespace trammel {

/// A row of events.csv.
struct LocatedEvent {
  double t;
  std::string element, event;
  int direction;  ///< 1 rising, -1 falling
};

/// Writes the file if there were events. Throws Error(compute): disk full.
void write_events(const std::vector<LocatedEvent>& events, const std::filesystem::path& file);

class EventMonitor {
 public:
  /// [setup] `model` may be null. Throws Error(input) for actions that are not carried out.
  explicit EventMonitor(const ConstrainedModel* model);

  bool any() const { return !events_.empty(); }
  std::size_t count() const { return events_.size(); }
  /// [step] The functions at the model's last evaluated state.
  Status evaluate(std::vector<double>& values) const;
  /// [step] Whether event i lies between these two values, in a direction that counts.
  bool crosses(std::size_t i, double before, double after) const;
  EventAction action(std::size_t i) const { return events_[i].action; }
  LocatedEvent located(std::size_t i, double t, bool rising) const;

 private:
  struct Event {
    const ElementSlot* slot;
    std::string name;
    EventDirection direction;
    EventAction action;
  };
  const ConstrainedModel* model_;
  std::vector<Event> events_;  // of all constraints, then of all forces, in assembly order
};

}  // namespace trammel
