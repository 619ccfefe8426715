// Plugin: cylindrical joint, common axis line.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::cylindrical {

/// Rows 0, 1: the second body's axis against f and g of the first, rad. Rows 2, 3: P_j - P_i against f and g, m.
class Cylindrical final : public sdk::SpatialConstraint<sdk::ParallelRows, sdk::LineRows> {
 public:
  using Parameters = sdk::SlidingJointKeys;
  static constexpr auto parameters = sdk::table<Parameters>(sdk::embedded(sdk::sliding_joint_fields, 0));

  Cylindrical(const Parameters& given, const ModelInfo& model)
      : Cylindrical(given, sdk::spatial_joint_geometry(given.joint, model), model) {}

  const void* extension(const char* id) const override {
    const void* found =
        sdk::offer_extensions<FreeDirections, MultiplierTwists, JointPlacement>(id, this, this, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  Cylindrical(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : FusedConstraint(given.joint.two.bodies[0], given.joint.two.bodies[1],
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j},
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.points.s_i, geometry.points.s_j}),
        report_(given.joint.two, geometry.points.s_j, sdk::joint_angle(given.joint, geometry.axes, model),
                sdk::joint_displacement(given, geometry, model),
                sdk::Drawn(Symbol::hinge_slider).at(geometry.points).along(1, geometry.axes.h_j)),
        placed_(sdk::Placed(JointTurn::third).at(geometry.points).axes(geometry.axes).slides(2)) {}

  sdk::SpatialJointReport report_;
  sdk::Placed placed_;
};

}  // namespace trammel::cylindrical

TRAMMEL_PLUGIN("cylindrical", "1.0.0", "BSD-3-Clause",
               component<trammel::cylindrical::Cylindrical>(
                   Host::spatial, "cylindrical",
                   "Common axis line: rotation about it and displacement along it are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
