// Plugin: cylindrical joint, common axis line.
#include "trammel/sdk/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::cylindrical {

/// Rows 0, 1: the second body's axis against f and g of the first, rad. Rows 2, 3: P_j - P_i against f and g, m.
class Cylindrical final : public sdk::SpatialConstraint<sdk::ParallelRows, sdk::LineRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::AxisKeys axis;
    double initial_angle;
    double initial_displacement;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, initial_displacement, "m", "Value of .displacement in the initial configuration.")
          .otherwise("0"));

  Cylindrical(const Parameters& given, const ModelInfo& model)
      : Cylindrical(given, sdk::spatial_joint_geometry(given.two, given.point, given.axis, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates>(
        id, &angle_, &channels_, &reaction_, &coordinates_);
  }

 private:
  Cylindrical(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j},
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.points.s_i, geometry.points.s_j}),
        angle_(geometry.axes, given.initial_angle),
        displacement_(geometry, given.initial_displacement, sdk::spatial_state(model, given.two.bodies[0]),
                      sdk::spatial_state(model, given.two.bodies[1])),
        channels_(&angle_, &displacement_),
        coordinates_(given.two, &angle_, &displacement_),
        reaction_(geometry.points.s_j) {}

  sdk::JointAngle angle_;
  sdk::JointDisplacement displacement_;
  sdk::JointChannels channels_;
  sdk::SpatialJointCoordinates coordinates_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::cylindrical

TRAMMEL_PLUGIN("cylindrical", "1.0.0", "BSD-3-Clause",
               component<trammel::cylindrical::Cylindrical>(
                   Host::spatial, "cylindrical",
                   "Common axis line: rotation about it and displacement along it are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
