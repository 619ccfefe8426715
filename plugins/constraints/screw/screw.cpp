// Plugin: screw joint, displacement along an axis in proportion to the rotation about it.

#include "trammel/math/two_pi.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::screw {

using sdk::Pose;
using sdk::Vec3;

/// Rows 0..3: those of the cylindrical joint, rad and m. Row 4: displacement - pitch/(2 pi) angle - offset, m.
class Screw final : public sdk::AutoConstraint<Screw, SpatialBodyState, 2, 5> {
 public:
  struct Parameters {
    sdk::SlidingJointKeys sliding;
    double pitch;
    double offset;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, sliding, sdk::sliding_joint_fields),
      TRAMMEL_FIELD(Parameters, pitch, "m", "Displacement per turn, negative for a left-hand thread."),
      TRAMMEL_FIELD(Parameters, offset, "m",
                    "Displacement where the angle is zero; from the initial configuration if left out.")
          .optional());

  Screw(const Parameters& given, const ModelInfo& model)
      : Screw(given, sdk::spatial_joint_geometry(given.sliding.joint, model), model) {}

  const void* extension(const char* id) const override {
    const void* found = sdk::offer_extensions<JointPlacement>(id, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    const Vec3<T> d = b[1].point(report_.displacement().s_j) - b[0].point(report_.displacement().s_i),
                  H_j = b[1].direction(axes_.h_j);
    const Vec3<T> F_i = b[0].direction(axes_.f_i), G_i = b[0].direction(axes_.g_i), H_i = b[0].direction(axes_.h_i);
    const sdk::JointAngle& joint = report_.angle();
    const T angle = sdk::counted(sdk::relative_angle(b[0], b[1], joint.definition()) + joint.value(), s);
    out[0] = sdk::dot(F_i, H_j), out[1] = sdk::dot(G_i, H_j);
    out[2] = sdk::dot(F_i, d), out[3] = sdk::dot(G_i, d);
    out[4] = sdk::dot(H_i, d) + report_.displacement().offset - lead_ * angle - start_;
  }

 private:
  Screw(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : AutoConstraint(given.sliding.joint.two.bodies[0], given.sliding.joint.two.bodies[1]),
        axes_(geometry.axes),
        lead_(given.pitch / two_pi),
        report_(given.sliding.joint.two, geometry.points.s_j,
                sdk::joint_angle(given.sliding.joint, geometry.axes, model),
                sdk::joint_displacement(given.sliding, geometry, model),
                sdk::Drawn(Symbol::hinge_slider).at(geometry.points).along(1, geometry.axes.h_j)),
        start_(trammel::given(given.offset) ? given.offset
                                            : report_.displacement().start() - lead_ * report_.angle().start()),
        placed_(sdk::Placed(JointTurn::third)
                    .at(geometry.points)
                    .axes(geometry.axes)
                    .screw(lead_, along_at_zero(given.offset) - report_.displacement().offset)) {}

  /// The displacement where f_j is along f_i.
  double along_at_zero(double offset) const {
    const sdk::JointAngle& angle = report_.angle();
    if (trammel::given(offset)) return offset + lead_ * angle.value();
    return report_.displacement().start() - lead_ * (angle.start() - angle.value());
  }

  sdk::SpatialAxes axes_;
  double lead_;  ///< m/rad
  sdk::SpatialJointReport report_;
  double start_;  ///< m
  sdk::Placed placed_;
};

}  // namespace trammel::screw

TRAMMEL_PLUGIN("screw", "1.0.0", "BSD-3-Clause",
               component<trammel::screw::Screw>(
                   Host::spatial, "screw", "Displacement along a common axis in proportion to the rotation about it.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
