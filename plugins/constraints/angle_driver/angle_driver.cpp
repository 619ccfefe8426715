// Plugin: drives the relative angle of two bodies, spatial (about an axis) and planar.
#include "trammel/sdk/elements/driver.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_angle_row.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::angle_driver {

constexpr sdk::DrivenCoordinate spatial_angle{
    .value_name = "angle", .value_unit = "rad", .rate_name = "rate", .rate_unit = "rad/s", .turns = true};
constexpr sdk::DrivenCoordinate planar_angle{
    .value_name = "angle", .value_unit = "rad", .rate_name = "rate", .rate_unit = "rad/s"};

/// Row 0: theta - f(t), rad; theta of the second body against the first, right-handed about the axis.
class SpatialAngleDriver final
    : public sdk::Driver<SpatialBodyState, sdk::SpatialPair, sdk::SpatialPairVector, sdk::SpatialAngleRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::AxisKeys axis;
    double at[3];
    sdk::DriverKeys motion;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, global, for the reader: a torque is free of its place.")
          .at_start()
          .optional(),
      TRAMMEL_EMBED(Parameters, motion, sdk::angle_driver_fields), TRAMMEL_EMBED(Parameters, angle, sdk::angle_fields));

  SpatialAngleDriver(const Parameters& given, const ModelInfo& model)
      : SpatialAngleDriver(given, sdk::spatial_axes(given.two, given.axis, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, CoordinateZeros, Drawing>(
        id, this, this, this, &reaction_, &zeros_, &drawn_);
  }

 private:
  SpatialAngleDriver(const Parameters& given, const sdk::SpatialAxes& axes, const ModelInfo& model)
      : SpatialAngleDriver(given, axes, sdk::angle_zero(given.two, axes, given.angle, model), model) {}
  SpatialAngleDriver(const Parameters& given, const sdk::SpatialAxes& axes, const sdk::CountedFrom& from,
                     const ModelInfo& model)
      : Driver(spatial_angle, given.two.bodies[0], given.two.bodies[1], {{axes.f_i, axes.g_i, axes.f_j}}, from.value,
               {given.motion, from.start}),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::hinge).at<SpatialBodyState>(given.two, given.at, model).along(1, axes.h_j)) {}

  sdk::SpatialReaction reaction_{{0, 0, 0}};
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

/// Row 0: phi_j - phi_i - f(t), rad.
class PlanarAngleDriver final
    : public sdk::Driver<PlanarBodyState, sdk::PlanarPair, sdk::PlanarPairVector, sdk::PlanarAngleRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    double at[3];
    sdk::DriverKeys motion;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, for the reader: a torque is free of its place.")
          .at_start()
          .optional(),
      TRAMMEL_EMBED(Parameters, motion, sdk::angle_driver_fields),
      TRAMMEL_EMBED(Parameters, angle, sdk::planar_angle_fields));

  PlanarAngleDriver(const Parameters& given, const ModelInfo& model)
      : PlanarAngleDriver(given, sdk::planar_angle_zero(given.two, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<DriverEffort, ElementChannels, MeasuredStart, ReactionPoint, CoordinateZeros, Drawing>(
        id, this, this, this, &reaction_, &zeros_, &drawn_);
  }

 private:
  PlanarAngleDriver(const Parameters& given, const sdk::CountedFrom& from, const ModelInfo& model)
      : Driver(planar_angle, given.two.bodies[0], given.two.bodies[1], {0}, from.offset(), {given.motion, from.start}),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::hinge).at<PlanarBodyState>(given.two, given.at, model)) {}

  sdk::PlanarReaction reaction_{{0, 0}};
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::angle_driver

TRAMMEL_PLUGIN("angle_driver", "1.0.0", "BSD-3-Clause",
               component<trammel::angle_driver::SpatialAngleDriver>(
                   Host::spatial, "angle_driver", "The angle of the second body about an axis is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.5"),
               component<trammel::angle_driver::PlanarAngleDriver>(
                   Host::planar, "angle_driver", "The angle between two bodies is a function of time.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.5"));
