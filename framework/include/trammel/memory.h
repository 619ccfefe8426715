// Engine-owned memory: components keep what a rollback or a checkpoint must restore in plain blocks of declared size.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Numbers of doubles a component asks for. Integers up to 2^53 and flags are stored as doubles.
///
/// A cache may be lost, and may be older or newer than the state: it is not copied, so that after a rollback it is that
/// of the void attempt; after a checkpoint, in the run that goes on and in the restored one alike, it is zero. What
/// stands there may therefore decide how soon a result is found (a Jacobian and whether a view still holds its
/// factorizations, a guess, a proposal for the next step), never which one. `start` gets it as it was left: it clears
/// what does not hold at the new state.
struct MemorySize {
  /// Into checkpoints; zero at the first `start`. With a void step the kernel takes it back for formulations, integrators
  /// do so themselves (integrator.h).
  Index state = 0;
  Index scratch = 0;  ///< contents are undefined between calls
  Index cache = 0;    ///< kept between calls, not copied; zero at the first `start`
};

/// The blocks, at fixed addresses for the whole run.
struct Memory {
  double* state = nullptr;
  double* scratch = nullptr;
  double* cache = nullptr;
};

}  // namespace trammel
