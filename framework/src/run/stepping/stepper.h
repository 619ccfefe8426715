// Stepper: tries steps until one is accepted - their size, their rejection, and what begins anew behind a restart.
#pragma once

#include <string>
#include <vector>

#include "record/statistics.h"
#include "run/stepping/defect_control.h"
#include "run/stepping/engine_parts.h"
#include "run/stepping/error_control.h"
#include "run/stepping/first_step.h"
#include "run/stepping/last_step.h"
#include "run/stepping/method_run.h"
#include "run/stepping/step_plan.h"
#include "run/stepping/step_size.h"

namespace trammel {

/// Functions that return a text report in it why the run cannot go on; "": it can.
class Stepper {
 public:
  /// [setup] Throws Error(input) with Error::key() where step keys and method do not fit.
  explicit Stepper(const EngineParts& parts);

  /// [step] Consistent start; begins integrator and formulation. Throws Error(input): tolerances below rounding.
  std::string start();
  /// [step] The start was observed, and is where steps are watched from.
  void watch_from_here() { defects_.restart(plant_); }
  /// [step] One accepted step, which `last_step` then shows; no further than t_end.
  std::string advance(double t_end, Statistics& statistics);
  /// [step] Whether the method felt what acts in that step, which an event cut off: it sampled the whole step, perhaps
  /// only behind the event.
  bool felt_until_event(const Statistics& statistics);
  /// [step] If it did not: back to the step's start, to go as far as the event, or that share of the way.
  Status take_back(Statistics& statistics, double share = 1);
  /// Whether the correction of that step took another chart.
  bool chart_changed() const { return correction_.restart; }
  /// [step] The method begins anew at the end of the last step. The step's size stays.
  Status restart();
  /// [step] Behind a restart: forces or velocities are others, and the step chosen before says nothing about them.
  void choose_step_anew(double t_end);
  /// [step] Elements were changed by restoring.
  void elements_changed() { defects_.elements_changed(plant_); }
  /// [step] After a fixed step, which ended where events let it: a warning, or "".
  std::string watch() { return defects_.watch(plant_, step_.start().view, step_.state()); }

  void remember(Archive& archive);
  /// [step] After restoring: goes on from there.
  Status restored();
  /// [step] After restoring what other fixed steps remembered: goes on with these, the method anew.
  Status restored_from_other_steps();

  bool fixed() const { return fixed_; }
  /// Of fixed steps, s.
  double fixed_step() const { return control_.step; }
  const MethodRun& method() const { return method_; }
  const ErrorControl& errors() const { return errors_; }
  const DefectControl& defects() const { return defects_; }
  StepPlan& plan() { return plan_; }
  const StepPlan& plan() const { return plan_; }
  LastStep& last_step() { return step_; }
  const LastStep& last_step() const { return step_; }

 private:
  using Target = StepPlan::Target;
  /// True: accepted, and `corrected_` is its end. Otherwise there is a smaller step to try, or a `failure_`.
  bool attempt(const Target& target, Statistics& statistics);
  /// The attempt left no trace, unless the formulation took another chart.
  void reject(double h_next, Statistics& statistics);
  /// After a failed attempt: with a smaller step, unless steps are fixed or that would be too small; then `failure_`.
  void retry(double h, const Status& status, Statistics& statistics);
  std::string accept(const Target& target, double t_end, Statistics& statistics);
  DefectControl::Attempt last_attempt(const StateBuffer& start, const Statistics& statistics);
  std::string about_small_step();
  /// Why steps are short where the last one ended next to a singular position, beginning with "; ", or "".
  std::string about_singular_position() const;
  std::string about_jump_outside(const Target& target) const;
  double choose_first_step(double t_end) {
    return first_.choose(method_.problem(), step_.end(), errors_.measure(), t_end);
  }

  Plant& plant_;
  const StepControlOptions control_;
  const bool fixed_;
  const double duration_;
  MethodRun method_;
  StepPlan plan_;
  LastStep step_;
  StateBuffer corrected_;
  ErrorControl errors_;
  StepController controller_;
  FirstStep first_;
  DefectControl defects_;
  Correction correction_;
  double h_ = 0;          ///< proposed
  double taken_ = 0;      ///< by the last attempt
  double estimate_ = -1;  ///< norm of its error; -1: unknown
  double leap_ = 0;       ///< length of the next step, after one shortened to end beside a singular position
  bool failed_ = false;   ///< an attempt at the step at hand had errors that were too large
  double min_step_ = 0;
  std::string failure_;
};

}  // namespace trammel
