// What the choice of a method rests on: sizes of the model, the rates of its motions at the start, the tolerances.
#pragma once

#include <complex>
#include <string>

#include "model/model.h"
#include "run/choice/motion_spectrum.h"
#include "trammel/system.h"

namespace trammel {

/// What a motion asks of a method over some time.
struct MotionDemand {
  bool known = false;            ///< there were derivatives
  std::complex<double> fastest;  ///< 1/s: the eigenvalue of largest modulus, whether it is part of the motion or not
  /// rad: what has to be resolved, of parts larger than the tolerances while they last, and of bodies that turn.
  double radians = 0;
  /// The largest of those parts, in units of its tolerance; at least 1.
  double largest = 1;

  /// rad: what an explicit method has to be stable for.
  double stable(double time) const { return std::abs(fastest) * time; }
};

struct ModelFacts {
  bool bodies = false;        ///< else a problem without constraints
  bool second_order = false;  ///< of a problem
  long coordinates = 0, freedom = 0, velocity_rows = 0, internal_states = 0;
  bool impacts = false;  ///< rigid stops: velocities jump
  double duration = 0;   ///< s
  double rtol = 1e-6, atol = 1e-8;
  MotionDemand demand;
};

/// [setup] `turning`: rad/s of the body that turns fastest.
MotionDemand demand_of(const LinearRates& rates, double time, double rtol, double atol, double size, double speed,
                       double turning);
/// [setup] Of a model of bodies at a consistent state. Its linearization is as it was, its evaluation point is there.
MotionDemand demand_at(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                       double time, double rtol, double atol);

/// [setup] Of a problem without constraints.
MotionDemand demand_of_problem(System& system, double t, ConstVectorView x, ConstVectorView x_dot, double time,
                               double rtol, double atol);
/// [setup] Without the demands, and without what rows repeat.
ModelFacts sizes_of(const Model& model);
/// "a vibration of 3.2e+04 rad/s".
std::string fastest_text(const MotionDemand& demand);
/// "400": an estimate of a factor above 1.
std::string one_digit(double factor);

}  // namespace trammel
