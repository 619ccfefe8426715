// FunctionBounds: functions that know between which values they stay on a whole interval of their argument.
#pragma once

#include "trammel/status.h"

namespace trammel {

/// The search before a run for what acts in time, and that along the way of a step for what acts in positions, halve
/// intervals whose bounds leave room for more than the samples saw; so they find pulses far narrower than their distance.
class FunctionBounds {
 public:
  static constexpr const char* id = "trammel.function_bounds/1";

  /// [step] range[0] <= f(x) <= range[1] for from <= x <= to; the closer the narrower the interval is. Infinite where
  /// nothing is known.
  virtual Status bounds(double from, double to, double* range) const = 0;

 protected:
  ~FunctionBounds() = default;
};

}  // namespace trammel
