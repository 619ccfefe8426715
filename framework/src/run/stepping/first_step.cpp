// The first step.
#include "run/stepping/first_step.h"

#include <algorithm>

#include "run/plant/counted_second_order.h"

namespace trammel {

FirstStep::FirstStep(const StepControlOptions& control, const IntegratorTraits& traits, const StateBuffer& state)
    : initial_step_(control.initial_step),
      max_step_(control.max_step),
      error_order_(traits.error_order),
      self_controlled_(traits.self_controlled),
      work_(static_cast<std::size_t>(given(control.step) ? 0 : 4 * state.controlled().size), 0.0) {}

double FirstStep::choose(const Problem& problem, const StateBuffer& state, const ErrorMeasure& measure, double t_end) {
  const double largest = given(max_step_) ? std::min(max_step_, t_end) : t_end;
  if (given(initial_step_)) return std::min(initial_step_, largest);
  if (problem.constrained != nullptr) return std::min(largest, 1e-4 * t_end);
  const double t = state.view.t;
  const Index n = state.controlled().size;
  if (problem.second_order != nullptr) {
    FirstOrderForm form(*problem.second_order);
    const VectorView y = part(0, n);
    std::copy(state.controlled().data, state.controlled().data + n, y.data);
    return first_step(form, t, y, measure, error_order_, largest, part(1, n), part(2, n), part(3, n));
  }
  // Methods that choose their own order begin with the first.
  const int order = self_controlled_ ? 1 : error_order_;
  return first_step(*problem.ode, t, state.view.x, measure, order, largest, part(1, n), part(2, n), part(3, n));
}

}  // namespace trammel
