// Plugin: drives the distance between two points, spatial and planar.
#include "trammel/sdk/elements/driver.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::distance_driver {

struct Parameters {
  sdk::TwoBodies two;
  sdk::EndPoints ends;
  sdk::DriverKeys motion;
};

template <const char* zero>
constexpr auto distance_table = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                       TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<zero>),
                                                       TRAMMEL_EMBED(Parameters, motion, sdk::length_driver_fields));

constexpr sdk::DrivenCoordinate distance{
    .value_name = "length", .value_unit = "m", .rate_name = "rate", .rate_unit = "m/s", .positive = true};

/// A distance of zero has no direction: refused.
inline double checked_distance(double initial) {
  if (!(initial > 0)) {
    throw Error::parameter("point_i",
                           "the two points coincide in the initial configuration, where a distance has no direction");
  }
  return initial;
}

/// Row 0: |P_j - P_i| - f(t), m. Singular where the points meet.
class SpatialDistanceDriver final
    : public sdk::Driver<SpatialBodyState, sdk::SpatialPair, sdk::SpatialPairVector, sdk::DistanceRow> {
 public:
  using Parameters = distance_driver::Parameters;
  static constexpr auto parameters = distance_table<sdk::zero_spatial>;

  SpatialDistanceDriver(const Parameters& given, const ModelInfo& model)
      : Driver(distance, given.two.bodies[0], given.two.bodies[1],
               {sdk::vec3(given.ends.point_i), sdk::vec3(given.ends.point_j), 0}, 0,
               {given.motion, start(given, model)}),
        reaction_(sdk::vec3(given.ends.point_j)),
        drawn_(sdk::Drawn(Symbol::actuator).at(0, sdk::vec3(given.ends.point_i)).at(1, sdk::vec3(given.ends.point_j))) {
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, Drawing>(
        id, this, this, this, &reaction_, &drawn_);
  }

 private:
  static double start(const Parameters& given, const ModelInfo& model) {
    sdk::require_two_bodies(given.two);
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    return checked_distance(sdk::norm(sdk::position(j) + sdk::multiply(j.A, sdk::vec3(given.ends.point_j)) -
                                      sdk::position(i) - sdk::multiply(i.A, sdk::vec3(given.ends.point_i))));
  }

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

/// Row 0: |P_j - P_i| - f(t), m. Singular where the points meet.
class PlanarDistanceDriver final
    : public sdk::Driver<PlanarBodyState, sdk::PlanarPair, sdk::PlanarPairVector, sdk::PlanarDistanceRow> {
 public:
  using Parameters = distance_driver::Parameters;
  static constexpr auto parameters = distance_table<sdk::zero_planar>;

  PlanarDistanceDriver(const Parameters& given, const ModelInfo& model)
      : Driver(distance, given.two.bodies[0], given.two.bodies[1],
               {sdk::vec2(given.ends.point_i), sdk::vec2(given.ends.point_j), 0}, 0,
               {given.motion, start(given, model)}),
        reaction_(sdk::vec2(given.ends.point_j)),
        drawn_(sdk::Drawn(Symbol::actuator).at(0, sdk::vec2(given.ends.point_i)).at(1, sdk::vec2(given.ends.point_j))) {
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, Drawing>(
        id, this, this, this, &reaction_, &drawn_);
  }

 private:
  static double start(const Parameters& given, const ModelInfo& model) {
    sdk::require_two_bodies(given.two);
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const PlanarBodyState& j = sdk::planar_state(model, given.two.bodies[1]);
    return checked_distance(sdk::norm(sdk::position(j) + sdk::rotate(j, sdk::vec2(given.ends.point_j)) -
                                      sdk::position(i) - sdk::rotate(i, sdk::vec2(given.ends.point_i))));
  }

  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::distance_driver

TRAMMEL_PLUGIN("distance_driver", "1.0.0", "BSD-3-Clause",
               component<trammel::distance_driver::SpatialDistanceDriver>(
                   Host::spatial, "distance_driver", "The distance between two points is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.5"),
               component<trammel::distance_driver::PlanarDistanceDriver>(
                   Host::planar, "distance_driver", "The distance between two points is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.5"));
