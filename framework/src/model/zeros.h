// Coordinates of joints, drivers and springs: their names, and what they count from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/model_point.h"
#include "trammel/extensions/coordinate_zeros.h"

namespace trammel {

struct CountedCoordinate {
  const ElementSlot* slot = nullptr;
  std::size_t section = 0;  ///< among the constraints, or the forces, of the run file
  bool of_constraint = true;
  CoordinateOrigin origin{};

  std::string name() const { return slot->name + "." + origin.coordinate; }
  /// Of a run file of format 1, whose coordinate would count between its markers in the newest format: counted from the
  /// drawing.
  bool ignores_markers() const { return origin.zero == CoordinateZero::drawing && given(origin.markers); }
};

/// [setup] Calls `visit` for every coordinate that an element tells of, in the order of the run file. Throws
/// Error(plugin) for numbers and names that no element has.
void each_counted_coordinate(const Model& model, const std::function<void(const CountedCoordinate&)>& visit);

void each_counted_coordinate(const Assembly& assembly, const std::function<void(const CountedCoordinate&)>& visit);

/// [setup] Its channel at the state that the model was evaluated at; NaN if the element has none of this name.
double coordinate_now(const ModelPoint& point, const CountedCoordinate& coordinate);

/// "drawing", "given", "points", "references", "bodies".
const char* zero_name(CoordinateZero zero);

}  // namespace trammel
