// Plugin: a fixed distance between two points, spatial and planar.
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/point_parameters.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::distance {

struct Parameters {
  sdk::TwoBodies two;
  sdk::EndPoints ends;
  double length;
};

template <const char* zero>
constexpr auto distance_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
    TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<zero>),
    TRAMMEL_FIELD(Parameters, length, "m", "Distance, not zero; the initial distance if left out.").optional());

/// The length asked for, or the distance at the start. Zero has no direction: refused.
inline double checked_length(const Parameters& given, double initial, const char* alternative) {
  sdk::require_two_bodies(given.two);
  const double length = trammel::given(given.length) ? given.length : initial;
  if (!(length > 0)) {
    throw Error::parameter(
        "length", std::string("the distance must be positive; for coincident points use '") + alternative + "'");
  }
  if (!(initial > 0)) {
    throw Error::parameter("point_i", std::string("the two points coincide in the initial configuration, where a "
                                                  "distance has no direction; for coincident points use '") +
                                          alternative + "'");
  }
  return length;
}

template <class State>
sdk::DistanceParameters<State> numbers(const Parameters& given, const ModelInfo& model) {
  using Length = typename sdk::DistanceParameters<State>::Length;
  return {given.two, given.ends, trammel::given(given.length) ? Length::given : Length::initial, given.length, model};
}

/// Row 0: |P_j - P_i| - length, m. Singular where the points meet.
class SpatialDistance final : public sdk::SpatialConstraint<sdk::DistanceRow> {
 public:
  using Parameters = distance::Parameters;
  static constexpr auto parameters = distance_table<sdk::zero_spatial>;

  SpatialDistance(const Parameters& given, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], row(given, model)),
        reaction_(sdk::vec3(given.ends.point_j)),
        drawn_(sdk::Drawn(Symbol::rod).at(0, sdk::vec3(given.ends.point_i)).at(1, sdk::vec3(given.ends.point_j))),
        numbers_(numbers<SpatialBodyState>(given, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing, ConstraintParameterDerivatives, FreeDirections>(
        id, &reaction_, &drawn_, &numbers_, this);
  }

 private:
  static sdk::DistanceRow row(const Parameters& given, const ModelInfo& model) {
    const sdk::Vec3<> s_i = sdk::vec3(given.ends.point_i), s_j = sdk::vec3(given.ends.point_j);
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    const sdk::Vec3<> d = sdk::position(j) + sdk::multiply(j.A, s_j) - sdk::position(i) - sdk::multiply(i.A, s_i);
    return {s_i, s_j, checked_length(given, sdk::norm(d), "point")};
  }

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
  sdk::DistanceParameters<SpatialBodyState> numbers_;
};

/// Row 0: |P_j - P_i| - length, m. Singular where the points meet.
class PlanarDistance final : public sdk::PlanarConstraint<sdk::PlanarDistanceRow> {
 public:
  using Parameters = distance::Parameters;
  static constexpr auto parameters = distance_table<sdk::zero_planar>;

  PlanarDistance(const Parameters& given, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], row(given, model)),
        reaction_(sdk::vec2(given.ends.point_j)),
        drawn_(sdk::Drawn(Symbol::rod).at(0, sdk::vec2(given.ends.point_i)).at(1, sdk::vec2(given.ends.point_j))),
        numbers_(numbers<PlanarBodyState>(given, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing, ConstraintParameterDerivatives, FreeDirections>(
        id, &reaction_, &drawn_, &numbers_, this);
  }

 private:
  static sdk::PlanarDistanceRow row(const Parameters& given, const ModelInfo& model) {
    const sdk::Vec2<> s_i = sdk::vec2(given.ends.point_i), s_j = sdk::vec2(given.ends.point_j);
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const PlanarBodyState& j = sdk::planar_state(model, given.two.bodies[1]);
    const sdk::Vec2<> d = sdk::position(j) + sdk::rotate(j, s_j) - sdk::position(i) - sdk::rotate(i, s_i);
    return {s_i, s_j, checked_length(given, sdk::norm(d), "revolute")};
  }

  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
  sdk::DistanceParameters<PlanarBodyState> numbers_;
};

}  // namespace trammel::distance

TRAMMEL_PLUGIN("distance", "1.0.0", "BSD-3-Clause",
               component<trammel::distance::SpatialDistance>(
                   Host::spatial, "distance", "Two points stay at a fixed distance, not zero: a massless rod.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"),
               component<trammel::distance::PlanarDistance>(
                   Host::planar, "distance", "Two points stay at a fixed distance, not zero: a massless rod.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.3"));
