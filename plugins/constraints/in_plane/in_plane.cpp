// Plugin: a point of the second body stays in a plane of the first.
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::in_plane {

/// Row 0: P_j - P_i against the normal of the plane, m.
class InPlane final : public sdk::SpatialConstraint<sdk::DotDistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::GuideKeys guide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                            TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
                                                            TRAMMEL_EMBED(Parameters, guide, sdk::guide_fields));

  InPlane(const Parameters& given, const ModelInfo& model)
      : InPlane(given, sdk::spatial_guide(given.two, given.point, given.guide, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing, JointPlacement>(id, &reaction_, &drawn_, &placed_);
  }

 private:
  InPlane(const Parameters& given, const sdk::SpatialGuide& guide)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {guide.h_i, guide.points.s_i, guide.points.s_j}),
        reaction_(guide.points.s_j),
        drawn_(sdk::Drawn(Symbol::point).at(guide.points)),
        placed_(sdk::Placed(JointTurn::all).at(guide.points).axes(0, guide.f_i, guide.g_i, guide.h_i).slides(0, 1)) {}

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

}  // namespace trammel::in_plane

TRAMMEL_PLUGIN("in_plane", "1.0.0", "BSD-3-Clause",
               component<trammel::in_plane::InPlane>(
                   Host::spatial, "in_plane", "A point of the second body stays in a plane of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
