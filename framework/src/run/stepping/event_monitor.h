// Events of a run: zero crossings of the functions of elements, of contacts' gaps and of the run file's own formulas.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/contacts.h"
#include "model/kinks.h"
#include "record/located_event.h"
#include "trammel/extensions/event.h"

namespace trammel {

class RunEvents;

/// Writes the file if there were events. Throws Error(compute): disk full.
void write_events(const std::vector<LocatedEvent>& events, const std::filesystem::path& file);

/// Numbers all events: of constraints, of forces (both in assembly order), of contacts, of laws that switch, of the run
/// file.
class EventMonitor {
 public:
  /// [setup] `model` and `run_events` may be null. Throws Error(input) for actions that are not carried out.
  EventMonitor(const ConstrainedModel* model, RunEvents* run_events);

  bool any() const { return !events_.empty(); }
  std::size_t count() const { return events_.size(); }
  /// Of the numbers that `evaluate` gives: the functions, and behind them what goes with the state they belong to.
  std::size_t values() const { return first_switch() + switches_; }
  /// Where among them the switching functions of the run file's formulas begin: places to look at.
  std::size_t first_switch() const {
    return events_.size() + (kinks_ != nullptr ? Kinks::notes_each * kinks_->count() : 0);
  }
  /// Whether `evaluate` needs the plant's observation; otherwise the model's evaluation point is enough.
  bool needs_observation() const { return run_events_ != nullptr; }
  /// [step] The functions at the model's last evaluated state.
  Status evaluate(std::vector<double>& values);
  /// [step] A step begins where `values` were found.
  void begin_step(std::vector<double>& values);
  /// [step] Whether event i lies between these two values, in a direction that counts.
  bool crosses(std::size_t i, double before, double after) const;
  EventEffect effect(std::size_t i) const { return events_[i].effect; }
  LocatedEvent located(std::size_t i, double t, bool rising) const;
  /// The event without a finite value in the last `evaluate`, or -1.
  Index void_event() const { return void_event_; }
  /// [setup] Throws Error(input) with file, line and path if that is one of the run file's.
  void refuse_void_event() const;
  /// "event 'contact' of 'tyre'"
  std::string name(std::size_t i) const;

  /// nullptr for problems without bodies.
  Contacts* contacts() { return contacts_.get(); }
  /// The contact whose gap event i watches, or -1.
  Index contact_of(std::size_t i) const;
  std::size_t event_of_contact(Index contact) const { return first_contact_ + static_cast<std::size_t>(contact); }
  /// [step] Forces that event i of the run file changes; nothing for others.
  void change_elements(std::size_t i);

 private:
  struct Event {
    std::string element, name;
    EventDirection direction;
    EventEffect effect;
  };
  const ConstrainedModel* model_;
  RunEvents* run_events_;
  std::unique_ptr<Contacts> contacts_;
  std::unique_ptr<Kinks> kinks_;
  std::vector<Event> events_;
  Index void_event_ = -1;
  std::size_t first_contact_ = 0, first_kink_ = 0, first_of_run_ = 0, switches_ = 0;
};

}  // namespace trammel
