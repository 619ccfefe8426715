// LastLook: what a run's steps and rows say about its own rightness, judged while it goes on and at its end.
#pragma once

#include <string>
#include <vector>

#include "results/run_maxima.h"
#include "run/choice/stiffness_watch.h"
#include "run/delay_watch.h"
#include "run/energy_balance.h"
#include "run/fixed_step_check.h"
#include "run/tolerance_check.h"

namespace trammel {

/// What the run was asked for, for judgement and messages.
struct Promise {
  std::string method;  ///< "rk4 under projection"
  double step = 0;     ///< s, of fixed steps; 0: steps by tolerances
  double rtol = 0, atol = 0;
  bool judges = false;  ///< the run integrates: what it kept of the promise is judged
  bool works = false;   ///< energy comes from outside
};

/// The steps of a fixed-step run, and of models: energy balance, rows off the constraints, velocities off the
/// constraints, states beyond any scale; plain problems do not say where their energy goes.
class LastLook {
 public:
  /// [setup] With the observation of the initial state in `plant`.
  void start(Plant& plant, const Promise& promise);
  /// [step] After `energy.step`. Not "": the run is beyond any doubt wrong, why, and what to try.
  std::string step(Plant& plant, double t);
  /// [step] After a row inside the last step (s in [0, 1] of its length h) was observed.
  void row(Plant& plant, double t, double s, double h);
  /// [step] What the run's reader should know although it went on.
  std::vector<std::string> warnings(Plant& plant) const;
  /// Of the run so far.
  RunMaxima maxima(Plant& plant) const;
  void remember(Archive& archive);

  ResidualMaxima residuals;
  EnergyBalance energy;
  FixedStepCheck fixed_steps;
  ToleranceCheck tolerances;
  StiffnessWatch stiffness;
  DelayWatch delays;

 private:
  double explained(Plant& plant) const;
  std::string about_energy(Plant& plant) const;
  std::string about_rows(const Plant& plant) const;
  std::string about_velocities(Plant& plant) const;
  Index contradicted_row(Plant& plant);
  std::string remedy() const;

  Promise promise_;
  bool judges_ = false;
  double doubtful_ = 0.01;  ///< share of the energy in play: drift that is told
  double trusted_ = 0;      ///< J in play where the balance still held
  double lost_time_ = -1;   ///< s, when it first did not
  long lost_steps_ = 0;
  double scale_ = 1;  ///< largest coordinate or speed that the start explains
  double speed_ = 0;  ///< largest norm of v so far
  double row_violation_ = 0, row_time_ = 0, row_drift_ = 0, row_drift_time_ = 0;
  double velocity_violation_ = 0, velocity_time_ = 0;
  Index velocity_row_ = -1;  ///< that is then contradicted by others, or -1
  std::vector<double> rows_;
  double explained_ = 0;  ///< J, largest energy that the tolerances explain, at the times of doubt
  std::string row_name_;
  bool stopped_ = false;
};

}  // namespace trammel
