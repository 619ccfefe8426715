// Planar revolute joint: common point, two rows.
#pragma once

#include "revolute_numbers.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::revolute {

/// Rows 0, 1: P_j - P_i, m.
class PlanarRevolute final : public sdk::PlanarConstraint<sdk::PlanarPointRows> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                            TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
                                                            TRAMMEL_EMBED(Parameters, angle, sdk::planar_angle_fields));

  PlanarRevolute(const Parameters& given, const ModelInfo& model)
      : PlanarRevolute(given, sdk::planar_points(given.two, given.point, model),
                       sdk::planar_angle_zero(given.two, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing,
                                 ConstraintParameterDerivatives, FreeDirections, MultiplierTwists, JointPlacement>(
        id, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_, &numbers_, this, this, &placed_);
  }

 private:
  PlanarRevolute(const Parameters& given, const sdk::PlanarPoints& points, const sdk::CountedFrom& from,
                 const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j}),
        channels_(from.offset()),
        coordinates_(given.two, from.offset()),
        zeros_(from),
        reaction_(points.s_j),
        drawn_(sdk::Drawn(Symbol::hinge).at(points)),
        numbers_(given.two, given.point, model),
        placed_(sdk::Placed(JointTurn::third).at(points)) {}

  sdk::PlanarAngleChannels channels_;
  sdk::PlanarJointCoordinates<sdk::PlanarAngleCoordinate> coordinates_;
  sdk::Zeros zeros_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
  PlanarNumbers numbers_;
  sdk::Placed placed_;
};

}  // namespace trammel::revolute
