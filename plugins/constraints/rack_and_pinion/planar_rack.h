// Planar rack and pinion: one row.
#pragma once

#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::rack_and_pinion {

using sdk::Pose;
using sdk::Vec2;

/// The angle is that of the first body, the pinion, relative to the second.
constexpr auto pinion_angle_fields = sdk::group(
    TRAMMEL_FIELD(sdk::AngleKeys, reference_i, "1",
                  "Direction fixed in the pinion whose angle from reference_j counts; its x axis if left out.")
        .direction()
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(sdk::AngleKeys, reference_j, "1", "Direction fixed in the rack; its x axis if left out.")
        .direction()
        .on_body(1)
        .optional(),
    TRAMMEL_FIELD(sdk::AngleKeys, initial_angle, "rad", "Value of .angle in the initial configuration, instead.")
        .optional());

/// Row 0: R angle - displacement, less its value in the initial configuration, m.
class PlanarRack final : public sdk::AutoConstraint<PlanarRack, PlanarBodyState, 2, 1> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints points;
    double axis[3];
    double axis_j[3];
    double radius;
    sdk::AngleKeys angle;
    sdk::DisplacementKeys slide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, points, sdk::end_point_fields<sdk::zero_planar>),
      TRAMMEL_FIELD(Parameters, axis, "1", "Direction of the rack, global, in the initial configuration.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_j, "1", "Direction of the rack in the second body; instead of axis.")
          .direction()
          .on_body(1)
          .optional(),
      TRAMMEL_FIELD(Parameters, radius, "m", "Pitch radius of the pinion.").above(0),
      TRAMMEL_EMBED(Parameters, angle, pinion_angle_fields),
      TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));
  static constexpr const char* channel_names[] = {"angle", "rate", "displacement", "speed"};
  static constexpr const char* channel_units[] = {"rad", "rad/s", "m", "m/s"};

  PlanarRack(const Parameters& given, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        s_i_(sdk::vec2(given.points.point_i)),
        s_j_(sdk::vec2(given.points.point_j)),
        channels_(*this),
        coordinates_(*this, given.two),
        reaction_(*this),
        drawn_(sdk::Drawn(Symbol::point).at(0, s_i_).at(1, s_j_)) {
    sdk::require_two_bodies(given.two);
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const PlanarBodyState& j = sdk::planar_state(model, given.two.bodies[1]);
    if (trammel::given(given.axis) == trammel::given(given.axis_j)) {
      throw Error::parameter("axis", "needs 'axis' (global) or 'axis_j' (fixed in the rack), not both");
    }
    t_j_ = trammel::given(given.axis) ? sdk::rotate_back(j, sdk::unit_axis(sdk::vec2(given.axis), "axis"))
                                      : sdk::unit_axis(sdk::vec2(given.axis_j), "axis_j");
    const Vec2<> t = sdk::rotate(j, t_j_);
    const Vec2<> d = sdk::position(i) + sdk::rotate(i, s_i_) - sdk::position(j) - sdk::rotate(j, s_j_);
    const double side = sdk::dot(sdk::perp(t), d);
    if (!(std::abs(side) > 1e-6 * given.radius)) {
      throw Error::parameter("point_j",
                             "the pinion's centre lies on the rack's line: point_j must be on the pitch line, "
                             "a radius away from the centre");
    }
    R_ = side > 0 ? given.radius : -given.radius;
    const sdk::CountedFrom angle = angle_zero(given, i.phi - j.phi, model),
                           slide =
                               sdk::displacement_zero(-sdk::dot(t, d), true, given.slide.initial_displacement, model);
    angle_ = angle.base, angle_value_ = angle.value, displacement_ = slide.base, displacement_value_ = slide.value;
    start_ = R_ * angle.start - slide.start;
    zeros_.add(angle.origin), zeros_.add(slide.origin);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing>(
        id, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<PlanarBodyState, T>* b, T* out, const ElementState& s) const {
    T x[2];
    coordinates(b, x, s);
    out[0] = R_ * x[0] - x[1] - start_;
  }
  /// Angle of the pinion relative to the rack; displacement of the rack from the pinion's centre along its direction.
  template <class T>
  void coordinates(const Pose<PlanarBodyState, T>* b, T* out, const ElementState&) const {
    out[0] = b[0].phi - b[1].phi - angle_ + angle_value_;
    out[1] = sdk::dot(b[1].direction(t_j_), b[1].point(s_j_) - b[0].point(s_i_)) - displacement_ + displacement_value_;
  }
  double initial_coordinate(Index) const { return 0; }

 private:
  /// Of the pinion's angle relative to the rack, which is minus that of the second body relative to the first.
  static sdk::CountedFrom angle_zero(const Parameters& given, double drawn, const ModelInfo& model) {
    const double initial = given.angle.initial_angle;
    sdk::CountedFrom from;
    if (sdk::planar_references(given.angle.reference_j, given.angle.reference_i, drawn, initial, from)) return from;
    if (!trammel::given(initial) && sdk::markers_define_zero(model))
      return {0, 0, drawn, {"angle", CoordinateZero::bodies, drawn, drawn}};
    const double value = trammel::given(initial) ? initial : 0;
    const CoordinateZero zero = trammel::given(initial) ? CoordinateZero::given : CoordinateZero::drawing;
    return {drawn, value, value, {"angle", zero, value, drawn}};
  }

  /// Where the teeth meet: a radius from the pinion's centre towards the rack.
  class PitchPoint final : public ReactionPoint {
   public:
    explicit PitchPoint(const PlanarRack& rack) : rack_(rack) {}
    Index reaction_body() const override { return 1; }
    void reaction_point(const ElementState& s, double* point) const override {
      const PlanarBodyState &i = s.body<PlanarBodyState>(0), &j = s.body<PlanarBodyState>(1);
      const Vec2<> n = sdk::perp(sdk::rotate(j, rack_.t_j_));
      sdk::store(sdk::position(i) + sdk::rotate(i, rack_.s_i_) - rack_.R_ * n, point);
      point[2] = 0;
    }

   private:
    const PlanarRack& rack_;
  };

  Vec2<> s_i_, s_j_, t_j_{};
  double R_ = 0;  ///< m, negative if the pinion is on the right of the rack's direction
  double angle_ = 0, angle_value_ = 0, displacement_ = 0, displacement_value_ = 0;
  double start_ = 0;  ///< m, of R angle - displacement
  sdk::Zeros zeros_;
  sdk::AutoChannels<PlanarRack, PlanarBodyState, 2, 2> channels_;
  sdk::AutoCoordinates<PlanarRack, PlanarBodyState, 2, 0> coordinates_;
  PitchPoint reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::rack_and_pinion
