// Consistent initial conditions, and the two conditions under which the motion is unique.
#pragma once

#include <string>

#include "model/constrained_model.h"

namespace trammel {

struct InitialReport;

/// [setup] Moves q onto Phi = 0 and v onto Phi_q v = nu by minimal-norm corrections (identity weights), then checks that
/// Phi_q has full row rank and that M is positive definite on its null space: then and only then are accelerations and
/// multipliers unique (Haug, section 7.2). Throws Error(input): a correction beyond `limit` (m, rad; m/s, rad/s), naming
/// the constraint and the coordinate; constraints that contradict or repeat each other, naming them; a body without
/// inertia in a direction it can move.
void make_consistent(ConstrainedModel& model, double t, VectorView q, VectorView v, VectorView z, double limit,
                     InitialReport& report);

/// [setup] What a singular factorization at the model's last evaluation point means, in words.
std::string explain_singularity(ConstrainedModel& model);

}  // namespace trammel
