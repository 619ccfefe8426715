// Plugin: parallel axes, all other motion left free.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::parallel_axes {

/// Rows 0, 1: the second body's axis against f and g of the first, rad.
class ParallelAxes final : public sdk::SpatialConstraint<sdk::ParallelRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::AxisKeys axis;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                            TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
                                                            TRAMMEL_EMBED(Parameters, angle, sdk::angle_fields));

  ParallelAxes(const Parameters& given, const ModelInfo& model)
      : ParallelAxes(given, sdk::spatial_axes(given.two, given.axis, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    const void* found = sdk::offer_extensions<JointPlacement>(id, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  ParallelAxes(const Parameters& given, const sdk::SpatialAxes& axes, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {axes.f_i, axes.g_i, axes.h_j}),
        report_(given.two, {0, 0, 0}, sdk::JointAngle(axes, sdk::angle_zero(given.two, axes, given.angle, model)), {},
                sdk::Drawn(Symbol::nothing)),
        placed_(sdk::Placed(JointTurn::third).axes(axes).slides(0, 1, 2)) {}

  sdk::SpatialJointReport report_;
  sdk::Placed placed_;
};

}  // namespace trammel::parallel_axes

TRAMMEL_PLUGIN("parallel_axes", "1.0.0", "BSD-3-Clause",
               component<trammel::parallel_axes::ParallelAxes>(
                   Host::spatial, "parallel_axes", "An axis of each body stay parallel: rotation about it is left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
