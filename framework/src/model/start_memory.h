// StartMemory: what an element that is evaluated beside its model sees of accepted steps - a motion that begins there.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "trammel/extensions/accepted_step.h"

namespace trammel {

/// For looks at elements before there is a motion: no number that an element asks for is missing.
class StartMemory {
 public:
  /// [setup] `slot` is one of `assembly`'s. `seen`: what all accelerations and multipliers are.
  StartMemory(const Assembly& assembly, const ConstraintSlot& slot);
  StartMemory(const Assembly& assembly, const ForceSlot& slot, double seen = 0);
  StartMemory(const StartMemory&) = delete;
  StartMemory& operator=(const StartMemory&) = delete;

  /// The motion begins at `s`.
  Status begin(ElementState s);
  /// Into `s`: the memory of where it began, the accelerations and multipliers.
  void show(ElementState& s);
  /// Both.
  Status give(ElementState& s) {
    const Status status = begin(s);
    show(s);
    return status;
  }

 private:
  void look_at(const Extensible& element);

  const AcceptedMemory* memory_ = nullptr;
  std::vector<double> numbers_, seen_;
  std::vector<const double*> places_;
  AcceptedStep last_;
  bool sees_ = false;
};

}  // namespace trammel
