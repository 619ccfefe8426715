// Plugin: drives the displacement of a point along an axis of another body, spatial and planar.
#include "trammel/sdk/elements/driver.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::translation_driver {

struct Parameters {
  sdk::TwoBodies two;
  sdk::PointKeys point;
  double axis[3];
  double axis_i[3];
  sdk::DriverKeys motion;
  sdk::DisplacementKeys slide;
};

constexpr auto translation_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
    TRAMMEL_FIELD(Parameters, axis, "1", "Direction, global, in the initial configuration.")
        .direction()
        .at_start()
        .optional(),
    TRAMMEL_FIELD(Parameters, axis_i, "1", "Direction fixed in the first body, instead of axis.")
        .direction()
        .on_body(0)
        .optional(),
    TRAMMEL_EMBED(Parameters, motion, sdk::length_driver_fields),
    TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));

constexpr sdk::DrivenCoordinate displacement{
    .value_name = "displacement", .value_unit = "m", .rate_name = "speed", .rate_unit = "m/s"};

/// The direction in axes of the first body: `from_global(unit vector)` turns a global one. Points and direction are
/// given in the same form.
template <class V, class FromGlobal>
V direction(const Parameters& given, const V& global, const V& local, const FromGlobal& from_global) {
  if (trammel::given(given.axis) == trammel::given(given.axis_i)) {
    throw Error::parameter("axis", "needs either 'axis' (global) or 'axis_i' (fixed in the first body)");
  }
  if (trammel::given(given.axis) != trammel::given(given.point.at)) {
    sdk::refuse_mixture(trammel::given(given.axis) ? "axis" : "at");
  }
  return trammel::given(given.axis) ? from_global(sdk::unit_axis(global, "axis")) : sdk::unit_axis(local, "axis_i");
}

/// Of a driver whose points are `drawn` apart along the axis in the initial configuration.
sdk::CountedFrom zero(double drawn, const Parameters& given, const ModelInfo& model) {
  return sdk::displacement_zero(drawn, !trammel::given(given.point.at), given.slide.initial_displacement, model);
}

/// Row 0: displacement of P_j from P_i along the axis - f(t), m.
class SpatialTranslationDriver final
    : public sdk::Driver<SpatialBodyState, sdk::SpatialPair, sdk::SpatialPairVector, sdk::DotDistanceRow> {
 public:
  using Parameters = translation_driver::Parameters;
  static constexpr auto parameters = translation_table;

  SpatialTranslationDriver(const Parameters& given, const ModelInfo& model)
      : SpatialTranslationDriver(given, row(given, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, CoordinateZeros, Drawing>(
        id, this, this, this, &reaction_, &zeros_, &drawn_);
  }

 private:
  /// `row`: with the displacement between the points in the initial configuration as its value.
  SpatialTranslationDriver(const Parameters& given, const sdk::DotDistanceRow& row, const ModelInfo& model)
      : SpatialTranslationDriver(given, row, zero(row.value, given, model)) {}
  SpatialTranslationDriver(const Parameters& given, const sdk::DotDistanceRow& row, const sdk::CountedFrom& from)
      : Driver(displacement, given.two.bodies[0], given.two.bodies[1], {row.f, row.s_i, row.s_j, from.base}, from.value,
               {given.motion, from.start}),
        reaction_(row.s_j),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::point).at(0, row.s_i).at(1, row.s_j)) {}

  static sdk::DotDistanceRow row(const Parameters& given, const ModelInfo& model) {
    const sdk::SpatialPoints points = sdk::spatial_points(given.two, given.point, model);
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    const sdk::Vec3<> u = direction(given, sdk::vec3(given.axis), sdk::vec3(given.axis_i),
                                    [&](const sdk::Vec3<>& axis) { return sdk::multiply_transposed(i.A, axis); });
    const sdk::Vec3<> d =
        sdk::position(j) + sdk::multiply(j.A, points.s_j) - sdk::position(i) - sdk::multiply(i.A, points.s_i);
    return {u, points.s_i, points.s_j, sdk::dot(sdk::multiply(i.A, u), d)};
  }

  sdk::SpatialReaction reaction_;
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

/// Row 0: displacement of P_j from P_i along the axis - f(t), m.
class PlanarTranslationDriver final
    : public sdk::Driver<PlanarBodyState, sdk::PlanarPair, sdk::PlanarPairVector, sdk::PlanarLineRow> {
 public:
  using Parameters = translation_driver::Parameters;
  static constexpr auto parameters = translation_table;

  PlanarTranslationDriver(const Parameters& given, const ModelInfo& model)
      : PlanarTranslationDriver(given, row(given, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, CoordinateZeros, Drawing>(
        id, this, this, this, &reaction_, &zeros_, &drawn_);
  }

 private:
  PlanarTranslationDriver(const Parameters& given, const sdk::PlanarLineRow& row, const ModelInfo& model)
      : PlanarTranslationDriver(given, row, zero(initial(given, row, model), given, model)) {}
  PlanarTranslationDriver(const Parameters& given, const sdk::PlanarLineRow& row, const sdk::CountedFrom& from)
      : Driver(displacement, given.two.bodies[0], given.two.bodies[1], row, from.offset(), {given.motion, from.start}),
        reaction_(row.s_j),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::point).at(0, row.s_i).at(1, row.s_j)) {}

  static sdk::PlanarLineRow row(const Parameters& given, const ModelInfo& model) {
    const sdk::PlanarPoints points = sdk::planar_points(given.two, given.point, model);
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const sdk::Vec2<> u = direction(given, sdk::vec2(given.axis), sdk::vec2(given.axis_i),
                                    [&](const sdk::Vec2<>& axis) { return sdk::rotate_back(i, axis); });
    return {u, points.s_i, points.s_j};
  }
  static double initial(const Parameters& given, const sdk::PlanarLineRow& row, const ModelInfo& model) {
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const PlanarBodyState& j = sdk::planar_state(model, given.two.bodies[1]);
    const sdk::Vec2<> d = sdk::position(j) + sdk::rotate(j, row.s_j) - sdk::position(i) - sdk::rotate(i, row.s_i);
    return sdk::dot(sdk::rotate(i, row.n_i), d);
  }

  sdk::PlanarReaction reaction_;
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::translation_driver

TRAMMEL_PLUGIN("translation_driver", "1.0.0", "BSD-3-Clause",
               component<trammel::translation_driver::SpatialTranslationDriver>(
                   Host::spatial, "translation_driver",
                   "The displacement of a point along an axis is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.5"),
               component<trammel::translation_driver::PlanarTranslationDriver>(
                   Host::planar, "translation_driver",
                   "The displacement of a point along an axis is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.5"));
