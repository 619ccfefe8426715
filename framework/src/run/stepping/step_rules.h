// What a method and a problem demand of the keys that choose steps; refused where they do not fit.
#pragma once

#include <string>

#include "config/step_control_keys.h"
#include "run/plant/plant.h"
#include "trammel/integrator.h"

namespace trammel {

/// [setup] Throws Error(input) with Error::key(). `type`: of the integrator; `tolerances`: those of `components`.
void refuse_step_keys(const StepControlOptions& control, const Integrator& integrator, const std::string& type,
                      const Tolerances& tolerances, Index components);

/// [setup] Below the rounding of a component of y no step is small enough.
void refuse_unreachable_tolerances(const StepControlOptions& control, const Tolerances& tolerances, const Plant& plant,
                                   ConstVectorView y, ConstVectorView weights);

}  // namespace trammel
