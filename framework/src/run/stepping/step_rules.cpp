// Refusals of step sizes and tolerances.
#include "run/stepping/step_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/tolerances.h"

namespace trammel {
namespace {

/// The one that the run file gives, for messages that concern both.
const char* given_tolerance(const StepControlOptions& control) { return control.rtol.size > 0 ? "rtol" : "atol"; }

void refuse_entries(const char* key, ConstVectorView tolerance, Index components) {
  if (tolerance.size == 1 || tolerance.size == components) return;
  throw Error::parameter(key,
                         fmt::format("has {} entries; this run integrates {} components", tolerance.size, components));
}

}  // namespace

void refuse_step_keys(const StepControlOptions& control, const Integrator& integrator, const std::string& type,
                      const Tolerances& tolerances, Index components) {
  const IntegratorTraits traits = integrator.traits();
  const bool fixed = given(control.step), tolerant = control.rtol.size > 0 || control.atol.size > 0;
  if (!fixed && traits.error_order == 0 && !traits.self_controlled) {
    throw Error::parameter("type",
                           fmt::format("'{}' has no error estimate: give \"step\", the size of its fixed steps", type));
  }
  if (fixed && traits.self_controlled) {
    throw Error::parameter("step", fmt::format("'{}' chooses its own steps: give \"rtol\" and \"atol\" instead, "
                                               "\"max_step\" if they have to stay short",
                                               type));
  }
  if (fixed && tolerant) {
    throw Error::parameter("step", "\"step\" means fixed steps: it cannot stand beside \"rtol\" or \"atol\"");
  }
  if (const auto* own = find_extension<OwnStepRule>(integrator); own != nullptr && tolerant) {
    throw Error::parameter(
        given_tolerance(control),
        fmt::format("'{}' has no use for tolerances: its steps follow {}; leave \"rtol\" and \"atol\" out, and give "
                    "\"max_step\" where steps have to stay short",
                    type, own->rule()));
  }
  refuse_entries("rtol", tolerances.rtol, components);
  refuse_entries("atol", tolerances.atol, components);
  for (Index i = 0; i < std::max(tolerances.rtol.size, tolerances.atol.size); ++i) {
    if (allowed_error(tolerances, i, 1, 1) == 0)
      throw Error::parameter(given_tolerance(control), "\"rtol\" and \"atol\" may not both be zero");
  }
  if (given(control.min_step) && given(control.max_step) && control.min_step > control.max_step) {
    throw Error::parameter("min_step", fmt::format("\"min_step\" {:g} is larger than \"max_step\" {:g}",
                                                   control.min_step, control.max_step));
  }
}

void refuse_unreachable_tolerances(const StepControlOptions& control, const Tolerances& tolerances, const Plant& plant,
                                   ConstVectorView y, ConstVectorView weights) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  for (Index i = 0; i < y.size; ++i) {
    const double size = std::abs(y[i]), allowed = allowed_error(tolerances, i, y[i], y[i]);
    if (weights[i] == 0 || allowed >= 2 * rounding * size) continue;
    throw Error::parameter(
        given_tolerance(control),
        fmt::format("an error of {:.2g} in '{}' = {:.6g} is below the rounding of that number, {:.2g}: no step "
                    "reaches it; use an rtol of 1e-14 or more",
                    allowed, plant.component_name(i), y[i], rounding * size));
  }
}

}  // namespace trammel
