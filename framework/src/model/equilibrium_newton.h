// Newton's method on the equations of equilibrium.
#pragma once

#include "model/equilibrium.h"

namespace trammel {

/// [setup] Phi_q^T lambda = Q, Phi = 0 (Haug, Eq. 7.5.2) in q and lambda, from the least-squares multipliers at q:
///   [K, Phi_q^T; Phi_q, 0] [dq; d lambda] = [Q - Phi_q^T lambda; -Phi],  K = (Phi_q^T lambda)_q - Q_q at rest     (1)
/// Rows are divided by their largest entry. Internal states, if there are any, are unknowns too, with z' = 0; they end
/// as the model's point().z(). It goes to whatever equilibrium is near, a stable one or not, and the
/// matrix is often ill-conditioned. Where it is singular, the shortest step that solves (1) is taken, if there is one:
/// motions without stiffness stay. Dense. not_converged or singular if it does not get there; q is then where it
/// gave up. `tolerance`: of accelerations at rest, in the model's unit. report.condition: the worst condition number of regular (1) on the way, rows scaled.
/// `progress` is told the length of the last step in place of an acceleration, which Newton's method does not look at.
Status newton_equilibrium(ConstrainedModel& model, double t, VectorView q, double tolerance, EquilibriumReport& report,
                          const SearchProgress& progress = {});

}  // namespace trammel
