// StepEvents: the events at the end of the last step and what they change there, and all events of the run so far.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"
#include "record/located_event.h"
#include "run/plant/plant.h"
#include "run/stepping/chattering.h"
#include "run/stepping/event_locator.h"
#include "run/stepping/event_monitor.h"
#include "run/stepping/impacts.h"
#include "run/stepping/last_step.h"
#include "run/stepping/step_warnings.h"

namespace trammel {

/// Functions that return a text report in it why the run cannot go on; "": it can.
class StepEvents {
 public:
  /// [setup] `plant`, `run_events` (may be null) and `step` outlive this object. Throws Error(input) for actions that
  /// are not carried out.
  StepEvents(Plant& plant, RunEvents* run_events, LastStep& step, double duration);

  bool any() const { return monitor_.any(); }
  /// [setup] Throws Error(input): bodies that overlap at the start, formulas without a value.
  std::string start();
  /// [step] Looks for events in the last step, and ends it at the first that changes something - unless the state holds
  /// at its end only (`may_cut`).
  std::string look(bool may_cut, StepWarnings& warnings);
  /// [step] The step is void: what was found in it did not happen.
  void take_back() { locator_.take_back(); }
  /// [step] The step stands, and what was found in it happens.
  std::string take();
  /// What the last `take` took at the end of the step or before it.
  struct Outcome {
    long events = 0;
    bool changes = false;  ///< velocities or forces, or the run's end
    bool stops = false;
  };
  const Outcome& outcome() const { return outcome_; }
  /// Why the run was stopped, or "".
  const std::string& stop_message() const { return stop_message_; }

  /// [step] What happens at the end of the last step, in this order: velocities jump, forces become others (false: none
  /// does), and behind the restart functions begin with their new signs.
  std::string collide();
  bool change_elements();
  /// Whether a function is at its zero there.
  bool any_at_zero() const { return locator_.any_marked(); }
  std::string finish(bool values_jump);
  /// [step] Nothing happens there.
  void forget();

  /// [step] Largest step in which bodies turn slowly enough to be sampled, from the plant's last observation.
  double longest_step() const;
  Impacts& impacts() { return impacts_; }
  const Impacts& impacts() const { return impacts_; }
  /// All so far.
  const std::vector<LocatedEvent>& located() const { return located_; }
  /// [step] Whether an archive knows all changes of elements that happened here.
  bool changes_are_in(Archive& archive) const;
  /// [step] True: restoring changed elements.
  bool remember(Archive& archive);

 private:
  /// In words: the function without a value in the last evaluation.
  std::string void_event() const;
  std::string take(const EventLocator::Found& found);

  Plant& plant_;
  LastStep& step_;
  EventMonitor monitor_;
  EventLocator locator_;
  Impacts impacts_;
  Chattering chattering_;
  Outcome outcome_;
  std::vector<std::size_t> changes_;  ///< events that change forces at the end of the step
  std::vector<double> changed_;       ///< those that did so far, in their order
  std::vector<LocatedEvent> located_;
  std::string stop_message_;
};

}  // namespace trammel
