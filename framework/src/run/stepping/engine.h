// Engine: the loop around attempted steps - step size, corrections, rejection, checks, interpolation, statistics.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "plugin/floating_point_mode.h"
#include "record/method_channels.h"
#include "record/statistics.h"
#include "run/plant/plant.h"
#include "run/plant/state_buffer.h"
#include "run/stepping/defect_control.h"
#include "run/stepping/end_slopes.h"
#include "run/stepping/event_monitor.h"
#include "run/stepping/event_samples.h"
#include "run/stepping/step_control.h"
#include "run/stepping/step_plan.h"
#include "trammel/integrator_extensions.h"

namespace trammel {

/// What one component of a run brings to the engine.
struct EngineParts {
  Plant& plant;
  const Integrator& integrator;
  std::string integrator_type;
  std::string integrator_plugin;
  StepControlOptions control;
  StepPlan::Times times;            ///< at which steps end, and between which they stay short
  RunEvents* run_events = nullptr;  ///< of the run file, if it has any
};

class Engine {
 public:
  /// [setup] Throws Error(input) with Error::key() where step keys and method do not fit.
  Engine(const EngineParts& parts, double t_end);

  /// [setup] To be called after each accepted step, before its end is observed.
  void before_observation(std::function<Status()> look) { before_observation_ = std::move(look); }
  /// [step] Consistent start; begins integrator and formulation.
  bool start();
  /// [step] One accepted step. False: the run is over, by `failure()` or because t_end is reached.
  bool advance();
  /// Whether something happens at the end of the last step: an event that changes velocities or forces, a break point,
  /// a new chart. `state` and `interpolate` show the motion before it, until `resume`.
  bool pending() const { return pending_; }
  /// [step] Lets it happen: afterwards `state` and the plant's observation are those after it. False: failure.
  bool resume();
  /// What the last `resume` did to the energy by impacts.
  const Impact& impact() const { return impact_; }
  /// The run's end: its duration, or where an event stopped it.
  double t_end() const { return t_end_; }
  /// Why it stopped early, or "".
  const std::string& stop_message() const { return stop_message_; }
  /// [step] Everything that the next steps depend on, and what was counted and found so far. Restoring, after `start`,
  /// begins at the remembered state; false: failure.
  bool remember(Archive& archive);
  /// [step] Goes on from a state that an engine of the same run with other fixed steps remembered, the method anew; the
  /// integrator's memory may be missing. False: it cannot, by `failure()` or because events after that time changed
  /// elements here.
  bool begin_at(Archive archive);
  /// [step] The next steps end at this time if they come to it. A step that is shortened for it shortens no other.
  void land_at(double t) { plan_.land_at(t); }
  /// Whether a step can end there: fixed steps on a grid end only on the grid.
  bool can_land_at(double t) const;
  /// [step] Forces were changed from outside at the end of the last step: `pending`.
  void elements_change() { pending_ = elements_change_ = true; }
  /// [step] More times at which steps end.
  void add_times(const StepPlan::Times& times) { plan_.add(times); }
  /// [step] Whether the bodies of all contacts are apart at the model's last evaluation point, t; false: failure.
  bool contacts_hold(double t);
  /// All times at which steps end, ascending.
  const std::vector<double>& break_points() const { return plan_.break_points(); }
  /// What the functions of time do.
  const TimeProfile& time_profile() const { return plan_.profile(); }
  /// [step] State at t inside the last accepted step (or at its ends), as outputs show it.
  Status interpolate(double t, const StateView& out);

  double t() const { return state_.view.t; }
  double t_previous() const { return previous_.view.t; }
  double h() const { return last_h_; }
  int order() const { return last_order_; }
  /// The largest entries of the tolerances that the user gave.
  double loosest_rtol() const;
  double loosest_atol() const;
  /// Channels of the integrator; their values belong to the last accepted step.
  MethodChannels channels() const { return {channels_, &memory_}; }
  /// What the integrator has to say about the run, or "".
  std::string note() const;
  const StateView& state() const { return state_.view; }
  const Failure& failure() const { return failure_; }
  /// All events so far.
  const std::vector<LocatedEvent>& events() const { return located_; }
  /// What the run's reader should know although it went on.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Those of them that the check of fixed steps may refute.
  std::vector<std::string> refutable() const;
  /// See StepPlan.
  void scale_cuts(double factor) { plan_.scale_cuts(factor); }
  /// Fixed steps that see what functions of time and laws of forces do, s; infinite if those of the run surely do.
  double step_that_sees() const { return std::min(plan_.step_that_sees(t_end_), defects_.step_that_sees()); }
  /// A failure in words, with the element, body or coordinate it concerns.
  std::string explain(const Status& status) const;
  bool finished() const;
  Statistics statistics() const;
  /// A state of the right shape for `interpolate`.
  StateBuffer make_state() const { return StateBuffer(size_, plant_.view()); }

 private:
  using Target = StepPlan::Target;
  bool advance_unguarded();
  bool attempt(const Target& target);
  /// The attempt left no trace, unless the formulation took another chart.
  void reject(double h_next);
  bool accept(const Correction& correction, const Target& target);
  /// After a failed attempt: with a smaller step, unless steps are fixed or that would be too small; then `failure`.
  void retry(double h, const Status& status);
  /// A part of the step, and an event function at its ends.
  struct Bracket {
    double from, before, to, after;
  };
  struct Found {
    double t;
    std::size_t event;
    bool rising;
  };
  bool start_events();
  /// In words: the one without a value in the last evaluation.
  std::string void_event() const;
  /// After an accepted step: locates events on its interpolant and ends the step at the first that changes something,
  /// which is then pending. False: failure.
  bool look_for_events(bool chart_changed);
  Status event_values(const StateView& state, std::vector<double>& values);
  Status event_values(double t, std::vector<double>& values);
  Status sample_events();
  Status find_zeros(std::size_t event);
  Status look_into(std::size_t event, const Bracket& bracket);
  /// `least`: the smaller of the function's magnitudes on both sides of `t`.
  Status locate(std::size_t event, const Bracket& bracket, double& t, double& least);
  /// After restoring: the implicit matrix that the integrator relies on.
  Status prepare_again();
  void take(const Found& found);
  /// Behind a restart: forces or velocities are others, and the step chosen before says nothing about them.
  void choose_step_anew();
  bool stays_inside(const Target& target);
  void refuse_chattering(const Found& found);
  bool collide();
  Status keep_signs();
  double same_time() const { return plan_.same_time(); }
  double choose_first_step();
  bool fail(const std::string& message, bool by_plugin = false);
  void limit_turning();
  void ask_advice();
  std::string about_zero_tolerance() const;
  ConstVectorView mask();
  Status hermite(double t, const StateView& out);

  Plant& plant_;
  const Integrator& integrator_;
  const std::string integrator_type_, plugin_;
  StepControlOptions control_;
  IntegratorTraits traits_;
  StepPlan plan_;
  const IntegratorAdvice* adviser_;  ///< nullptr if the method gives none
  const IntegratorChannels* channels_;
  ProblemSize size_;
  Problem problem_;
  double t_end_;
  bool fixed_ = false;

  std::vector<double> rtol_, atol_, error_, mask_;
  ErrorMeasure measure_;
  StepController controller_;
  StateBuffer state_, previous_, attempted_, next_;
  EndSlopes slopes_;
  DefectControl defects_;
  std::function<Status()> before_observation_;
  EventMonitor monitor_;
  std::vector<double> event_values_, middle_values_, trial_values_;  // of all event functions
  EventSamples samples_;
  std::vector<Found> found_events_;
  std::vector<LocatedEvent> located_;
  bool pending_ = false, impacts_ = false, elements_change_ = false;
  std::vector<char> met_;              ///< contacts that meet at the end of the step
  std::vector<double> approach_;       ///< of contacts, m/s
  std::vector<char> fired_;            ///< events at the end of the last step
  std::vector<std::size_t> changes_;   ///< events that change forces at the end of the step
  std::vector<double> changed_;        ///< those that did so far, in their order
  std::vector<double> recent_events_;  ///< times of the last ones, in a ring
  std::size_t next_recent_ = 0;
  Impact impact_;
  std::string stop_message_;
  const double duration_;
  std::vector<double> memory_state_, memory_scratch_;
  Memory memory_;

  double h_ = 0, last_h_ = 0, min_step_ = 0;
  int last_order_ = 0;
  double error_norm_ = 0;
  Statistics statistics_;
  Failure failure_;
  std::vector<std::string> warnings_;
  bool turning_warned_ = false;
  int advice_ = -1;  ///< place of the integrator's advice in `warnings_`
  FloatingPointMode floating_point_;
};

}  // namespace trammel
