// Plugin: the dot1 primitive, two body-fixed unit vectors at a given dot product.
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::dot1 {

/// Row 0: (A_i f).(A_j h) - value, f and h unit vectors: rad near orthogonality.
class Dot1 final : public sdk::SpatialConstraint<sdk::DotRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::CrossedAxisKeys axes;
    double value;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, axes, sdk::crossed_axis_fields),
      TRAMMEL_FIELD(Parameters, value, "1",
                    "Cosine of the angle between the two directions; at 1 and -1 the row is singular.")
          .above(-1)
          .below(1)
          .otherwise("0"));

  Dot1(const Parameters& given, const ModelInfo& model)
      : Dot1(given, sdk::crossed_axes(given.two, given.axes, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing>(id, &reaction_, &drawn_);
  }

 private:
  Dot1(const Parameters& given, const sdk::CrossedAxes& axes)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {axes.h_i, axes.h_j, given.value}),
        reaction_({0, 0, 0}) {}

  sdk::SpatialReaction reaction_;  // a torque, the same about every point
  sdk::Drawn drawn_{Symbol::nothing};
};

}  // namespace trammel::dot1

TRAMMEL_PLUGIN("dot1", "1.0.0", "BSD-3-Clause",
               component<trammel::dot1::Dot1>(
                   Host::spatial, "dot1", "Two body-fixed directions stay orthogonal, or at a given angle.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
