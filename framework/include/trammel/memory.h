// Engine-owned memory: components keep what a rollback or a checkpoint must restore in plain blocks of declared size.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Numbers of doubles a component asks for. Integers up to 2^53 and flags are stored as doubles.
struct MemorySize {
  Index state = 0;    ///< copied on rollback and into checkpoints; zero at the first `start`
  Index scratch = 0;  ///< contents are undefined between calls
};

/// The blocks, at fixed addresses for the whole run.
struct Memory {
  double* state = nullptr;
  double* scratch = nullptr;
};

}  // namespace trammel
