// StiffnessWatch: whether the steps of an explicit method follow what is stable, where the motion itself allows longer ones.
#pragma once

#include <string>

#include "model/model.h"
#include "run/choice/model_facts.h"
#include "run/plant/plant.h"

namespace trammel {

/// Looks after 200 steps, and then whenever four times as many were taken: a run too short for a look is short enough.
class StiffnessWatch {
 public:
  /// [setup] `method`: what the run file calls it, for the warning. `rtol`, `atol`: of the run, or those that it would have
  /// by default where its steps are fixed.
  void start(const std::string& method, double rtol, double atol, double duration);
  /// [step] `steps` since the start of the run.
  bool due(long steps) const { return next_ > 0 && steps >= next_; }
  /// [step] At the end of a step, which the plant has observed; it is at that state again afterwards. A warning, the first
  /// time, or "". May allocate.
  std::string look(Plant& plant, const Model& model, const ConstStateView& state, long steps, long evaluations);

 private:
  MotionDemand demand_here(Plant& plant, const Model& model, const ConstStateView& state, double time) const;

  std::string method_;
  double rtol_ = 0, atol_ = 0, duration_ = 0;
  long next_ = 0;  ///< steps; 0: never
  double t_ = 0;   ///< of the last look
  long steps_ = 0, evaluations_ = 0;
};

}  // namespace trammel
