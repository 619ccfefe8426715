// Minima of the potential energy: Davidon, Fletcher and Powell's method, and NLopt's for comparison.
#pragma once

#include "model/search_progress.h"
#include "model/static_energy.h"

namespace trammel {

struct MinimizeOptions {
  double tolerance;  ///< 1/s^2, in the model's unit: largest independent acceleration at rest that is left
  Index most_iterations;
  SearchProgress progress = {};
};

struct MinimizeReport {
  Index iterations = 0;
  long evaluations = 0;
  double acceleration = 0;  ///< largest left, in the model's unit
};

/// [setup] The variable metric method of Fletcher and Powell (Comput. J. 6 (1963) 163-168), starting from the inverse
/// of the mass matrix of the independent coordinates as metric: gradients are then accelerations, metres and radians
/// do not mix, and the first steps go where the system would fall. Line searches follow the slope, not the energy,
/// whose rounding would hide the minimum at half the digits. Leaves `energy` at the last point; not_converged if
/// there is no more to gain before the tolerance.
Status minimize_dfp(StaticEnergy& energy, const MinimizeOptions& options, MinimizeReport& report);

/// Whether this build has NLopt.
bool have_nlopt();
/// [setup] The same by NLopt's limited-memory BFGS; in coordinates in which the mass matrix at the start is the
/// identity.
Status minimize_nlopt(StaticEnergy& energy, const MinimizeOptions& options, MinimizeReport& report);

}  // namespace trammel
