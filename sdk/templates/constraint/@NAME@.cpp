// Plugin `@TYPE@`: a constraint between two bodies. EDIT: what it holds, as an equation phi = 0 in metres or radians.
//
//   phi = |r_j + A_j s_j - r_i - A_i s_i| - length                                                                 (1)
#include <trammel/sdk/elements/auto_constraint.h>
#include <trammel/sdk/elements/drawn.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;
using State = @STATE@;

class @CLASS@ final : public sdk::AutoConstraint<@CLASS@, State, 2, 1> {  // EDIT: number of bodies, number of rows
 public:
  struct Parameters {  // EDIT: what users give in the run file
    BodyRefs bodies;
    double point_i[3], point_j[3], length;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
      TRAMMEL_FIELD(Parameters, point_i, "m", "Point fixed in the first body.").on_body(0),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Point fixed in the second body.").on_body(1),
      TRAMMEL_FIELD(Parameters, length, "m", "Distance of the points.").above(0));

  explicit @CLASS@(const Parameters& p)
      : AutoConstraint(p.bodies[0], p.bodies[1]),
        point_i_(sdk::@VEC@(p.point_i)), point_j_(sdk::@VEC@(p.point_j)), length_(p.length),
        drawn_(sdk::Drawn(Symbol::rod).at(0, point_i_).at(1, point_j_)) {}

  /// EDIT: the rows. T is double or a number that carries derivatives; use the functions of vec.h and dual.h.
  template <class T>
  void phi(const T&, const sdk::Pose<State, T>* bodies, T* out) const {
    out[0] = norm(bodies[1].point(point_j_) - bodies[0].point(point_i_)) - length_;  // (1)
  }

  const void* extension(const char* id) const override { return sdk::offer_extensions<Drawing>(id, &drawn_); }

 private:
  sdk::@VECTOR@<> point_i_, point_j_;
  double length_;
  sdk::Drawn drawn_;  // EDIT: how reports draw it, see trammel/extensions/drawing.h
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::@HOST@, "@TYPE@", "Two points at a fixed distance.", ""));
