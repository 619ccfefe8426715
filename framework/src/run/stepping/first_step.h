// FirstStep: the length of a step before which there is none - at the start, and behind a restart.
#pragma once

#include <vector>

#include "config/step_control_keys.h"
#include "run/plant/state_buffer.h"
#include "run/stepping/step_size.h"
#include "trammel/integrator.h"

namespace trammel {

class FirstStep {
 public:
  /// Where steps are fixed there is nothing to choose.
  FirstStep(const StepControlOptions& control, const IntegratorTraits& traits, const StateBuffer& state);
  /// [step] For this state of a run that ends at t_end.
  double choose(const Problem& problem, const StateBuffer& state, const ErrorMeasure& measure, double t_end);

 private:
  VectorView part(Index i, Index size) { return {work_.data() + i * size, size}; }

  double initial_step_, max_step_;
  int error_order_;
  bool self_controlled_;
  std::vector<double> work_;
};

}  // namespace trammel
