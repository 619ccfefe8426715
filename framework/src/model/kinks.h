// Where functions of positions have their break points, and when the motion is expected to reach the next one.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "trammel/element_extensions.h"

namespace trammel {

class ConstrainedModel;

/// Steps that end at kinks lose no accuracy to them, and none jumps over a bump in the road.
class Kinks {
 public:
  /// [setup] Of all forces that tell the arguments of their functions (StateFunctions).
  explicit Kinks(const Assembly& assembly);

  /// [step] Time until some argument passes its next break point at its present rate; infinite if none will. From the last
  /// evaluated state of the model.
  double time_ahead(const ConstrainedModel& model) const;

 private:
  struct Source {
    const ForceSlot* slot;
    const StateFunctions* functions;
    std::vector<std::vector<double>> break_points;  ///< by function, ascending
  };
  std::vector<Source> sources_;
  mutable std::vector<double> value_, rate_;
};

}  // namespace trammel
