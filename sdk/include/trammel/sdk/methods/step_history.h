// What a method remembers from step to step: vectors of the accepted time and of the attempted one.
//
// memory.state: [flags, the accepted vectors, the attempted ones]. Attempts write the second set only; accepting it
// sets a flag, and the next attempt copies it over the first. So rejected attempts leave no trace, and between
// acceptance and the next attempt dense output has both ends.
#pragma once

#include <algorithm>

#include "trammel/memory.h"

namespace trammel::sdk {

class StepHistory {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;
  /// Flags of a method follow from `own` on.
  enum Flag : Index { started, promote, own };

  static Index size(Index flags, Index vectors, Index n) { return flags + 2 * vectors * n; }
  StepHistory(Index flags, Index vectors, Index n, const Memory& memory)
      : flag(memory.state), vectors_(memory.state + flags), count_(vectors), n_(n) {}

  /// [hot] Vector 0 <= i < vectors of the accepted or the attempted time.
  Map vector(Index i, bool tried = false) const { return Map(vectors_ + ((tried ? count_ : 0) + i) * n_, n_); }
  /// [hot] At the beginning of an attempt.
  void shift() const {
    if (flag[promote] == 0) return;
    std::copy_n(vectors_ + count_ * n_, count_ * n_, vectors_);
    flag[promote] = 0;
  }
  /// [step] In Integrator::start and Integrator::accept.
  static void forget(const Memory& memory) { memory.state[started] = memory.state[promote] = 0; }
  static void accepted(const Memory& memory) { memory.state[promote] = 1; }

  double* flag;

 protected:
  double* vectors_;
  Index count_, n_;
};

}  // namespace trammel::sdk
