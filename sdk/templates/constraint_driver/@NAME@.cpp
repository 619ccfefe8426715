// Plugin `@TYPE@`: a driver, a constraint that moves two bodies as a function of time. EDIT: which coordinate it drives.
//
//   C(q) = |r_j + A_j s_j - r_i - A_i s_i|,  phi = C(q) - f(t)                                                    (1)
//   The force along C is -lambda: the driver's effort, and -lambda f' its power.                                 (2)
#include <trammel/function.h>
#include <trammel/sdk/elements/auto_channels.h>
#include <trammel/sdk/elements/auto_constraint.h>
#include <trammel/sdk/elements/drawn.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;
using State = @STATE@;

class @CLASS@ final : public sdk::AutoConstraint<@CLASS@, State, 2, 1>, DriverEffort {  // EDIT: numbers of bodies, of rows
 public:
  struct Parameters {  // EDIT: what users give in the run file
    BodyRefs bodies;
    double point_i[3], point_j[3];
    FunctionRef function;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
      TRAMMEL_FIELD(Parameters, point_i, "m", "Point fixed in the first body.").on_body(0),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Point fixed in the second body.").on_body(1),
      TRAMMEL_FIELD(Parameters, function, "m over s", "Distance of the points as a function of time."));

  explicit @CLASS@(const Parameters& p)
      : AutoConstraint(p.bodies[0], p.bodies[1]),
        point_i_(sdk::@VEC@(p.point_i)), point_j_(sdk::@VEC@(p.point_j)), f_(p.function),
        drawn_(sdk::Drawn(Symbol::actuator).at(0, point_i_).at(1, point_j_)) {}

  bool rheonomic() const override { return true; }
  double effort_sign() const override { return -1; }  // (2)

  /// EDIT: names and units of the columns that results have of the coordinates and their rates.
  static constexpr const char* channel_names[] = {"length", "rate"};
  static constexpr const char* channel_units[] = {"m", "m/s"};
  /// EDIT: the coordinate, one per row.
  template <class T>
  void coordinates(const sdk::Pose<State, T>* bodies, T* out, const ElementState&) const {
    out[0] = norm(bodies[1].point(point_j_) - bodies[0].point(point_i_));
  }
  template <class T>
  void phi(const T& t, const sdk::Pose<State, T>* bodies, T* out) const {
    coordinates(bodies, out, {});
    out[0] -= sdk::evaluate(*f_, t);  // (1)
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, Drawing>(id, this, &channels_, &drawn_);
  }

 private:
  sdk::@VECTOR@<> point_i_, point_j_;
  const Function* f_;
  sdk::AutoChannels<@CLASS@, State, 2, 1> channels_{*this};
  sdk::Drawn drawn_;  // EDIT: how reports draw it, see trammel/extensions/drawing.h
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::@HOST@, "@TYPE@", "The distance of two points is a function of time.", ""));
