// Plugin: universal (Hooke's) joint.
#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/plugin.h"

namespace trammel::universal {

using sdk::Pose;
using sdk::Vec3;

/// Rows 0..2: P_j - P_i, m. Row 3: the axes of the cross stay perpendicular, rad.
class Universal final : public sdk::SpatialConstraint<sdk::PointRows, sdk::DotRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    sdk::CrossedAxisKeys axes;
    double reference_i[3];
    double reference_j[3];
    double initial_angle;
    double initial_second_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_EMBED(Parameters, axes, sdk::crossed_axis_fields),
      TRAMMEL_FIELD(Parameters, reference_i, "1",
                    "Direction fixed in the first body along which the second body's axis is where .angle is zero.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, reference_j, "1",
                    "Direction fixed in the second body that is along the first body's axis where .second_angle is "
                    "zero.")
          .direction()
          .on_body(1)
          .optional(),
      TRAMMEL_FIELD(
          Parameters, initial_angle, "rad",
          "Value of .angle in the initial configuration, instead of reference_i; 0 there if both are left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, initial_second_angle, "rad",
                    "Value of .second_angle in the initial configuration, instead of reference_j; 0 there if both are "
                    "left out.")
          .optional());

  static constexpr const char* channel_names[] = {"angle", "rate", "second_angle", "second_rate"};
  static constexpr const char* channel_units[] = {"rad", "rad/s", "rad", "rad/s"};

  Universal(const Parameters& given, const ModelInfo& model)
      : Universal(given, sdk::spatial_points(given.two, given.point, model), axes(given, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros,
                                 Drawing, FreeDirections, MultiplierTwists, JointPlacement>(
        id, &angles_, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_, this, this, &placed_);
  }

  /// angle: the cross relative to the first body about H_i; second_angle: the second body relative to the cross about
  /// H_j. The cross carries both axes, so that H_j seen from the first body gives the first angle, and H_i seen from
  /// the second body gives minus the second.
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = sdk::counted(sdk::relative_angle(b[0], b[1], first_) + from_[0].value, s, 0);
    out[1] = sdk::counted(from_[1].value - sdk::relative_angle(b[1], b[0], second_), s, 1);
  }
  double initial_coordinate(Index k) const { return from_[k].start; }

 private:
  Universal(const Parameters& given, const sdk::SpatialPoints& points, const sdk::CrossedAxes& axes,
            const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j}, {axes.h_i, axes.h_j}),
        first_(seen_from(axes.h_i, sdk::spatial_state(model, given.two.bodies[0]), axes.h_j,
                         sdk::spatial_state(model, given.two.bodies[1]))),
        second_(seen_from(axes.h_j, sdk::spatial_state(model, given.two.bodies[1]), axes.h_i,
                          sdk::spatial_state(model, given.two.bodies[0]))),
        from_{zero(given.reference_i, given.initial_angle, "reference_i", axes.h_i, 1, first_),
              zero(given.reference_j, given.initial_second_angle, "reference_j", axes.h_j, -1, second_)},
        angles_(*this),
        channels_(*this),
        coordinates_(*this, given.two),
        reaction_(points.s_j),
        drawn_(sdk::Drawn(Symbol::hinge).at(points).along(0, axes.h_i).along(1, axes.h_j)),
        placed_(sdk::Placed(JointTurn::first_then).at(points)) {
    const sdk::Vec3<> g_i = sdk::perpendicular(axes.h_i), f_j = sdk::perpendicular(axes.h_j);
    placed_.axes(0, axes.h_i, g_i, sdk::cross(axes.h_i, g_i)).axes(1, f_j, axes.h_j, sdk::cross(f_j, axes.h_j));
    for (const sdk::CountedFrom& from : from_) zeros_.add(from.origin);
  }

  /// Where the angle counts from that has `sign` times the one of `seen`, which begins in the drawing and is turned to
  /// begin at the reference, if that is given.
  static sdk::CountedFrom zero(const double* reference, double initial, const char* key, const Vec3<>& h, double sign,
                               sdk::SpatialAngle& seen) {
    const char* coordinate = sign > 0 ? "angle" : "second_angle";
    if (!trammel::given(reference)) {
      if (sdk::norm(seen.f_i) == 0) {
        throw Error::parameter(
            "axis_j",
            std::string("the two axes of the cross are more than 30 degrees from perpendicular in the drawing, "
                        "from which '.") +
                coordinate + "' counts: draw them nearer, or give '" + key + "'");
      }
      return sdk::angle_zero(false, 0, initial, coordinate);
    }
    if (trammel::given(initial)) {
      throw Error::parameter(sign > 0 ? "initial_angle" : "initial_second_angle",
                             std::string("'") + key + "' defines the zero already: leave one of both out");
    }
    const Vec3<> f = sdk::across_axis(sdk::vec3(reference), h, key), g = sdk::cross(h, f);
    const double drawn = sign * std::atan2(sdk::dot(seen.f_i, g), sdk::dot(seen.f_i, f));
    seen.f_i = f, seen.g_i = g;
    return sdk::angle_zero(true, drawn, initial, coordinate);
  }

  /// The direction `other` of body b about the axis h of body a, from where it is at the start. Where the two are far
  /// from perpendicular there is none to count from: zero vectors.
  static sdk::SpatialAngle seen_from(const Vec3<>& h, const SpatialBodyState& a, const Vec3<>& other,
                                     const SpatialBodyState& b) {
    const Vec3<> u = sdk::multiply_transposed(a.A, sdk::multiply(b.A, other));
    if (std::abs(sdk::dot(u, h)) > far_from_perpendicular) return {Vec3<>{}, Vec3<>{}, other};
    const Vec3<> f = u - sdk::dot(u, h) * h;  // |f| > 0.8
    const Vec3<> unit = (1 / sdk::norm(f)) * f;
    return {unit, sdk::cross(h, unit), other};
  }

  static sdk::CrossedAxes axes(const Parameters& given, const ModelInfo& model) {
    sdk::require_one_form(given.point, given.axes);
    const sdk::CrossedAxes axes = sdk::crossed_axes(given.two, given.axes, model);
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    // Anything near a right angle is left to the assembly of the initial configuration, and so is any angle of axes that
    // are fixed in their bodies.
    if (trammel::given(given.axes.axis) &&
        std::abs(sdk::dot(sdk::multiply(i.A, axes.h_i), sdk::multiply(j.A, axes.h_j))) > far_from_perpendicular) {
      throw Error::parameter("second_axis",
                             "the two axes of the cross must be perpendicular, and are more than 30 degrees from it");
    }
    return axes;
  }

  static constexpr double far_from_perpendicular = 0.5;  // cosine
  sdk::SpatialAngle first_, second_;
  sdk::CountedFrom from_[2];
  sdk::Zeros zeros_;
  sdk::AutoAngles<Universal, SpatialBodyState, 2, 2> angles_;
  sdk::AutoChannels<Universal, SpatialBodyState, 2, 2> channels_;
  sdk::AutoCoordinates<Universal, SpatialBodyState, 2, 2> coordinates_;
  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

}  // namespace trammel::universal

TRAMMEL_PLUGIN("universal", "1.0.0", "BSD-3-Clause",
               component<trammel::universal::Universal>(
                   Host::spatial, "universal",
                   "Common point, and an axis of each body perpendicular to the other's: two rotations are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
