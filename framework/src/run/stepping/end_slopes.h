// EndSlopes: f at both ends of a step, evaluated once however many states inside it are wanted.
#pragma once

#include "run/plant/state_buffer.h"
#include "trammel/ode_system.h"

namespace trammel {

class EndSlopes {
 public:
  EndSlopes(const ProblemSize& size, ViewKind view) : first_(size, view), second_(size, view) {}

  /// [step] Of step number `step`, an accepted one.
  Status evaluate(OdeSystem& system, const StateView& from, const StateView& to, long step) {
    if (step == step_) return Status::success();
    step_ = -1;
    Status status = system.rhs(from.t, from.x, first_.view.x);
    if (status) status = system.rhs(to.t, to.x, second_.view.x);
    if (status) step_ = step;
    return status;
  }
  VectorView first() { return first_.view.x; }
  VectorView second() { return second_.view.x; }
  /// [step] The two as scratch.
  void forget() { step_ = -1; }

 private:
  StateBuffer first_, second_;
  long step_ = -1;
};

}  // namespace trammel
