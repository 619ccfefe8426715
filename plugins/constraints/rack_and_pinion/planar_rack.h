// Planar rack and pinion: one row.
#pragma once

#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::rack_and_pinion {

using sdk::Pose;
using sdk::Vec2;

/// Row 0: R angle - displacement, m; both zero in the initial configuration.
class PlanarRack final : public sdk::AutoConstraint<PlanarRack, PlanarBodyState, 2, 1> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints points;
    double axis[3];
    double axis_j[3];
    double radius;
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
      TRAMMEL_FIELD(Parameters, radius, "m", "Pitch radius of the pinion.").above(0));
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
    angle_ = i.phi - j.phi, displacement_ = -sdk::dot(t, d);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, Drawing>(id, &channels_, &reaction_,
                                                                                            &coordinates_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<PlanarBodyState, T>* b, T* out, const ElementState& s) const {
    T x[2];
    coordinates(b, x, s);
    out[0] = R_ * x[0] - x[1];
  }
  /// Angle of the pinion relative to the rack; displacement of the rack from the pinion's centre along its direction.
  template <class T>
  void coordinates(const Pose<PlanarBodyState, T>* b, T* out, const ElementState&) const {
    out[0] = b[0].phi - b[1].phi - angle_;
    out[1] = sdk::dot(b[1].direction(t_j_), b[1].point(s_j_) - b[0].point(s_i_)) - displacement_;
  }
  double initial_coordinate(Index) const { return 0; }

 private:
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
  double angle_ = 0, displacement_ = 0;
  sdk::AutoChannels<PlanarRack, PlanarBodyState, 2, 2> channels_;
  sdk::AutoCoordinates<PlanarRack, PlanarBodyState, 2, 0> coordinates_;
  PitchPoint reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::rack_and_pinion
