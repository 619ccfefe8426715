// Plugin: universal (Hooke's) joint.
#include "trammel/sdk/plugin.h"
#include "universal_angles.h"

namespace trammel::universal {

/// Rows 0..2: P_j - P_i, m. Row 3: the axes of the cross stay perpendicular, rad.
class Universal final : public sdk::SpatialConstraint<sdk::PointRows, sdk::DotRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::CrossedAxisKeys axes;
    double initial_angle;
    double initial_second_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axes, sdk::crossed_axis_fields),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, initial_second_angle, "rad", "Value of .second_angle in the initial configuration.")
          .otherwise("0"));

  Universal(const Parameters& given, const ModelInfo& model)
      : Universal(given, sdk::spatial_points(given.two, given.point, model), axes(given, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint>(id, &angles_, &channels_, &reaction_);
  }

 private:
  Universal(const Parameters& given, const sdk::SpatialPoints& points, const sdk::CrossedAxes& axes,
            const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j}, {axes.h_i, axes.h_j}),
        angles_(axes, sdk::spatial_state(model, given.two.bodies[0]), sdk::spatial_state(model, given.two.bodies[1]),
                given.initial_angle, given.initial_second_angle),
        channels_(angles_),
        reaction_(points.s_j) {}

  static sdk::CrossedAxes axes(const Parameters& given, const ModelInfo& model) {
    sdk::require_one_form(given.point, given.axes);
    const sdk::CrossedAxes axes = sdk::crossed_axes(given.two, given.axes, model);
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    // Anything near a right angle is left to the assembly of the initial configuration.
    if (std::abs(sdk::dot(sdk::multiply(i.A, axes.h_i), sdk::multiply(j.A, axes.h_j))) > 0.5) {
      throw Error::parameter(trammel::given(given.axes.axis) ? "second_axis" : "axis_j",
                             "the two axes of the cross must be perpendicular, and are more than 30 degrees from it");
    }
    return axes;
  }

  UniversalAngles angles_;
  UniversalChannels channels_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::universal

TRAMMEL_PLUGIN("universal", "1.0.0", "BSD-3-Clause",
               component<trammel::universal::Universal>(
                   Host::spatial, "universal",
                   "Common point, and an axis of each body perpendicular to the other's: two rotations are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
