// What elements know of the last accepted step: numbers that they keep, and accelerations and multipliers.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/parameters.h"
#include "trammel/status.h"

namespace trammel {

/// Constraints and forces that keep numbers from one accepted step to the next: the branch of a hysteresis, the middle of
/// a backlash, where an inner solve begins. The kernel owns them, puts them into checkpoints, takes them back with a void
/// step, and shows them as ElementState::memory; within a step they do not change, and states inside the last step see
/// those that held in it.
///
/// A law with a memory is continuous: at the end of a step its values are the same with the old numbers and with the new
/// ones (`trammel check`, math.memory). Only then do steps of any size give one motion, to the accuracy of the method.
class AcceptedMemory {
 public:
  static constexpr const char* id = "trammel.accepted_memory/1";

  /// [setup] How many numbers, fixed.
  virtual Index memory_size() const = 0;
  /// [step] At the start of the motion; s.memory is nullptr.
  virtual Status initial_memory(const ElementState& s, VectorView memory) const = 0;
  /// [step] At the end s of an accepted step, and again behind a jump there, from s.memory, which held up to it.
  virtual Status accepted(const ElementState& s, VectorView memory) const = 0;

 protected:
  ~AcceptedMemory() = default;
};

/// The last accepted state, in ElementState::last of forces that have SeesAcceptedStep.
struct AcceptedStep {
  double t = 0;                           ///< s
  const double* const* a = nullptr;       ///< per attached body: second derivatives of its coordinates, ground's 0
  const double* const* lambda = nullptr;  ///< per constraint that was asked for: the multipliers of its rows
};

/// Forces that depend on accelerations, or on the multipliers of constraints: friction that follows a reaction. They see
/// those of the last accepted state, not of the one at hand: the error that this makes halves with the step, whatever the
/// order of the method. The run's notes name such forces, and a warning does where the values change by much in a step.
/// At the start, behind a jump and at states outside a run the kernel looks for values that agree with themselves.
class SeesAcceptedStep {
 public:
  static constexpr const char* id = "trammel.sees_accepted_step/1";

  /// [setup] Constraints whose multipliers it reads, in the order of AcceptedStep::lambda; from ElementRef parameters.
  virtual Index seen_count() const = 0;
  virtual ElementRef seen(Index i) const = 0;

 protected:
  ~SeesAcceptedStep() = default;
};

}  // namespace trammel
