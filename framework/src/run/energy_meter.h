// EnergyMeter: dissipated energy and external work by quadrature over the accepted steps, and the drift of the balance.
#pragma once

#include <algorithm>
#include <cmath>

#include "run/engine.h"

namespace trammel {

/// Gauss' rule with three points (order 6) on the interpolant of each step: methods of high order take steps over which a
/// parabola through the power would be worse than the motion, and the ends of a step may be break points, where the power
/// jumps. Systems without dampers, drivers and applied forces evaluate nothing.
class EnergyMeter {
 public:
  /// An integral over time, with what is needed to read it inside the last step.
  struct Account {
    double value = 0, before = 0;          ///< J at the end and at the start of the last step
    double power_end = 0, power_start = 0; ///< W

    /// `inside`: power at the three points. Abramowitz and Stegun, table 25.4.
    void step(double h, const double (&inside)[3], double end) {
      before = value;
      power_start = power_end;
      power_end = end;
      value += h / 18 * (5 * inside[0] + 8 * inside[1] + 5 * inside[2]);
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

  /// [step] After an accepted step whose end was observed; `inside` is a scratch state. Where there is power, observes
  /// points inside the step, then the end again.
  Status step(Engine& engine, Plant& plant, const StateView& inside) {
    const EnergyBudget end = plant.observation().energy;
    const double h = engine.t() - engine.t_previous();
    double dissipations[3] = {}, works[3] = {};
    if (end.dissipation != 0 || end.work != 0 || dissipated.power_end != 0 || work.power_end != 0) {
      const double offset = 0.5 * std::sqrt(0.6), places[3] = {0.5 - offset, 0.5, 0.5 + offset};
      for (int k = 0; k < 3; ++k) {
        StateView at = inside;
        at.t = engine.t_previous() + places[k] * h;
        Status status = engine.interpolate(at.t, at);
        if (status) status = plant.observe(at);
        if (!status) return status;
        dissipations[k] = plant.observation().energy.dissipation;
        works[k] = plant.observation().energy.work;
      }
      const Status status = plant.observe(engine.state());
      if (!status) return status;
    }
    dissipated.step(h, dissipations, end.dissipation);
    work.step(h, works, end.work);
    drift = std::max(drift, std::abs(end.kinetic + end.potential + dissipated.value - work.value - initial_));
    return Status::success();
  }

  Account dissipated, work;
  double drift = 0;  ///< max |total + dissipated - work - initial|, J

 private:
  double initial_ = 0;
};

}  // namespace trammel
