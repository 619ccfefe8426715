// Plugin: screw joint, displacement along an axis in proportion to the rotation about it.
#include "trammel/sdk/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::screw {

using sdk::Pose;
using sdk::Vec3;

/// Rows 0..3: those of the cylindrical joint, rad and m. Row 4: displacement - pitch/(2 pi) angle from their start, m.
class Screw final : public sdk::AutoConstraint<Screw, SpatialBodyState, 2, 5> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::AxisKeys axis;
    double pitch;
    double initial_angle;
    double initial_displacement;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, pitch, "m", "Displacement per turn, negative for a left-hand thread."),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, initial_displacement, "m", "Value of .displacement in the initial configuration.")
          .otherwise("0"));

  Screw(const Parameters& given, const ModelInfo& model)
      : Screw(given, sdk::spatial_joint_geometry(given.two, given.point, given.axis, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates>(
        id, &angle_, &channels_, &reaction_, &coordinates_);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    const Vec3<T> d = b[1].point(points_.s_j) - b[0].point(points_.s_i), H_j = b[1].direction(axes_.h_j);
    const Vec3<T> F_i = b[0].direction(axes_.f_i), G_i = b[0].direction(axes_.g_i), H_i = b[0].direction(axes_.h_i);
    const T angle = sdk::counted(sdk::relative_angle(b[0], b[1], angle_.definition()) + angle_.initial_angle(), s);
    out[0] = sdk::dot(F_i, H_j), out[1] = sdk::dot(G_i, H_j);
    out[2] = sdk::dot(F_i, d), out[3] = sdk::dot(G_i, d);
    out[4] = sdk::dot(H_i, d) + displacement_.offset - lead_ * angle - start_;
  }

 private:
  Screw(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        points_(geometry.points),
        axes_(geometry.axes),
        lead_(given.pitch / 6.283185307179586476925286766559),
        start_(given.initial_displacement - lead_ * given.initial_angle),
        angle_(geometry.axes, given.initial_angle),
        displacement_(geometry, given.initial_displacement, sdk::spatial_state(model, given.two.bodies[0]),
                      sdk::spatial_state(model, given.two.bodies[1])),
        channels_(&angle_, &displacement_),
        coordinates_(given.two, &angle_, &displacement_),
        reaction_(geometry.points.s_j) {}

  sdk::SpatialPoints points_;
  sdk::SpatialAxes axes_;
  double lead_;   ///< m/rad
  double start_;  ///< m
  sdk::JointAngle angle_;
  sdk::JointDisplacement displacement_;
  sdk::JointChannels channels_;
  sdk::SpatialJointCoordinates coordinates_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::screw

TRAMMEL_PLUGIN("screw", "1.0.0", "BSD-3-Clause",
               component<trammel::screw::Screw>(
                   Host::spatial, "screw", "Displacement along a common axis in proportion to the rotation about it.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
