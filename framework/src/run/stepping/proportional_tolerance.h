// Tolerances of second-order methods, so that the error of a run is in proportion to what the user asked for.
#pragma once

#include <vector>

#include "trammel/integrator.h"

namespace trammel {

/// A method of order p that goes on from the result whose error it estimates, with errors of steps <= tol, has a global
/// error of tol^(p / (p + 1)): of order 2, a thousand times 1e-8. Steps that keep to
///   tol' = tol (tol / tol_0)^(1 / p),   tol_0 = 1e-3                                                               (1)
/// make it proportional to tol (tolerance proportionality: G. Soederlind, L. Wang, Evaluating numerical ODE/DAE
/// methods, algorithms and software, J. Comput. Appl. Math. 185 (2006), section 4). Methods that go on from a better
/// result have it without.
bool wants_proportional_tolerance(const IntegratorTraits& traits);

/// [setup] Replaces tol by tol' of (1) in both, where tol is the rtol of the component; above tol_0 and at the rounding
/// of numbers they stay. One entry or one per component.
void make_proportional(std::vector<double>& rtol, std::vector<double>& atol);

}  // namespace trammel
