// Which break points of a function matter to the motion that passes them.
#pragma once

#include <vector>

#include "trammel/function.h"

namespace trammel {

/// Break points of one function, ascending.
struct FunctionKinks {
  std::vector<double> sharp;   ///< steps end there
  std::vector<double> smooth;  ///< no step passes many of them
};

/// [setup] Sharp: the value or one of its first two derivatives jumps, or a straight part ends there (in which a method
/// sees nothing of what comes). Smooth: the third derivative alone jumps, as at the knots of cubic splines.
FunctionKinks function_kinks(const Function& function);

}  // namespace trammel
