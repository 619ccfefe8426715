// EnergyMeter: dissipated energy and external work by quadrature over the accepted steps, and the drift of the balance.
#pragma once

#include <algorithm>
#include <cmath>

#include "run/engine.h"

namespace trammel {

/// Simpson's rule with the power at both ends and in the middle of each step, where the step's interpolant is evaluated;
/// for systems without dampers, drivers and applied forces nothing is evaluated.
class EnergyMeter {
 public:
  /// An integral over time, with what is needed to read it inside the last step.
  struct Account {
    double value = 0, before = 0;          ///< J at the end and at the start of the last step
    double power_end = 0, power_start = 0; ///< W

    void step(double h, double middle, double end) {
      before = value;
      power_start = power_end;
      power_end = end;
      value += h / 6 * (power_start + 4 * middle + power_end);
    }
    /// Cubic Hermite interpolation, s in [0, 1].
    double at(double s, double h) const {
      return (1 + 2 * s) * (1 - s) * (1 - s) * before + s * s * (3 - 2 * s) * value +
             h * s * (1 - s) * ((1 - s) * power_start - s * power_end);
    }
  };

  /// [step] At the start, with the observation of the initial state.
  void start(const Observation& o) {
    dissipated.power_end = o.energy.dissipation;
    work.power_end = o.energy.work;
    initial_ = o.energy.kinetic + o.energy.potential;
  }

  /// [step] After an accepted step whose end was observed; `middle` is a scratch state. Where there is power, observes
  /// the middle, then the end again.
  Status step(Engine& engine, Plant& plant, const StateView& middle) {
    const EnergyBudget end = plant.observation().energy;
    const double h = engine.t() - engine.t_previous();
    EnergyBudget mid;
    if (end.dissipation != 0 || end.work != 0 || dissipated.power_end != 0 || work.power_end != 0) {
      StateView at = middle;
      at.t = engine.t_previous() + 0.5 * h;
      Status status = engine.interpolate(at.t, at);
      if (status) status = plant.observe(at);
      if (!status) return status;
      mid = plant.observation().energy;
      status = plant.observe(engine.state());
      if (!status) return status;
    }
    dissipated.step(h, mid.dissipation, end.dissipation);
    work.step(h, mid.work, end.work);
    drift = std::max(drift, std::abs(end.kinetic + end.potential + dissipated.value - work.value - initial_));
    return Status::success();
  }

  Account dissipated, work;
  double drift = 0;  ///< max |total + dissipated - work - initial|, J

 private:
  double initial_ = 0;
};

}  // namespace trammel
