// Functions as the run files of the cases create them.
#pragma once

#include <functional>

#include "check/cases.h"
#include "trammel/function.h"

namespace trammel::conformance {

struct FunctionUse {
  const Function* function;
  const Function* again;  ///< a second one from the same object
  std::string place;      ///< for messages
};

/// Calls `look` for every function of the subject's type in its cases. Fails if there is none.
void for_each_function(Subject& subject, const std::function<void(const FunctionUse&)>& look);

}  // namespace trammel::conformance
