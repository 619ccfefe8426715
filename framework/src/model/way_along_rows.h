// Steps of searches for equilibria, along rows that hold for velocities only.
#pragma once

#include "model/constrained_model.h"

namespace trammel {

/// [setup] Moves q by about dq, and onto Phi = 0: by the projection of q + dq where all rows are of positions. Rows that
/// hold for velocities only (B v = b) say which ways to other positions there are; what leads from q to q + dq on a
/// straight line slips, however the end is corrected. There
///   q' = P(q) dq over 0 <= s <= 1,  P the projection onto Phi_q q' = 0, B q' = 0 in the coordinates of the model's unit
/// is integrated by extrapolation of the modified midpoint rule (Hairer, Norsett, Wanner, Solving Ordinary Differential
/// Equations I, 2nd ed., sections II.8, II.9) to 1e-12 of the unit or rad. Differs from q + dq by O(dq^2), as the
/// projection does, so that Newton's method keeps its order. not_converged where that is not reached.
Status move_along_rows(ConstrainedModel& model, double t, VectorView q, ConstVectorView dq);

}  // namespace trammel
