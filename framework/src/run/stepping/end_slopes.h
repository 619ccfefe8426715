// EndSlopes: f at both ends of a step, evaluated once however many states inside it are wanted.
#pragma once

#include "run/plant/state_buffer.h"
#include "trammel/ode_system.h"

namespace trammel {

class EndSlopes {
 public:
  EndSlopes(const ProblemSize& size, ViewKind view) : first_(size, view), second_(size, view) {}

  /// [step] Of the step between these two, the same ones until `forget`.
  Status evaluate(OdeSystem& system, const ConstStateView& from, const ConstStateView& to) {
    if (known_) return Status::success();
    Status status = system.rhs(from.t, from.x, first_.view.x);
    if (status) status = system.rhs(to.t, to.x, second_.view.x);
    known_ = status.ok();
    return status;
  }
  ConstVectorView first() const { return first_.view.x; }
  ConstVectorView second() const { return second_.view.x; }
  /// [step] There is another step.
  void forget() { known_ = false; }

 private:
  StateBuffer first_, second_;
  bool known_ = false;
};

}  // namespace trammel
