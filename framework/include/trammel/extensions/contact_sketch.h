// ContactSketch: what a sketch takes down of contacts - the road that stands still, and where and how it pushes.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Extension of Sketch; a Drawing asks for it and does without where it is not there.
class ContactSketch {
 public:
  static constexpr const char* id = "trammel.contact_sketch/1";

  /// Where the mass centre of the element's body number `body` is at the start and at the end of what is drawn: global
  /// x y z, m (planar: z = 0). The end of a motion yet to come is an estimate.
  virtual void course(Index body, double* start, double* end) const = 0;
  /// The next point of a road or profile that stands still, global, m. The points are joined by straight lines.
  virtual void still_point(const double* xyz) = 0;
  /// The element's channel `force` pushes its last body along `direction`, of length 1, fixed in body number `frame` of
  /// its list or, -1, global. It acts `reach` (m, >= 0) away from the sketch's point of that body, against the direction:
  /// there the bodies touch.
  virtual void push(Index frame, const double* direction, double reach) = 0;

 protected:
  ~ContactSketch() = default;
};

}  // namespace trammel
