// Plugin: translational joints, spatial and planar.
#include <algorithm>

#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::translational {

struct Keys {
  sdk::TwoBodies two;
  sdk::PointKeys point;
  sdk::AxisKeys axis;
  sdk::DisplacementKeys slide;
};
constexpr auto key_fields =
    sdk::group(TRAMMEL_EMBED(Keys, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Keys, point, sdk::point_fields),
               TRAMMEL_EMBED(Keys, axis, sdk::axis_fields), TRAMMEL_EMBED(Keys, slide, sdk::displacement_fields));

/// Rows 0, 1: the second body's axis against f and g of the first, rad. Rows 2, 3: P_j - P_i against f and g, m.
/// Row 4: f of the first body against g of the second, rad: no rotation about the axis, from the references or the
/// initial configuration.
class SpatialTranslational final : public sdk::SpatialConstraint<sdk::ParallelRows, sdk::LineRows, sdk::DotRow> {
 public:
  struct Parameters {
    Keys keys;
    double reference_i[3];
    double reference_j[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, keys, key_fields),
      TRAMMEL_FIELD(Parameters, reference_i, "1",
                    "Direction fixed in the first body that stays along reference_j, seen along the axis; both as in "
                    "the initial configuration if left out.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, reference_j, "1", "Direction fixed in the second body; with reference_i.")
          .direction()
          .on_body(1)
          .optional());

  SpatialTranslational(const Parameters& given, const ModelInfo& model)
      : SpatialTranslational(given.keys, geometry(given, model), model) {}

  const void* extension(const char* id) const override {
    const void* found =
        sdk::offer_extensions<FreeDirections, MultiplierTwists, JointPlacement>(id, this, this, &placed_);
    return found != nullptr ? found : report_.extension(id);
  }

 private:
  static sdk::SpatialJointGeometry geometry(const Parameters& given, const ModelInfo& model) {
    sdk::AngleKeys about{{}, {}, left_out()};
    std::copy(given.reference_i, given.reference_i + 3, about.reference_i);
    std::copy(given.reference_j, given.reference_j + 3, about.reference_j);
    return sdk::spatial_joint_geometry({given.keys.two, given.keys.point, given.keys.axis, about}, model);
  }

  SpatialTranslational(const Keys& given, const sdk::SpatialJointGeometry& geometry, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.axes.h_j},
                        {geometry.axes.f_i, geometry.axes.g_i, geometry.points.s_i, geometry.points.s_j},
                        {geometry.axes.f_i, geometry.axes.g_j}),
        report_(given.two, geometry.points.s_j, {},
                sdk::JointDisplacement(given.two, geometry.axes.h_i, geometry.points, given.point,
                                       given.slide.initial_displacement, model),
                sdk::Drawn(Symbol::slider).at(geometry.points).along(1, geometry.axes.h_j)),
        placed_(sdk::Placed(JointTurn::none).at(geometry.points).axes(geometry.axes).slides(2)) {}

  sdk::SpatialJointReport report_;
  sdk::Placed placed_;
};

/// Row 0: P_j - P_i against the normal of the axis, m. Row 1: phi_j - phi_i, rad.
class PlanarTranslational final : public sdk::PlanarConstraint<sdk::PlanarLineRow, sdk::PlanarAngleRow> {
 public:
  using Parameters = Keys;
  static constexpr auto parameters = sdk::table<Parameters>(sdk::embedded(key_fields, 0));

  PlanarTranslational(const Parameters& given, const ModelInfo& model)
      : PlanarTranslational(given, sdk::planar_guide(given.two, given.point, given.axis, true, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing,
                                 FreeDirections, JointPlacement>(id, &channels_, &reaction_, &coordinates_, &zeros_,
                                                                 &drawn_, this, &placed_);
  }

 private:
  PlanarTranslational(const Parameters& given, const sdk::PlanarGuide& guide, const ModelInfo& model)
      : PlanarTranslational(given, guide, sdk::displacement_zero(guide, given.point, given.slide, model)) {}
  PlanarTranslational(const Parameters& given, const sdk::PlanarGuide& guide, const sdk::CountedFrom& from)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1],
                        {sdk::perp(guide.u_i), guide.points.s_i, guide.points.s_j}, {guide.angle}),
        channels_(guide.u_i, guide.points, from.offset()),
        coordinates_(given.two, guide.u_i, guide.points, from.offset()),
        zeros_(from),
        reaction_(guide.points.s_j),
        drawn_(sdk::Drawn(Symbol::slider).at(guide.points).along(0, guide.u_i)),
        placed_(
            sdk::Placed(JointTurn::none).at(guide.points).axes(0, guide.u_i).axes(1, turned_back(guide)).slides(0)) {}

  /// The line's direction in the second body.
  static sdk::Vec2<> turned_back(const sdk::PlanarGuide& guide) {
    const double c = std::cos(guide.angle), s = std::sin(guide.angle);
    return {c * guide.u_i.x + s * guide.u_i.y, c * guide.u_i.y - s * guide.u_i.x};
  }

  sdk::PlanarDisplacementChannels channels_;
  sdk::PlanarJointCoordinates<sdk::PlanarDisplacementCoordinate> coordinates_;
  sdk::Zeros zeros_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

}  // namespace trammel::translational

TRAMMEL_PLUGIN("translational", "1.0.0", "BSD-3-Clause",
               component<trammel::translational::SpatialTranslational>(
                   Host::spatial, "translational", "Displacement along a common axis is left, no rotation.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"),
               component<trammel::translational::PlanarTranslational>(
                   Host::planar, "translational", "Displacement along a common axis is left, no rotation.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.3"));
