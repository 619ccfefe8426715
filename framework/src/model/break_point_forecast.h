// When the motion is expected to reach the next break point of a function of positions, at its present rate.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel {

class ConstrainedModel;

/// A hint, not a guard (that is Kinks): steps of high order that end at the knots of a spline road need a quarter of
/// the evaluations of steps that run over them.
class BreakPointForecast {
 public:
  /// [setup] Of all forces that tell the arguments of their functions (StateFunctions).
  explicit BreakPointForecast(const Assembly& assembly);

  /// [step] Time until some argument passes its next break point at its present rate; infinite if none will. From the
  /// last evaluated state of the model.
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
