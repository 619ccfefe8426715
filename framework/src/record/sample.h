// Sample: a state ready for output.
#pragma once

#include "record/observation.h"

namespace trammel {

struct Sample {
  const Observation* observation = nullptr;
  double h = 0;           ///< the step that led here
  double dissipated = 0;  ///< J
  double work = 0;        ///< J
};

}  // namespace trammel
