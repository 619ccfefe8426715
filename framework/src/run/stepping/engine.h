// Engine: a run in time - its steps, what happens at their ends, and whether it may go on.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/floating_point_mode.h"
#include "record/statistics.h"
#include "run/stepping/engine_parts.h"
#include "run/stepping/step_events.h"
#include "run/stepping/step_warnings.h"
#include "run/stepping/stepper.h"

namespace trammel {

class Engine {
 public:
  /// [setup] Throws Error(input) with Error::key() where step keys and method do not fit.
  explicit Engine(const EngineParts& parts);

  /// [setup] To be called after each accepted step, before its end is observed.
  void before_observation(std::function<Status()> look) { before_observation_ = std::move(look); }
  /// [setup] Ends of steps for which this holds, as long as nothing happens there, are observed at a glance.
  void glance_where(std::function<bool()> unseen) { unseen_ = std::move(unseen); }
  /// [step] Consistent start; begins integrator and formulation.
  bool start();
  /// [step] One accepted step. False: the run is over, by `failure()` or because t_end is reached.
  bool advance();
  /// Whether something happens at the end of the last step: an event that changes velocities or forces, a break point,
  /// a new chart. `state` and `interpolate` show the motion before it, until `resume`.
  bool pending() const { return pending_; }
  /// [step] Lets it happen: afterwards `state` and the plant's observation are those after it. False: failure.
  bool resume();
  /// [step] Forces were changed from outside at the end of the last step: `pending`.
  void elements_change() { pending_ = elements_change_ = true; }
  /// [step] Whether the bodies of all contacts are apart at the model's last evaluation point, t; false: failure.
  bool contacts_hold(double t);

  /// [step] Everything that the next steps depend on, and what was counted and found so far. Restoring, after `start`,
  /// begins at the remembered state; false: failure.
  bool remember(Archive& archive);
  /// [step] Goes on from a state that an engine of the same run with other fixed steps remembered, the method anew; the
  /// integrator's memory may be missing. False: it cannot, by `failure()` or because events after that time changed
  /// elements here.
  bool begin_at(Archive archive);

  /// The run's end: its duration, or where an event stopped it.
  double t_end() const { return t_end_; }
  bool finished() const { return t() >= t_end_ - plan().same_time(); }
  /// Whether a step can end there: fixed steps on a grid end only on the grid.
  bool can_land_at(double t) const;
  double t() const { return stepper_.last_step().t(); }
  /// t, or just before it where t is a break point: what acts there at t acts behind the step only.
  double t_before_break() const { return plan().left_of_break(t()); }
  double t_previous() const { return stepper_.last_step().t_previous(); }
  double h() const { return stepper_.last_step().h(); }
  ConstStateView state() const { return stepper_.last_step().state(); }
  /// [step] State at t inside the last accepted step (or at its ends), as outputs show it.
  Status interpolate(double t, const StateView& out) { return stepper_.last_step().interpolate(t, out); }
  /// A state of the right shape for `interpolate`.
  StateBuffer make_state() const { return StateBuffer(plant_.size(), plant_.view()); }

  /// At which times steps end: more of them may be given between steps.
  StepPlan& plan() { return stepper_.plan(); }
  const StepPlan& plan() const { return stepper_.plan(); }
  const MethodRun& method() const { return stepper_.method(); }
  const ErrorControl& errors() const { return stepper_.errors(); }
  const StepEvents& events() const { return events_; }
  Statistics statistics() const;
  const Failure& failure() const { return failure_; }
  /// What the run's reader should know although it went on.
  const std::vector<std::string>& warnings() const { return warnings_.texts(); }
  /// Those of them that the check of fixed steps may refute.
  std::vector<std::string> refutable() const;
  /// Fixed steps that see what functions of time and laws of forces do, s; infinite if those of the run surely do.
  double step_that_sees() const { return std::min(plan().step_that_sees(t_end_), stepper_.defects().step_that_sees()); }

 private:
  bool advance_unguarded();
  /// A step, and the events in it, which may end it. False: failure.
  bool step_to_event();
  /// States inside the step that just ended are evaluated; where one fails, a shorter step takes its place. False: failure.
  bool look_inside();
  /// Its end is observed and looked at. False: failure.
  bool observe_end();
  bool observe(Look look = Look::full);
  /// What else must hold at the end of every step; false: failure.
  bool constraints_hold();
  bool memory_holds();
  bool floating_point_mode_holds();
  void limit_turning();
  /// `trouble`: why the run cannot go on, which is its failure, or "". True: it can.
  bool goes_on(std::string trouble);
  void fail(std::string message, bool by_plugin = false);

  Plant& plant_;
  double t_end_;
  Stepper stepper_;
  StepEvents events_;
  StepWarnings warnings_;
  std::function<Status()> before_observation_;
  std::function<bool()> unseen_;
  bool pending_ = false, elements_change_ = false;
  Statistics statistics_;
  Failure failure_;
  FloatingPointMode floating_point_;
};

}  // namespace trammel
