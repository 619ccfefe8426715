// The kernel's own factors as services for linear solvers (trammel/extensions/factor_services.h).
#pragma once

#include "linalg/schur_factor.h"

namespace trammel {

/// Nanoseconds of one factorization and one solve on the machine of docs/performance.md; only their ratio matters.
double range_space_cost(const SchurFactor& factor);

/// The service of this id, which lives as long as the process, or nullptr.
const void* find_factor_service(const char* id);

}  // namespace trammel
