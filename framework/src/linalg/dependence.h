// The limits by which rows of a constraint Jacobian count as dependent.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Sine of the angle of a row to the span of the others, rows scaled to length 1 in the model's unit.
inline constexpr double dependence_threshold = 1e-6;
/// Ranks and null spaces are found densely up to this many coordinates: n^3 operations, several times a start.
inline constexpr Index largest_dense_null_space = 1000;

}  // namespace trammel
