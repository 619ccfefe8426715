// Spatial revolute joint: common point and common axis, five rows.
#pragma once

#include "trammel/sdk/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::revolute {

/// Rows 0..2: P_j - P_i, m. Rows 3, 4: the second body's axis against f and g of the first, rad.
class SpatialRevolute final : public sdk::SpatialConstraint<sdk::PointRows, sdk::ParallelRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::AxisKeys axis;
    double initial_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"));

  SpatialRevolute(const Parameters& given, const ModelInfo& model)
      : SpatialRevolute(given, sdk::spatial_joint_geometry(given.two, given.point, given.axis, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates>(
        id, &angle_, &channels_, &reaction_, &coordinates_);
  }

 private:
  SpatialRevolute(const Parameters& given, const sdk::SpatialJointGeometry& geometry)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {geometry.points.s_i, geometry.points.s_j},
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j}),
        angle_(geometry.axes, given.initial_angle),
        channels_(&angle_, nullptr),
        coordinates_(given.two, &angle_, nullptr),
        reaction_(geometry.points.s_j) {}

  sdk::JointAngle angle_;
  sdk::JointChannels channels_;
  sdk::SpatialJointCoordinates coordinates_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::revolute
