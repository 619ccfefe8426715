// Keys of `integrator` that belong to the kernel: they are the same for every integrator.
#pragma once

#include "trammel/parameters.h"

namespace trammel {

enum class ErrorNorm : std::int32_t { rms, max };
enum class ControllerType : std::int32_t { i, pi };

struct StepControlOptions {
  double step;  ///< s; fixed steps
  Numbers rtol, atol;
  double initial_step, min_step, max_step;  ///< s
  ErrorNorm norm;
  ControllerType controller;
  double safety, min_factor, max_factor;
};

ParameterTable step_control_table();

}  // namespace trammel
