// The elimination for a model's bodies.
#pragma once

#include <memory>

#include "elimination.h"

namespace trammel::articulated {

/// [setup]
std::unique_ptr<AnyElimination> make_elimination(const TwistForm& form, const BlockFactors& services);

}  // namespace trammel::articulated
