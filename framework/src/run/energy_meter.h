// EnergyMeter: dissipated energy and external work by quadrature over the accepted steps, and the drift of the balance.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>

#include "run/engine.h"

namespace trammel {

/// Gauss' rule on the interpolant of each step, with three points (order 6), or two (order 4) where the interpolant's order is
/// at most 3: methods of high order take steps over which a parabola through the power would be worse than the motion, and
/// the ends of a step may be break points, where the power jumps. Systems without dampers, drivers and applied forces evaluate nothing.
class EnergyMeter {
 public:
  /// An integral over time, with what is needed to read it inside the last step.
  struct Account {
    double value = 0, before = 0;          ///< J at the end and at the start of the last step
    double power_end = 0, power_start = 0; ///< W

    /// `mean`: of the power over the step.
    void step(double h, double mean, double end) {
      before = value;
      power_start = power_end;
      power_end = end;
      value += h * mean;
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

  /// [step] After a step was accepted and before its end is observed, so that the model is left at the end; `between` is a
  /// scratch state. Where there was power, the power inside the step.
  Status look_inside(Engine& engine, Plant& plant, const StateView& between) {
    known_ = dissipated.power_end != 0 || work.power_end != 0;
    if (!known_) return Status::success();
    struct Point {
      double place, weight;
    };
    // Abramowitz and Stegun, table 25.4.
    static const double two = 0.5 * std::sqrt(1.0 / 3), three = 0.5 * std::sqrt(0.6);
    static const Point order_4[] = {{0.5 - two, 0.5}, {0.5 + two, 0.5}};
    static const Point order_6[] = {{0.5 - three, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + three, 5.0 / 18}};
    const bool low = engine.interpolation_order() <= 3;
    mean_dissipation_ = mean_work_ = 0;
    for (const Point* point = low ? order_4 : order_6; point != (low ? std::end(order_4) : std::end(order_6)); ++point) {
      StateView at = between;
      at.t = engine.t_previous() + point->place * (engine.t() - engine.t_previous());
      EnergyBudget inside;
      Status status = engine.interpolate(at.t, at);
      if (status) status = plant.power(at, inside);
      if (!status) return status;
      mean_dissipation_ += point->weight * inside.dissipation;
      mean_work_ += point->weight * inside.work;
    }
    return Status::success();
  }

  /// [step] After the end of the step was observed.
  Status step(Engine& engine, Plant& plant, const StateView& between) {
    const EnergyBudget end = plant.observation().energy;
    const double h = engine.t() - engine.t_previous();
    if (!known_ && (end.dissipation != 0 || end.work != 0)) {  // the first power after none
      work.power_end = end.work, dissipated.power_end = end.dissipation;
      Status status = look_inside(engine, plant, between);
      if (status) status = plant.observe(engine.state());
      if (!status) return status;
      work.power_end = dissipated.power_end = 0;
    }
    if (!known_) mean_dissipation_ = mean_work_ = 0;
    dissipated.step(h, mean_dissipation_, end.dissipation);
    work.step(h, mean_work_, end.work);
    drift = std::max(drift, std::abs(end.kinetic + end.potential + dissipated.value - work.value - initial_));
    return Status::success();
  }

  /// [step] After something happened at the end of the step, with the observation after it: impacts took `lost` out, and
  /// what else the energy changed by was put in from outside.
  void jump(const EnergyBudget& before, const EnergyBudget& after, double lost) {
    dissipated.value += lost;
    work.value += after.kinetic + after.potential - before.kinetic - before.potential + lost;
    dissipated.power_end = after.dissipation;
    work.power_end = after.work;
  }

  void remember(Archive& archive) {
    for (auto& [name, account] : {std::pair("dissipated", &dissipated), std::pair("work", &work)}) {
      archive.values(std::string("energy.") + name, account->value, account->before, account->power_end, account->power_start);
    }
    archive.values("energy", initial_, drift, known_, mean_dissipation_, mean_work_);
  }

  Account dissipated, work;
  double drift = 0;  ///< max |total + dissipated - work - initial|, J

 private:
  double initial_ = 0;
  bool known_ = false;  ///< whether the power inside the step is that of the next two
  double mean_dissipation_ = 0, mean_work_ = 0;
};

}  // namespace trammel
