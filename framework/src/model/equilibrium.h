// Static equilibrium of a model.
#pragma once

#include "model/constrained_model.h"
#include "model/search_progress.h"
#include "record/equilibrium_report.h"

namespace trammel {

/// Largest |a| at rest: m/s^2 or rad/s^2 (or 1/s^2 of Euler parameters); and in the model's unit of length (decision
/// 108), 1/s^2.
struct RestAcceleration {
  double largest = 0, in_unit = 0;
};
/// [setup] Of the unstabilized equations at (t, q, z) with v = 0.
Status acceleration_at_rest(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z,
                            RestAcceleration& left);
/// [setup] What rounding of forces and positions may leave of it in the model's unit, 1/s^2, at rest at (t, q).
double rest_rounding(ConstrainedModel& model, double t, ConstVectorView q);
/// [setup] By what that changes, in the model's unit, if every coordinate at (t, q) moves by `move`, m or rad.
double acceleration_by_moves(ConstrainedModel& model, double t, ConstVectorView q, double move);
/// [setup] What acts at rest at (t, q), as the largest acceleration in the model's unit that a force element or the
/// system's own forces would give a body alone, 1/s^2. Less than 1: the model is that much slower than a second, and
/// what counts as rest in it is that much less.
double acting_acceleration(ConstrainedModel& model, double t, ConstVectorView q);

/// [setup] Moves q, which satisfies the constraints, to a static equilibrium: accelerations at rest, and under the
/// drivers' values at t, vanish. The steps are those of a gradient flow in the metric of M by implicit Euler, with a
/// step tau that grows without bound as it gets there, which makes them Newton's (pseudo-transient continuation: Kelley
/// and Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523):
///   [M + tau K, Phi_q^T; Phi_q, 0] [dq; mu] = [tau M a; 0],  K = (Phi_q^T lambda)_q - Q_q at rest
/// It follows the flow downhill, so that it leaves unstable states, and modes without stiffness stay where they are.
/// not_converged or singular if it does not get there; q is then where it gave up. `unsupported`: internal states.
Status find_equilibrium(ConstrainedModel& model, double t, VectorView q, EquilibriumReport& report,
                        const SearchProgress& progress = {});

}  // namespace trammel
