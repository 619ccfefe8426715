// EquilibriumReport: how the search for a static equilibrium went.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

struct EquilibriumReport {
  Index iterations = 0;
  double acceleration = 0;  ///< largest acceleration at rest that is left, m/s^2 or rad/s^2
  double moved = 0;         ///< largest change of a coordinate
  double condition = 0;     ///< of Newton's matrix, worst; 0 by other methods
};

}  // namespace trammel
