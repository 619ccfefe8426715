// EnergyMeter: dissipated energy and external work by quadrature over the accepted steps, and the drift of the balance.
#pragma once

#include <cmath>

#include "run/engine.h"

namespace trammel {

/// Simpson's rule with the power at both ends and in the middle of each step, where the step's interpolant is evaluated;
/// for systems without dampers, drivers and applied forces nothing is evaluated.
class EnergyMeter {
 public:
  /// [step] At the start, with the observation of the initial state.
  void start(const Observation& o) {
    last_ = o.energy;
    initial_ = o.energy.kinetic + o.energy.potential;
  }
  /// [step] After an accepted step whose end was observed; `middle` is a scratch state. Observes the middle, then the end
  /// again.
  Status step(Engine& engine, Plant& plant, const StateView& middle) {
    const EnergyBudget end = plant.observation().energy;
    if (end.dissipation != 0 || end.work != 0 || last_.dissipation != 0 || last_.work != 0) {
      const double h = engine.t() - engine.t_previous();
      StateView at = middle;
      at.t = engine.t_previous() + 0.5 * h;
      Status status = engine.interpolate(at.t, at);
      if (status) status = plant.observe(at);
      if (!status) return status;
      const EnergyBudget& mid = plant.observation().energy;
      dissipated += h / 6 * (last_.dissipation + 4 * mid.dissipation + end.dissipation);
      work += h / 6 * (last_.work + 4 * mid.work + end.work);
      status = plant.observe(engine.state());
      if (!status) return status;
    }
    last_ = end;
    drift = std::max(drift, std::abs(end.kinetic + end.potential + dissipated - work - initial_));
    return Status::success();
  }

  double dissipated = 0;  ///< J since the start
  double work = 0;        ///< J since the start
  double drift = 0;       ///< max |total + dissipated - work - initial|

 private:
  EnergyBudget last_;
  double initial_ = 0;
};

}  // namespace trammel
