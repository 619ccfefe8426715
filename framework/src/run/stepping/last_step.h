// LastStep: the step accepted last - the states at its ends, and those inside it by dense output.
#pragma once

#include "run/plant/plant.h"
#include "run/plant/state_buffer.h"
#include "run/stepping/end_slopes.h"
#include "run/stepping/method_run.h"

namespace trammel {

class LastStep {
 public:
  /// [setup] `method` and `plant` outlive this object; times that differ by at most `same_time` are the same ones.
  LastStep(const MethodRun& method, Plant& plant, double same_time);

  double t() const { return end_.view.t; }
  double t_previous() const { return start_.view.t; }
  /// Its length, as the method was given it; of a step that an event cut off, the distance of its ends.
  double h() const { return h_; }
  double same_time() const { return same_time_; }
  const StateBuffer& start() const { return start_; }
  /// Where the run stands now: corrected, and at an event if one ended the step.
  StateBuffer& end() { return end_; }
  ConstStateView state() const { return end_.view; }
  /// What the method writes: the end of the present attempt, before corrections; dense output reaches up to it.
  StateBuffer& attempted() { return attempted_; }
  /// Nobody wrote behind any of them.
  bool intact() const { return start_.intact() && end_.intact() && attempted_.intact(); }

  /// [step] A start: a step of no length, at its end.
  void begin();
  /// [step] The attempt of length h was accepted; `corrected` is its end.
  void accept(const StateBuffer& corrected, double h);
  /// [step] It ends earlier, at an event.
  void cut_off(const StateBuffer& at);
  /// [step] It is void: the run stands at its start again.
  void take_back();
  /// [step] State at t inside the step (or at its ends), as outputs show it.
  Status interpolate(double t, const StateView& out);
  void remember(Archive& archive);

 private:
  Status hermite(double t, const StateView& out);

  const MethodRun& method_;
  Plant& plant_;
  const double same_time_;
  StateBuffer start_, end_, attempted_;
  EndSlopes slopes_;
  double h_ = 0;
};

}  // namespace trammel
