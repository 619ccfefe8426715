// Order of elimination by approximate minimum degree.
#pragma once

#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// [setup] The order in which unknowns are eliminated; `neighbours[i]` are those that i is coupled to, in both directions.
std::vector<Index> minimum_degree_order(const std::vector<std::vector<Index>>& neighbours);

}  // namespace trammel
