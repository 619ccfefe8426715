// Plugin: planar joint, two planes stay on each other.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::planar_joint {

/// Rows 0, 1: the second body's normal against f and g of the first, rad. Row 2: P_j - P_i along the normal, m.
class PlanarJoint final : public sdk::SpatialConstraint<sdk::ParallelRows, sdk::DotDistanceRow> {
 public:
  using Parameters = sdk::AxisJointKeys;
  static constexpr auto parameters = sdk::table<Parameters>(sdk::embedded(sdk::axis_joint_fields, 0));

  PlanarJoint(const Parameters& given, const ModelInfo& model)
      : PlanarJoint(given, sdk::spatial_joint_geometry(given, model), model) {}

  const void* extension(const char* id) const override {
    const void* found = sdk::offer_extensions<FreeDirections, JointPlacement>(id, this, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  PlanarJoint(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j},
                        {geometry.axes.h_i, geometry.points.s_i, geometry.points.s_j}),
        report_(given.two, geometry.points.s_j, sdk::joint_angle(given, geometry.axes, model), {},
                sdk::Drawn(Symbol::point).at(geometry.points)),
        placed_(sdk::Placed(JointTurn::third).at(geometry.points).axes(geometry.axes).slides(0, 1)) {}

  sdk::SpatialJointReport report_;
  sdk::Placed placed_;
};

}  // namespace trammel::planar_joint

TRAMMEL_PLUGIN("planar_joint", "1.0.0", "BSD-3-Clause",
               component<trammel::planar_joint::PlanarJoint>(
                   Host::spatial, "planar_joint",
                   "A plane of each body stay on each other: two displacements and the rotation in it are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
