// ModelDrawing: what the elements of a model tell of their pictures, as summary.json keeps it and reports read it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trammel/extensions/drawing.h"

namespace trammel {

struct ElementDrawing {
  using Triple = std::array<double, 3>;

  std::string name;
  Symbol symbol = Symbol::nothing;
  std::vector<std::string> bodies;  ///< one or two, "ground" among them
  /// Fixed in the first and second of `bodies`: where it holds them, m, and its axis.
  std::optional<Triple> points[2], axes[2];
  std::vector<Triple> curve;  ///< fixed in the first body, m

  /// How a contact pushes the last body.
  struct Push {
    std::string frame;  ///< body in which the direction is fixed; "ground" for a global one
    Triple direction;   ///< of length 1
    double reach;       ///< m, from the last body's point to where they touch
  };
  std::optional<Push> push;
  std::vector<Triple> still;  ///< road or profile, global, m
};

/// In the order of the run file.
struct ModelDrawing {
  std::vector<ElementDrawing> constraints, forces;
};

/// Words of summary.json, in the order of the enumeration.
inline constexpr const char* symbol_names[] = {"nothing", "point",  "hinge",         "slider",   "hinge_slider", "rod",
                                               "spring",  "damper", "spring_damper", "actuator", "curve"};

}  // namespace trammel
