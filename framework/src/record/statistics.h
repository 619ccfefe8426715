// Statistics and Failure: what a run took, and why it ended before its time.
#pragma once

#include <string>

namespace trammel {

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, jacobians = 0, factorizations = 0, newton_iterations = 0,
       constraint_projections = 0, partitions = 0, restarts = 0, events = 0;
  long placements = 0;  ///< states that the model was moved to, those of iterations and outputs included
};

/// Why a run ended before its time.
struct Failure {
  bool happened = false;
  bool by_plugin = false;  ///< exit 3 instead of 4
  std::string message;
};

}  // namespace trammel
