// Plugin: a point of the second body stays on a line of the first.
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::in_line {

/// Rows 0, 1: P_j - P_i against two normals of the line, m.
class InLine final : public sdk::SpatialConstraint<sdk::LineRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::GuideKeys guide;
    sdk::DisplacementKeys slide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, guide, sdk::guide_fields), TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));

  InLine(const Parameters& given, const ModelInfo& model)
      : InLine(given, sdk::spatial_guide(given.two, given.point, given.guide, model), model) {}

  const void* extension(const char* id) const override {
    const void* found = sdk::offer_extensions<JointPlacement>(id, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  InLine(const Parameters& given, const sdk::SpatialGuide& guide, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {guide.f_i, guide.g_i, guide.points.s_i, guide.points.s_j}),
        report_(given.two, guide.points.s_j, {},
                sdk::JointDisplacement(given.two, guide.h_i, guide.points, given.point,
                                       given.slide.initial_displacement, model),
                sdk::Drawn(Symbol::slider).at(guide.points).along(0, guide.h_i)),
        placed_(sdk::Placed(JointTurn::all).at(guide.points).axes(0, guide.f_i, guide.g_i, guide.h_i).slides(2)) {}

  sdk::SpatialJointReport report_;
  sdk::Placed placed_;
};

}  // namespace trammel::in_line

TRAMMEL_PLUGIN("in_line", "1.0.0", "BSD-3-Clause",
               component<trammel::in_line::InLine>(
                   Host::spatial, "in_line", "A point of the second body stays on a line of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
