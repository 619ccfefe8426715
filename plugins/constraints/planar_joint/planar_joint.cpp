// Plugin: planar joint, two planes stay on each other.
#include "trammel/sdk/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::planar_joint {

/// Rows 0, 1: the second body's normal against f and g of the first, rad. Row 2: P_j - P_i along the normal, m.
class PlanarJoint final : public sdk::SpatialConstraint<sdk::ParallelRows, sdk::DotDistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::AxisKeys axis;
    double initial_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"));

  PlanarJoint(const Parameters& given, const ModelInfo& model)
      : PlanarJoint(given, sdk::spatial_joint_geometry(given.two, given.point, given.axis, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates>(
        id, &angle_, &channels_, &reaction_, &coordinates_);
  }

 private:
  PlanarJoint(const Parameters& given, const sdk::SpatialJointGeometry& geometry)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j},
                        {geometry.axes.h_i, geometry.points.s_i, geometry.points.s_j}),
        angle_(geometry.axes, given.initial_angle),
        channels_(&angle_, nullptr),
        coordinates_(given.two, &angle_, nullptr),
        reaction_(geometry.points.s_j) {}

  sdk::JointAngle angle_;
  sdk::JointChannels channels_;
  sdk::SpatialJointCoordinates coordinates_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::planar_joint

TRAMMEL_PLUGIN("planar_joint", "1.0.0", "BSD-3-Clause",
               component<trammel::planar_joint::PlanarJoint>(
                   Host::spatial, "planar_joint",
                   "A plane of each body stay on each other: two displacements and the rotation in it are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
