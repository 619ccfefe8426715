// Plugin: the dot2 primitive, a direction of the first body and the vector between two points.
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::dot2 {

/// Row 0: (A_i f).(P_j - P_i) - value, f a unit vector, m.
class Dot2 final : public sdk::SpatialConstraint<sdk::DotDistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    double axis[3];
    double axis_i[3];
    double value;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_FIELD(Parameters, axis, "1", "Direction fixed in the first body, global, in the initial configuration.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Direction fixed in the first body; instead of axis.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, value, "m", "Component of the second point from the first along the direction.")
          .otherwise("0"));

  Dot2(const Parameters& given, const ModelInfo& model) : Dot2(given.two, row(given, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing>(id, &reaction_, &drawn_);
  }

 private:
  Dot2(const sdk::TwoBodies& two, const sdk::DotDistanceRow& row)
      : FusedConstraint(two.bodies[0], two.bodies[1], row),
        reaction_(row.s_j),
        drawn_(sdk::Drawn(Symbol::point).at(0, row.s_i).at(1, row.s_j)) {}

  static sdk::DotDistanceRow row(const Parameters& p, const ModelInfo& model) {
    const sdk::SpatialPoints points = sdk::spatial_points(p.two, p.point, model);
    if (trammel::given(p.axis)) {
      if (trammel::given(p.axis_i) || trammel::given(p.point.point_i)) sdk::refuse_mixture("axis");
      const sdk::Vec3<> f = sdk::unit_axis(sdk::vec3(p.axis), "axis");
      return {sdk::multiply_transposed(sdk::spatial_state(model, p.two.bodies[0]).A, f), points.s_i, points.s_j,
              p.value};
    }
    if (!trammel::given(p.axis_i)) throw Error::parameter("axis", "needs 'axis' (global) or 'axis_i' (body-fixed)");
    if (trammel::given(p.point.at)) sdk::refuse_mixture("at");
    return {sdk::unit_axis(sdk::vec3(p.axis_i), "axis_i"), points.s_i, points.s_j, p.value};
  }

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::dot2

TRAMMEL_PLUGIN("dot2", "1.0.0", "BSD-3-Clause",
               component<trammel::dot2::Dot2>(
                   Host::spatial, "dot2", "A point of the second body stays in a plane of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
