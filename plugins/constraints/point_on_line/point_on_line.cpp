// Plugin: planar, a point of the second body stays on a line of the first.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::point_on_line {

/// Row 0: P_j - P_i against the normal of the line through P_i, m.
class PointOnLine final : public sdk::PlanarConstraint<sdk::PlanarLineRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    double axis[3];
    double axis_i[3];
    sdk::DisplacementKeys slide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_FIELD(Parameters, axis, "1", "Direction of the line, fixed in the first body; global at the start.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Direction of the line in the first body's axes; instead of axis.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));

  PointOnLine(const Parameters& given, const ModelInfo& model)
      : PointOnLine(given, sdk::planar_guide(given.two, given.point, axis_keys(given), false, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing,
                                 JointPlacement>(id, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_, &placed_);
  }

 private:
  PointOnLine(const Parameters& given, const sdk::PlanarGuide& guide, const ModelInfo& model)
      : PointOnLine(given, guide, sdk::displacement_zero(guide, given.point, given.slide, model)) {}
  PointOnLine(const Parameters& given, const sdk::PlanarGuide& guide, const sdk::CountedFrom& from)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {sdk::perp(guide.u_i), guide.points.s_i, guide.points.s_j}),
        channels_(guide.u_i, guide.points, from.offset()),
        coordinates_(given.two, guide.u_i, guide.points, from.offset()),
        zeros_(from),
        reaction_(guide.points.s_j),
        drawn_(sdk::Drawn(Symbol::slider).at(guide.points).along(0, guide.u_i)),
        placed_(sdk::Placed(JointTurn::third).at(guide.points).axes(0, guide.u_i).slides(0)) {}

  static sdk::AxisKeys axis_keys(const Parameters& p) {
    const double none = left_out();
    return {{p.axis[0], p.axis[1], p.axis[2]}, {p.axis_i[0], p.axis_i[1], p.axis_i[2]}, {none, none, none}};
  }

  sdk::PlanarDisplacementChannels channels_;
  sdk::PlanarJointCoordinates<sdk::PlanarDisplacementCoordinate> coordinates_;
  sdk::Zeros zeros_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

}  // namespace trammel::point_on_line

TRAMMEL_PLUGIN("point_on_line", "1.0.0", "BSD-3-Clause",
               component<trammel::point_on_line::PointOnLine>(
                   Host::planar, "point_on_line", "A point of the second body stays on a line of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 3"));
