// FunctionBounds: functions that know between which values they stay on a whole interval of their argument.
#pragma once

#include "trammel/status.h"

namespace trammel {

/// The search before a run for what acts in time halves intervals whose bounds leave room for more than its samples
/// saw; so it finds pulses far narrower than their distance.
class FunctionBounds {
 public:
  static constexpr const char* id = "trammel.function_bounds/1";

  /// [setup] range[0] <= f(x) <= range[1] for from <= x <= to; the closer the narrower the interval is. Infinite where
  /// nothing is known.
  virtual Status bounds(double from, double to, double* range) const = 0;

 protected:
  ~FunctionBounds() = default;
};

}  // namespace trammel
