// Plugin: the dot1 primitive, two body-fixed unit vectors at a given dot product.
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/spatial_joint.h"

namespace trammel::dot1 {

/// Row 0: (A_i f).(A_j h) - value, f and h unit vectors: rad near orthogonality.
class Dot1 final : public sdk::SpatialConstraint<sdk::DotRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    double axis[3];
    double second_axis[3];
    double axis_i[3];
    double axis_j[3];
    double value;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, axis, "1", "Direction fixed in the first body, global, in the initial configuration.")
          .optional(),
      TRAMMEL_FIELD(Parameters, second_axis, "1",
                    "Direction fixed in the second body, global, in the initial configuration.")
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Direction fixed in the first body; with axis_j instead of the two above.")
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_j, "1", "Direction fixed in the second body.").optional(),
      TRAMMEL_FIELD(Parameters, value, "1",
                    "Cosine of the angle between the two directions; at 1 and -1 the row is singular.")
          .above(-1)
          .below(1)
          .otherwise("0"));

  Dot1(const Parameters& given, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], row(given, model)) {}

 private:
  static sdk::DotRow row(const Parameters& p, const ModelInfo& model) {
    sdk::require_two_bodies(p.two);
    const bool local = trammel::given(p.axis_i) || trammel::given(p.axis_j);
    if (trammel::given(p.axis) || trammel::given(p.second_axis)) {
      if (local) sdk::refuse_mixture(trammel::given(p.axis) ? "axis" : "second_axis");
      if (!trammel::given(p.axis)) throw Error::parameter("axis", "is missing beside 'second_axis'");
      if (!trammel::given(p.second_axis)) throw Error::parameter("second_axis", "is missing beside 'axis'");
      const sdk::Vec3<> f = sdk::unit_axis(sdk::vec3(p.axis), "axis");
      const sdk::Vec3<> h = sdk::unit_axis(sdk::vec3(p.second_axis), "second_axis");
      return {sdk::multiply_transposed(sdk::spatial_state(model, p.two.bodies[0]).A, f),
              sdk::multiply_transposed(sdk::spatial_state(model, p.two.bodies[1]).A, h), p.value};
    }
    if (!local) throw Error::parameter("axis", "needs 'axis' and 'second_axis' (global), or 'axis_i' and 'axis_j'");
    if (!trammel::given(p.axis_i)) throw Error::parameter("axis_i", "is missing beside 'axis_j'");
    if (!trammel::given(p.axis_j)) throw Error::parameter("axis_j", "is missing beside 'axis_i'");
    return {sdk::unit_axis(sdk::vec3(p.axis_i), "axis_i"), sdk::unit_axis(sdk::vec3(p.axis_j), "axis_j"), p.value};
  }
};

}  // namespace trammel::dot1

TRAMMEL_PLUGIN("dot1", "1.0.0", "BSD-3-Clause",
               component<trammel::dot1::Dot1>(
                   Host::spatial, "dot1", "Two body-fixed directions stay orthogonal, or at a given angle.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
