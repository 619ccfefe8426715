// EnergyBalance: dissipated energy and external work by quadrature over the accepted steps, and the drift of the balance.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "run/stepping/engine.h"

namespace trammel {

/// Gauss' rule with three points (order 6) on the interpolant of each step; where Simpson's rule through the power at
/// the step's ends and middle says that three points do not tell the power's course, panels are halved until two rules
/// agree. Systems in which no force does work evaluate nothing.
class EnergyBalance {
 public:
  /// An integral over time, with what is needed to read it inside the last step.
  struct Account {
    double value = 0, before = 0;           ///< J at the end and at the start of the last step
    double power_end = 0, power_start = 0;  ///< W
    double turnover = 0;                    ///< J, integral of the magnitude
    std::array<double, 3> power_inside{};   ///< W, at Gauss' points of the last step

    double power_left = 0;  ///< W, at the end of the last step, before what happens there

    /// `mean`: of the power over the step; `magnitude`: of its absolute value; `left`: before what happens at the end.
    void step(double h, double mean, double magnitude, double left, double end) {
      before = value;
      power_start = power_end;
      power_left = left;
      power_end = end;
      value += h * mean;
      turnover += h * magnitude;
    }
    /// Inside the last step of length h, s in [0, 1], J: the integral of the polynomial through the five powers. Gauss'
    /// rule is exact for it; where halved panels found another value at the end, the difference comes in evenly.
    double at(double s, double h) const;
    /// The polynomial itself, W.
    double power(double s) const;

   private:
    /// Its coefficients on [-1, 1], by rising powers.
    std::array<double, 5> polynomial() const;
  };
  /// Dissipated energy and work up to a time, J.
  struct Sums {
    double dissipated, work;
  };

  /// [step] At the start, with the observation of the initial state. `works`: whether any element can do work or
  /// dissipate. `accuracy`: of the integrals, as a share of the energy in play and per step.
  void start(const Observation& o, bool works, double accuracy);

  /// [step] After a step was accepted and before its end is observed, so that the model is left at the end; `between`
  /// is a scratch state. The power at Gauss' points.
  Status look_inside(Engine& engine, Plant& plant, const StateView& between);
  /// [step] After the end of the step was observed.
  Status step(Engine& engine, Plant& plant, const StateView& between);
  /// [step] Before a state at t inside the last step is interpolated into `between` and observed: compares the power with
  /// the polynomial through the step's five, once per step. Leaves the model anywhere.
  Status before_row(Engine& engine, Plant& plant, const StateView& between, double t);
  /// [step] After that state was observed: the integrals up to it. Where the power there or at the places of `before_row`
  /// is not that of the polynomial, they are found by quadrature.
  Status row(Engine& engine, Plant& plant, const StateView& between, double t);
  /// Of the last `row`.
  const Sums& at_row() const { return row_; }
  /// [step] After something happened at the end of the step, with the observation after it: impacts took `lost` out,
  /// and what else the energy changed by was put in from outside.
  void jump(const EnergyBudget& before, const EnergyBudget& after, double lost);
  void remember(Archive& archive);

  /// What was in play so far, J: the largest kinetic energy, the range of the potential energy, and all work and
  /// dissipation by magnitude. (The range of the kinetic energy would be the drift itself where a body spins freely.)
  double exchanged() const;
  /// The balance at a state inside the last step (s in [0, 1] of its length h) or at its end (s = 1), J.
  /// Unknown (0) where the power inside the step has no simple course.
  double imbalance(const EnergyBudget& at, double s, double h) const;
  /// Drift that means something: beyond the rounding of the largest term and what the quadrature leaves open, J.
  double beyond_rounding(double imbalance) const;
  /// `beyond_rounding` of the largest drift over `exchanged`.
  double relative_drift() const;
  double largest_term() const { return largest_; }
  double now() const { return now_; }  ///< the imbalance at the last step's end, J

  Account dissipated, work;
  double drift = 0;       ///< max |total + dissipated - work - initial| at steps' ends, J
  double drift_time = 0;  ///< s

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();  ///< equal to no time
  struct Power {
    double dissipation = 0, work = 0;
  };
  struct Panel {
    double from = 0, to = 0;
    Power mean{}, magnitude{};
    std::array<Power, 3> samples{};
  };
  Status measure(Engine& engine, Plant& plant, const StateView& between, Panel& panel) const;
  bool smooth(const Power& end, double h) const;
  /// Halves panels of the last step until two rules agree.
  Status refine(Engine& engine, Plant& plant, const StateView& between);
  Status integrate_parts(Engine& engine, Plant& plant, const StateView& between);
  void see(const EnergyBudget& at);

  bool works_ = true;
  bool simple_ = true;  ///< three points tell the power's course inside the last step
  double accuracy_ = 1e-9;
  double initial_ = 0, now_ = 0, largest_ = 0, unknown_ = 0;
  double most_kinetic_ = 0, least_potential_ = 0, most_potential_ = 0;
  Panel step_{};
  Sums row_{};
  static constexpr std::size_t row_parts = 16;  ///< of a step, for rows that need quadrature
  std::array<Sums, row_parts + 1> parts_{};     ///< up to each of them, from the step's start
  double parts_from_ = none;                    ///< s, start of their step
  double compared_from_ = none;                 ///< s, start of the step that `before_row` looked at
  double off_between_ = 0;                      ///< W, what it found
  Power left_;                                  ///< W, just before the end of the last step,
  bool breaks_ = false;                         ///< at which something may break
};

/// [setup] Whether an element of the model can dissipate or do work: there are drivers, or a force shows power at one
/// of some states around the start, its own included, at times between all `breaks`. Moves the model.
bool does_work(ConstrainedModel& model, const Observation& start, const std::vector<double>& breaks, double duration);

}  // namespace trammel
