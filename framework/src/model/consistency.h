// Consistent initial conditions, and the two conditions under which the motion is unique.
#pragma once

#include <string>

#include "model/constrained_model.h"
#include "record/initial_report.h"

namespace trammel {

/// [setup] Moves q onto Phi = 0 and v onto Phi_q v = nu by minimal-norm corrections (identity weights); with
/// conditions, weights or `assemble`, or where Newton's method does not get there, by the search of `Assembler`. Then
/// checks that Phi_q has full row rank and that M is positive definite on its null space: then and only then are
/// accelerations and multipliers unique (Haug, section 7.2). Throws Error(input): a correction beyond
/// options.correction_limit, naming the constraint and the coordinate; constraints and conditions that contradict each
/// other, naming them and by how much; a state that is not determined where it has to be; a body without inertia in a
/// direction it can move.
void make_consistent(ConstrainedModel& model, double t, VectorView q, VectorView v, VectorView z,
                     const StartOptions& options, InitialReport& report);

/// [setup] What a singular factorization at the model's last evaluation point means, in words.
std::string explain_singularity(ConstrainedModel& model);

}  // namespace trammel
