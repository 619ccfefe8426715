// What a method remembers from step to step: vectors of the accepted time and of the attempted one.
//
// Attempts write the second set of vectors only; accepting it sets a flag, and the next attempt copies it over the first.
// So rejected attempts leave no trace, and between acceptance and the next attempt dense output has both ends.
#pragma once

#include <algorithm>

#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// The numbers of a history; a method derives its own from them. They stand in front in memory.state.
struct StepFlags {
  explicit StepFlags(StateLayout& at) : started(at.number()), promote(at.number()) {}

  /// [step] In Integrator::start and Integrator::accept.
  void forget() const { started = promote = 0; }
  void accepted() const { promote = 1; }

  double &started, &promote;  ///< whether the history was begun, and whether the attempt of the vectors was accepted
};

/// The vectors.
class StepVectors {
 public:
  using Map = StateLayout::Map;

  StepVectors(StateLayout& at, Index count, Index n) : accepted_(at.vectors(n, count)), tried_(at.vectors(n, count)) {}

  /// [hot] Vector i of the accepted or the attempted time.
  Map vector(Index i, bool tried = false) const { return (tried ? tried_ : accepted_)[i]; }
  /// [hot] At the beginning of an attempt.
  void shift(const StepFlags& flags) const {
    if (flags.promote == 0) return;
    std::copy_n(tried_.data, tried_.n * tried_.count, accepted_.data);
    flags.promote = 0;
  }

 private:
  StateLayout::Vectors accepted_, tried_;
};

}  // namespace trammel::sdk
