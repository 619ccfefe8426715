// Tolerances of a run and the norm of a step's error.
#include "run/stepping/error_control.h"

#include <algorithm>

#include "run/stepping/proportional_tolerance.h"
#include "run/stepping/step_rules.h"

namespace trammel {
namespace {

constexpr double default_rtol = 1e-6, default_atol = 1e-8;

std::vector<double> to_vector(const Numbers& numbers, double otherwise) {
  if (numbers.size == 0) return {otherwise};
  return {numbers.data, numbers.data + numbers.size};
}

}  // namespace

ErrorControl::ErrorControl(const StepControlOptions& control, const Integrator& integrator, const std::string& type,
                           Index components)
    : rtol_(to_vector(control.rtol, default_rtol)),
      atol_(to_vector(control.atol, default_atol)),
      given_rtol_(rtol_),
      given_atol_(atol_),
      loosest_rtol_(*std::max_element(rtol_.begin(), rtol_.end())),
      loosest_atol_(*std::max_element(atol_.begin(), atol_.end())),
      tolerances_{{rtol_.data(), static_cast<Index>(rtol_.size())},
                  {atol_.data(), static_cast<Index>(atol_.size())},
                  control.norm == ErrorNorm::max,
                  given(control.step)},
      measure_(tolerances_, components) {
  refuse_step_keys(control, integrator, type, tolerances_, components);
  const IntegratorTraits traits = integrator.traits();
  if (wants_proportional_tolerance(traits)) make_proportional(rtol_, atol_);
  error_.assign(traits.error_order > 0 ? static_cast<std::size_t>(components) : 0, 0.0);
  mask_.assign(static_cast<std::size_t>(components), 1.0);
}

ConstVectorView ErrorControl::mask(const Problem& problem) {
  if (problem.ode != nullptr) return problem.ode->mask();
  if (problem.second_order != nullptr) return problem.second_order->mask();
  if (const ConstVectorView own = problem.constrained->mask(); own.size > 0) return own;
  return {mask_.data(), static_cast<Index>(mask_.size())};
}

Index ErrorControl::dominant(const Problem& problem, ConstVectorView y0, ConstVectorView y1) {
  return error_.empty() ? -1 : measure_.dominant(estimate(), y0, y1, mask(problem));
}

std::string ErrorControl::about_zero_tolerance() const {
  const bool zero = std::find(atol_.begin(), atol_.end(), 0.0) != atol_.end();
  return zero ? "; with an \"atol\" of 0 a component that passes through zero has to be exact there" : "";
}

}  // namespace trammel
