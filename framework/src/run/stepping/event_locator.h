// EventLocator: finds the zeros of event functions inside a step, on its interpolant, and ends the step at the first
// that changes something.
#pragma once

#include <cstddef>
#include <vector>

#include "model/archive.h"
#include "run/plant/plant.h"
#include "run/plant/state_buffer.h"
#include "run/stepping/event_monitor.h"
#include "run/stepping/event_samples.h"
#include "run/stepping/last_step.h"

namespace trammel {

/// Keeps the functions' values at the end of the last step, where the next one begins: with the sign that they have
/// behind the zeros found.
class EventLocator {
 public:
  struct Found {
    double t;
    std::size_t event;
    bool rising;
  };
  /// A zero with a sign.
  static constexpr double smallest = 1e-300;

  /// [setup] All three outlive this object.
  EventLocator(EventMonitor& monitor, Plant& plant, LastStep& step);

  /// [setup] Functions of any kind are looked at more often in each step than the bodies' turning asks for.
  void sample_densely() { samples_.divide_at_least(16); }
  /// [setup] The values at the initial state.
  Status start();
  /// [step] Looks into the last step. It may only end earlier if `may_cut`.
  Status look(bool may_cut);
  /// [step] The step is void: the values are those at its start again.
  void take_back();
  /// What is at the end of the step or lies before it, by time; valid until the next `look`.
  const std::vector<Found>& found() const { return found_; }
  /// Functions that changed their sign through poles in the last `look`, which are no zeros.
  const std::vector<std::size_t>& poles() const { return poles_; }
  /// Whether formulas switch at more places of a step than there is room for, in the last `look`.
  bool crowded() const { return crowded_; }

  double& value(std::size_t event) { return values_[event]; }
  /// [step] Event i happened at the end of the last step: its function is at zero and stays on its side.
  void mark(std::size_t event) { marked_[event] = 1; }
  bool any_marked() const;
  void clear_marks();
  /// [step] Behind what events did, at the model's last evaluation point: functions may jump with velocities and
  /// parameters, and a jump is no crossing.
  Status keep_signs();
  void remember(Archive& archive);

 private:
  /// A part of the step, and an event function at its ends.
  struct Bracket {
    double from, before, to, after;
  };
  Status evaluate(const ConstStateView& state, std::vector<double>& values);
  Status evaluate_at(double t, std::vector<double>& values);
  double turning_rate() const;
  /// Evaluates at the step's start once more where a function is within rounding of zero there.
  Status match_start();
  Status look_inside(bool may_cut);
  void forget_shifts();
  Status sample();
  Status sample_switches();
  Status look_behind_zero(std::size_t event);
  Status settle_others();
  Status find_zeros(std::size_t event);
  Status look_into(std::size_t event, const Bracket& bracket);
  /// `least`: the smaller of the function's magnitudes on both sides of `t`.
  Status locate(std::size_t event, const Bracket& bracket, double& t, double& least);
  Status cut_off(double t, bool& found_more);
  void settle_signs();

  EventMonitor& monitor_;
  Plant& plant_;
  LastStep& step_;
  StateBuffer inside_;                           ///< a state of the step, where the functions were evaluated last
  std::vector<double> values_, middle_, trial_;  ///< of all event functions
  std::vector<double> shift_;                    ///< added to every function in this step; mostly 0
  EventSamples samples_;
  std::vector<Found> found_;
  std::vector<std::size_t> poles_;
  std::vector<char> marked_;
  bool crowded_ = false;
  double rate_at_start_ = 0;  ///< of turning, of the last step
};

}  // namespace trammel
