// The warning about fixed steps in which the fastest vibration of the model grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/highest_frequency.h"
#include "analysis/stability.h"
#include "config/step_control_keys.h"
#include "run/simulation_state.h"

namespace trammel {
namespace {

/// At the initial state, which has been observed; 0 if it is unknown.
double fastest_vibration(Plant& plant, const StateView& state) {
  const PlantCounters before = plant.counters;  // those of the run
  double omega = 0;
  if (ConstrainedModel* model = plant.model(); model != nullptr) {
    const std::vector<Index> differenced = model->linearization().differenced();
    omega = highest_frequency(*model, plant.observation().a, plant.observation().lambda);
    model->linearization().differenced() = differenced;  // the run itself may need no derivatives
    plant.observe(state);
  } else {
    omega = highest_frequency(*plant.problem().second_order, state.t, state.x, state.v);
  }
  plant.counters = before;
  return omega;
}

}  // namespace

// Methods on first-order views are left out: their limits lie off the imaginary axis too, and few of them are meant for
// undamped vibrations.
void Simulation::State::warn_of_instability() {
  const double h = control.as<StepControlOptions>().step;
  if (!given(h) || view == ViewKind::ode) return;
  const StabilityProbe probe(integrator.as<Integrator>(), h);
  if (!probe.status()) return;
  RayOptions ray;
  ray.until = 8;
  ray.points = 80;
  const StabilityLimit stability = find_stability_limit(probe, ray);
  if (stability.unlimited) return;
  const double omega = fastest_vibration(*plant, engine->state());
  if (stability.limit > 0) {
    if (h * omega <= stability.limit) return;
    summary.warnings.push_back(
        fmt::format("steps of {:g} s are beyond the stability limit of '{}': h omega = {:.4g} for the highest "
                    "frequency of the model at "
                    "its start, about {:.4g} rad/s; the limit is {:.4g}, steps of {:.3g} s",
                    h, run.integrator.type, h * omega, omega, stability.limit, stability.limit / omega));
    return;
  }
  std::string consequence;
  if (omega > 0) {
    const double radius = probe.spectral_radius({0, h * omega});
    const double factor = std::pow(radius, run.analysis.duration / h);
    consequence = fmt::format(
        "; errors of the highest frequency of the model at its start, about {:.4g} rad/s, grow by {:.3g} per step, in "
        "this "
        "run to {:.3g} times their size",
        omega, radius - 1, factor);
  }
  const bool weak = stability.growth_power > 0.5;
  const std::string radius =
      weak ? fmt::format("its spectral radius is 1 + {:.3g} (h omega)^{:.2g} for small h omega", stability.growth,
                         stability.growth_power)
           : fmt::format("its spectral radius is {:.3g} however small the step", 1 + stability.growth);
  summary.warnings.push_back(fmt::format("'{}' with these parameters is {} for every step: {}{}", run.integrator.type,
                                         weak ? "weakly unstable" : "unstable", radius, consequence));
}

}  // namespace trammel
