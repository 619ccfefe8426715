// Table of the step-control keys.
#include "config/step_control_keys.h"

#include <cstddef>
#include <iterator>

namespace trammel {
namespace {

constexpr ParameterRecord records[] = {
    {.name = "step", .type = ParameterType::number, .offset = offsetof(StepControlOptions, step), .unit = "s",
     .description = "Fixed step size; without it the step size follows the tolerances.", .minimum = 0,
     .exclusive_minimum = true, .optional = true},
    {.name = "rtol", .type = ParameterType::numbers, .offset = offsetof(StepControlOptions, rtol), .unit = "1",
     .description = "Relative tolerance, one number or one per component; 1e-6 if left out.", .minimum = 0, .optional = true,
     .count_min = 1},
    {.name = "atol", .type = ParameterType::numbers, .offset = offsetof(StepControlOptions, atol), .unit = "1",
     .description = "Absolute tolerance, one number or one per component; 1e-8 if left out.", .minimum = 0, .optional = true,
     .count_min = 1},
    {.name = "initial_step", .type = ParameterType::number, .offset = offsetof(StepControlOptions, initial_step),
     .unit = "s", .description = "First step size; chosen from the problem if left out.", .minimum = 0,
     .exclusive_minimum = true, .optional = true},
    {.name = "min_step", .type = ParameterType::number, .offset = offsetof(StepControlOptions, min_step), .unit = "s",
     .description = "Step size at which the run gives up; rounding of the time if left out.", .minimum = 0,
     .optional = true},
    {.name = "max_step", .type = ParameterType::number, .offset = offsetof(StepControlOptions, max_step), .unit = "s",
     .description = "Largest step size.", .minimum = 0, .exclusive_minimum = true, .optional = true},
    {.name = "norm", .type = ParameterType::choice, .offset = offsetof(StepControlOptions, norm), .unit = "1",
     .description = "Norm of the weighted error.", .default_json = "\"rms\"", .choices = "rms|max"},
    {.name = "controller", .type = ParameterType::choice, .offset = offsetof(StepControlOptions, controller),
     .unit = "1", .description = "Step-size controller.", .default_json = "\"pi\"", .choices = "i|pi"},
    {.name = "safety", .type = ParameterType::number, .offset = offsetof(StepControlOptions, safety), .unit = "1",
     .description = "Safety factor of the controller.", .default_json = "0.9", .minimum = 0, .maximum = 1,
     .exclusive_minimum = true},
    {.name = "min_factor", .type = ParameterType::number, .offset = offsetof(StepControlOptions, min_factor),
     .unit = "1", .description = "Smallest ratio of successive step sizes.", .default_json = "0.2", .minimum = 0,
     .maximum = 1, .exclusive_minimum = true, .exclusive_maximum = true},
    {.name = "max_factor", .type = ParameterType::number, .offset = offsetof(StepControlOptions, max_factor),
     .unit = "1", .description = "Largest ratio of successive step sizes.", .default_json = "5", .minimum = 1,
     .exclusive_minimum = true},
    {.name = "step_check", .type = ParameterType::boolean, .offset = offsetof(StepControlOptions, step_check),
     .unit = "1", .description = "Fixed steps: run part of the motion again with other steps to estimate the error.",
     .default_json = "true"},
    {.name = "defect_control", .type = ParameterType::choice, .offset = offsetof(StepControlOptions, defect_control),
     .unit = "1",
     .description = "Steps by tolerances that are looked into for what their method did not sample: those with a suspiciously "
                    "small error estimate and those that grow, all of them, or none.",
     .default_json = "\"auto\"", .choices = "auto|every_step|off"},
};

}  // namespace

ParameterTable step_control_table() {
  return {records, static_cast<std::int32_t>(std::size(records)), sizeof(StepControlOptions),
          alignof(StepControlOptions)};
}

}  // namespace trammel
