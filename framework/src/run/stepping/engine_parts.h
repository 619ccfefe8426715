// EngineParts: what one component of a run brings to the engine.
#pragma once

#include <string>

#include "config/step_control_keys.h"
#include "run/plant/plant.h"
#include "run/stepping/step_plan.h"

namespace trammel {

class RunEvents;

struct EngineParts {
  Plant& plant;
  const Integrator& integrator;
  std::string integrator_type;
  std::string integrator_plugin;
  StepControlOptions control;
  double duration;                  ///< s, at most
  StepPlan::Times times;            ///< at which steps end, and between which they stay short
  RunEvents* run_events = nullptr;  ///< of the run file, if it has any
};

}  // namespace trammel
