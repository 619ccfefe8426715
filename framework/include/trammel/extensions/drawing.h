// Drawing: how reports draw a constraint or a force between its bodies.
#pragma once

#include <cstdint>

#include "trammel/extension.h"
#include "trammel/linalg.h"

namespace trammel {

/// What an element looks like. Points and axes are those of the sketch.
enum class Symbol : std::int32_t {
  nothing,        ///< not drawn; its points still say where it holds its bodies
  point,          ///< a ball at the point of the second body, or at that of the first if that is the only one
  hinge,          ///< a pin there, along the axis
  slider,         ///< a ball, and the line through the first body's point along the axis
  hinge_slider,   ///< a pin and that line
  rod,            ///< a thin rod between the two points
  spring,         ///< a coil between the two points, likewise all of these:
  damper,         ///< a cylinder in a cylinder
  spring_damper,  ///< both side by side
  actuator,       ///< something that pushes
  curve,          ///< the curve, and a ball at the point of the second body
};

/// How an element is drawn; the kernel owns this object and copies what it receives. Whatever is called twice counts
/// as the last call says; what is not called is not there. Grows by extensions only.
class Sketch : public Extensible {
 public:
  /// `nothing` if it is not called.
  virtual void symbol(Symbol symbol) = 0;
  /// Where the element holds its body number `body`, 0 or 1 of its list: x y z fixed in that body, m, from its mass
  /// centre (ground: from the origin). Planar: z = 0. Bodies without a shape of their own reach to these points.
  virtual void point(Index body, const double* xyz) = 0;
  /// Its axis as fixed in body 0 or 1, of any length but zero; one of the two is enough. Planar hinges: z.
  virtual void axis(Index body, const double* xyz) = 0;
  /// The next point of the `curve`, fixed in body 0, m. The points are joined by straight lines; a closed curve ends
  /// where it began.
  virtual void curve_point(const double* xyz) = 0;

 protected:
  ~Sketch() = default;
};

/// An element without this extension is drawn as a ball at its `ReactionPoint`, or not at all.
class Drawing {
 public:
  static constexpr const char* id = "trammel.drawing/1";

  /// [setup] Tells the sketch everything: the same at any time, in the element's own numbers.
  virtual void draw(Sketch& sketch) const = 0;

 protected:
  ~Drawing() = default;
};

}  // namespace trammel
