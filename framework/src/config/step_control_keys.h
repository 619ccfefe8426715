// Keys of `integrator` that belong to the kernel: they are the same for every integrator.
#pragma once

#include "trammel/parameters.h"

namespace trammel {

enum class ErrorNorm : std::int32_t { rms, max };
enum class ControllerType : std::int32_t { i, pi };
enum class DefectMode : std::int32_t { automatic, every_step, off };

struct StepControlOptions {
  double step;  ///< s; fixed steps
  Numbers rtol, atol;
  double initial_step, min_step, max_step;  ///< s
  ErrorNorm norm;
  ControllerType controller;
  double safety, min_factor, max_factor;
  bool step_check;
  bool observe_steps = true;  ///< every accepted one in full
  DefectMode defect_control;  ///< which steps are looked into
};

ParameterTable step_control_table();

}  // namespace trammel
