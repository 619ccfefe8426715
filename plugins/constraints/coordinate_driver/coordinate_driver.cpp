// Plugin: drives a coordinate of one body against ground, spatial and planar.
#include "trammel/sdk/elements/driver.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/plugin.h"

namespace trammel::coordinate_driver {

constexpr sdk::DrivenCoordinate length{
    .value_name = "value", .value_unit = "m", .rate_name = "rate", .rate_unit = "m/s"};
constexpr sdk::DrivenCoordinate angle{
    .value_name = "value", .value_unit = "rad", .rate_name = "rate", .rate_unit = "rad/s"};
constexpr BodyRef ground{-1};

inline BodyRef checked_body(BodyRef body) {
  if (body.is_ground()) throw Error::parameter("body", "ground does not move: drive a coordinate of a body");
  return body;
}

/// Row 0: x, y or z of a point of the body - f(t), m: a displacement from the origin along an axis of ground.
class SpatialCoordinateDriver final
    : public sdk::Driver<SpatialBodyState, sdk::SpatialPair, sdk::SpatialPairVector, sdk::DotDistanceRow> {
 public:
  enum class Coordinate : std::int32_t { x, y, z };
  struct Parameters {
    BodyRef body;
    Coordinate coordinate;
    double point[3];
    sdk::DriverKeys motion;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "The driven body."),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, coordinate, "1", "The driven coordinate, global."), FrameUse::ground)
          .choices("x|y|z"),
      TRAMMEL_FIELD(Parameters, point, "m", "Body-fixed point whose coordinate it is, the centre of mass if left out.")
          .on_body(0)
          .otherwise("[0, 0, 0]"),
      TRAMMEL_EMBED(Parameters, motion, sdk::length_driver_fields));

  SpatialCoordinateDriver(const Parameters& given, const ModelInfo& model)
      : SpatialCoordinateDriver(given, row(given), sdk::spatial_state(model, checked_body(given.body))) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, Drawing>(
        id, this, this, this, &reaction_, &drawn_);
  }

 private:
  SpatialCoordinateDriver(const Parameters& given, const sdk::DotDistanceRow& row, const SpatialBodyState& b)
      : Driver(length, ground, given.body, row, 0,
               {given.motion, sdk::dot(row.f, sdk::position(b) + sdk::multiply(b.A, row.s_j))}),
        reaction_(row.s_j),
        drawn_(sdk::Drawn(Symbol::point).at(1, row.s_j)) {}

  static sdk::DotDistanceRow row(const Parameters& given) {
    sdk::Vec3<> e{0, 0, 0};
    (given.coordinate == Coordinate::x ? e.x : given.coordinate == Coordinate::y ? e.y : e.z) = 1;
    return {e, {0, 0, 0}, sdk::vec3(given.point)};
  }

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

/// x or y of a point as displacement from the origin along an axis of ground, or phi.
struct PlanarCoordinateRow {
  static constexpr Index rows = 1;
  bool angle;
  sdk::PlanarLineRow line;
  sdk::PlanarAngleRow phi{0};

  template <bool velocity>
  void evaluate(const sdk::PlanarPair& b, const ConstraintOutput& out, Index first) const {
    angle ? phi.evaluate<velocity>(b, out, first) : line.evaluate<velocity>(b, out, first);
  }
  void jacobian_gradient(const sdk::PlanarPair& b, const sdk::PlanarPairVector& x, const MatrixView* out,
                         Index first) const {
    angle ? phi.jacobian_gradient(b, x, out, first) : line.jacobian_gradient(b, x, out, first);
  }
  void multiplier_gradient(const sdk::PlanarPair& b, const double* lambda, const MatrixView* out) const {
    angle ? phi.multiplier_gradient(b, lambda, out) : line.multiplier_gradient(b, lambda, out);
  }
  void acceleration_gradient(const sdk::PlanarPair& b, const sdk::PlanarPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    angle ? phi.acceleration_gradient(b, a, out_q, out_v, first)
          : line.acceleration_gradient(b, a, out_q, out_v, first);
  }
};

/// Row 0: x or y of a point of the body, or its angle phi, - f(t); m or rad.
class PlanarCoordinateDriver final
    : public sdk::Driver<PlanarBodyState, sdk::PlanarPair, sdk::PlanarPairVector, PlanarCoordinateRow> {
 public:
  enum class Coordinate : std::int32_t { x, y, phi };
  struct Parameters {
    BodyRef body;
    Coordinate coordinate;
    double point[3];
    sdk::DriverKeys motion;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "The driven body."),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, coordinate, "1", "The driven coordinate, global."), FrameUse::ground)
          .choices("x|y|phi"),
      TRAMMEL_FIELD(Parameters, point, "m",
                    "Body-fixed point whose x or y it is, the centre of mass if left out; not with phi.")
          .on_body(0)
          .optional(),
      TRAMMEL_EMBED(Parameters, motion, sdk::driver_fields));

  PlanarCoordinateDriver(const Parameters& given, const ModelInfo& model)
      : PlanarCoordinateDriver(given, row(given), sdk::planar_state(model, checked_body(given.body))) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, Drawing>(
        id, this, this, this, &reaction_, &drawn_);
  }

 private:
  PlanarCoordinateDriver(const Parameters& given, const PlanarCoordinateRow& row, const PlanarBodyState& b)
      : Driver(row.angle ? angle : length, ground, given.body, row, 0,
               {given.motion,
                row.angle ? b.phi : sdk::dot(row.line.n_i, sdk::position(b) + sdk::rotate(b, row.line.s_j))}),
        reaction_(row.line.s_j),
        drawn_(row.angle ? Symbol::nothing : Symbol::point) {
    if (!row.angle) drawn_.at(1, row.line.s_j);
  }

  static PlanarCoordinateRow row(const Parameters& given) {
    const bool phi = given.coordinate == Coordinate::phi, chosen = trammel::given(given.point);
    if (phi && chosen) throw Error::parameter("point", "the angle phi belongs to the body, not to a point of it");
    const sdk::Vec2<> e = given.coordinate == Coordinate::y ? sdk::Vec2<>{0, 1} : sdk::Vec2<>{1, 0};
    return {phi, {e, {0, 0}, chosen ? sdk::vec2(given.point) : sdk::Vec2<>{0, 0}}};
  }

  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::coordinate_driver

TRAMMEL_PLUGIN("coordinate_driver", "1.0.0", "BSD-3-Clause",
               component<trammel::coordinate_driver::SpatialCoordinateDriver>(
                   Host::spatial, "coordinate_driver", "A coordinate of a point of a body is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.5"),
               component<trammel::coordinate_driver::PlanarCoordinateDriver>(
                   Host::planar, "coordinate_driver",
                   "A coordinate of a body or of a point of it is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.5"));
