// Plugin: planar revolute-translational composite joint, a massless block on a guide with a pin.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::revolute_translational {

/// Row 0: the pin's distance from the guide's line, minus its given value, m.
class RevoluteTranslational final : public sdk::PlanarConstraint<sdk::PlanarLineRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints points;
    double axis[3];
    double axis_i[3];
    double distance;
    sdk::DisplacementKeys slide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, points, sdk::end_point_fields<sdk::zero_planar>),
      TRAMMEL_FIELD(Parameters, axis, "1", "Direction of the guide, global, in the initial configuration.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Direction of the guide in the first body; instead of axis.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, distance, "m",
                    "Of the pin from the guide's line, to its left; as at the start if left "
                    "out.")
          .optional(),
      TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));

  RevoluteTranslational(const Parameters& given, const ModelInfo& model)
      : RevoluteTranslational(given, guide(given, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing>(
        id, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_);
  }

 private:
  /// Direction and points of the guide, the first point moved sideways onto the pin's parallel.
  struct Guide {
    sdk::Vec2<> u_i;
    sdk::PlanarPoints points;
    sdk::CountedFrom from;
  };

  RevoluteTranslational(const Parameters& given, const Guide& g)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {sdk::perp(g.u_i), g.points.s_i, g.points.s_j}),
        channels_(g.u_i, g.points, g.from.offset()),
        coordinates_(given.two, g.u_i, g.points, g.from.offset()),
        zeros_(g.from),
        reaction_(g.points.s_j),
        drawn_(sdk::Drawn(Symbol::slider).at(0, sdk::vec2(given.points.point_i)).at(1, g.points.s_j).along(0, g.u_i)) {}

  static Guide guide(const Parameters& p, const ModelInfo& model) {
    sdk::require_two_bodies(p.two);
    const PlanarBodyState &i = sdk::planar_state(model, p.two.bodies[0]),
                          &j = sdk::planar_state(model, p.two.bodies[1]);
    if (given(p.axis) == given(p.axis_i)) {
      throw Error::parameter("axis", "needs 'axis' (global) or 'axis_i' (fixed in the first body), not both");
    }
    Guide g;
    g.u_i = given(p.axis) ? sdk::rotate_back(i, sdk::unit_axis(sdk::vec2(p.axis), "axis"))
                          : sdk::unit_axis(sdk::vec2(p.axis_i), "axis_i");
    g.points = {sdk::vec2(p.points.point_i), sdk::vec2(p.points.point_j)};
    const sdk::Vec2<> d =
        sdk::position(j) + sdk::rotate(j, g.points.s_j) - sdk::position(i) - sdk::rotate(i, g.points.s_i);
    const sdk::Vec2<> u = sdk::rotate(i, g.u_i), normal = sdk::perp(g.u_i);
    g.points.s_i = g.points.s_i + (given(p.distance) ? p.distance : sdk::dot(sdk::perp(u), d)) * normal;
    g.from = sdk::displacement_zero(sdk::dot(u, d), true, p.slide.initial_displacement, model);
    return g;
  }

  sdk::PlanarDisplacementChannels channels_;
  sdk::PlanarJointCoordinates<sdk::PlanarDisplacementCoordinate> coordinates_;
  sdk::Zeros zeros_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::revolute_translational

TRAMMEL_PLUGIN("revolute_translational", "1.0.0", "BSD-3-Clause",
               component<trammel::revolute_translational::RevoluteTranslational>(
                   Host::planar, "revolute_translational",
                   "A massless block slides on a guide of the first body and is pinned to the second.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.3"));
