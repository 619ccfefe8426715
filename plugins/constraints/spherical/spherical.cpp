// Plugin: spherical joint.
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/spatial_joint.h"

namespace trammel::spherical {

/// Rows 0..2: P_j - P_i, m.
class Spherical final : public sdk::SpatialConstraint<sdk::PointRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                            TRAMMEL_EMBED(Parameters, point, sdk::point_fields));

  Spherical(const Parameters& given, const ModelInfo& model)
      : Spherical(given, sdk::spatial_points(given.two, given.point, model)) {}

  const void* extension(const char* id) const override { return sdk::offer_extensions<ReactionPoint>(id, &reaction_); }

 private:
  Spherical(const Parameters& given, const sdk::SpatialPoints& points)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j}), reaction_(points.s_j) {}

  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::spherical

TRAMMEL_PLUGIN("spherical", "1.0.0", "BSD-3-Clause",
               component<trammel::spherical::Spherical>(
                   Host::spatial, "spherical", "Common point: three rotations are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
