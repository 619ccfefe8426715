// Spatial revolute joint: common point and common axis, five rows.
#pragma once

#include "revolute_numbers.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::revolute {

/// Rows 0..2: P_j - P_i, m. Rows 3, 4: the second body's axis against f and g of the first, rad.
class SpatialRevolute final : public sdk::SpatialConstraint<sdk::PointRows, sdk::ParallelRows> {
 public:
  using Parameters = sdk::AxisJointKeys;
  static constexpr auto parameters = sdk::table<Parameters>(sdk::embedded(sdk::axis_joint_fields, 0));

  SpatialRevolute(const Parameters& given, const ModelInfo& model)
      : SpatialRevolute(given, sdk::spatial_joint_geometry(given, model), model) {}

  const void* extension(const char* id) const override {
    const void* found =
        sdk::offer_extensions<ConstraintParameterDerivatives, FreeDirections, MultiplierTwists, JointPlacement>(
            id, &numbers_, this, this, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  SpatialRevolute(const Parameters& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {geometry.points.s_i, geometry.points.s_j},
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j}),
        report_(given.two, geometry.points.s_j, sdk::joint_angle(given, geometry.axes, model), {},
                sdk::Drawn(Symbol::hinge).at(geometry.points).along(1, geometry.axes.h_j)),
        numbers_(given.two, given.point, given.axis, given.angle, model),
        placed_(sdk::Placed(JointTurn::third).at(geometry.points).axes(geometry.axes)) {}

  sdk::SpatialJointReport report_;
  SpatialNumbers numbers_;
  sdk::Placed placed_;
};

}  // namespace trammel::revolute
