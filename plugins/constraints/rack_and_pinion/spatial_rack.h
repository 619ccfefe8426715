// Spatial rack and pinion: one row, the pinion's angle counting turns.
#pragma once

#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/joint_coordinates.h"

namespace trammel::rack_and_pinion {

using sdk::Pose;
using sdk::Vec3;

/// Row 0: R angle - displacement, m; both zero in the initial configuration.
class SpatialRack final : public sdk::AutoConstraint<SpatialRack, SpatialBodyState, 2, 1> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints points;
    sdk::CrossedAxisKeys axes;
    double radius;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                             TRAMMEL_EMBED(Parameters, points, sdk::end_point_fields<sdk::zero_spatial>),
                             TRAMMEL_EMBED(Parameters, axes, sdk::crossed_axis_fields),
                             TRAMMEL_FIELD(Parameters, radius, "m", "Pitch radius of the pinion.").above(0));
  static constexpr const char* channel_names[] = {"angle", "rate", "displacement", "speed"};
  static constexpr const char* channel_units[] = {"rad", "rad/s", "m", "m/s"};

  SpatialRack(const Parameters& given, const ModelInfo& model)
      : SpatialRack(given, sdk::crossed_axes(given.two, given.axes, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, Drawing>(
        id, &angle_, &channels_, &reaction_, &coordinates_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    T x[2];
    coordinates(b, x, s);
    out[0] = R_ * x[0] - x[1];
  }
  /// Angle of the pinion relative to the rack; displacement of the rack from the pinion's centre along its direction.
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = sdk::counted(sdk::relative_angle(b[0], b[1], angle_.definition()), s);
    out[1] = sdk::dot(b[1].direction(t_j_), b[1].point(s_j_) - b[0].point(s_i_)) - displacement_;
  }
  double initial_coordinate(Index) const { return 0; }

 private:
  SpatialRack(const Parameters& given, const sdk::CrossedAxes& axes, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        s_i_(sdk::vec3(given.points.point_i)),
        s_j_(sdk::vec3(given.points.point_j)),
        t_j_(axes.h_j),
        angle_(frames(axes, sdk::spatial_state(model, given.two.bodies[0]),
                      sdk::spatial_state(model, given.two.bodies[1]), given),
               0),
        channels_(*this),
        coordinates_(*this, given.two),
        reaction_(*this),
        drawn_(sdk::Drawn(Symbol::point).at(0, s_i_).at(1, s_j_)) {
    const SpatialBodyState& i = sdk::spatial_state(model, given.two.bodies[0]);
    const SpatialBodyState& j = sdk::spatial_state(model, given.two.bodies[1]);
    const Vec3<> t = sdk::multiply(j.A, t_j_), h = sdk::multiply(i.A, axes.h_i);
    const Vec3<> d = sdk::position(i) + sdk::multiply(i.A, s_i_) - sdk::position(j) - sdk::multiply(j.A, s_j_);
    const Vec3<> n = sdk::cross(h, t);
    const double side = sdk::dot(n, d);
    if (!(std::abs(side) > 1e-6 * given.radius)) {
      throw Error::parameter("point_j",
                             "the pinion's centre lies on the rack's line: point_j must be on the pitch line, "
                             "a radius away from the centre");
    }
    R_ = side > 0 ? given.radius : -given.radius;
    displacement_ = -sdk::dot(t, d);
    n_j_ = (1 / sdk::norm(n)) * sdk::multiply_transposed(j.A, n);
  }

  /// Angle frames with f along the rack at the start in both bodies, about minus the pinion's axis: the rack relative
  /// to the pinion turns about it as the pinion relative to the rack does about its axis.
  static sdk::SpatialAxes frames(const sdk::CrossedAxes& axes, const SpatialBodyState& i, const SpatialBodyState& j,
                                 const Parameters& given) {
    const Vec3<> h = sdk::multiply(i.A, axes.h_i), t = sdk::multiply(j.A, axes.h_j);
    if (std::abs(sdk::dot(h, t)) > 0.5) {
      throw Error::parameter(
          trammel::given(given.axes.axis) ? "second_axis" : "axis_j",
          "the rack must be perpendicular to the pinion's axis, and is more than 30 degrees from it");
    }
    const Vec3<> across = t - sdk::dot(t, h) * h, f = (1 / sdk::norm(across)) * across, g = sdk::cross(f, h);
    return {sdk::multiply_transposed(i.A, f), sdk::multiply_transposed(i.A, g), -axes.h_i,
            sdk::multiply_transposed(j.A, f), sdk::multiply_transposed(j.A, g), sdk::multiply_transposed(j.A, -h)};
  }

  /// Where the teeth meet: a radius from the pinion's centre towards the rack.
  class PitchPoint final : public ReactionPoint {
   public:
    explicit PitchPoint(const SpatialRack& rack) : rack_(rack) {}
    Index reaction_body() const override { return 1; }
    void reaction_point(const ElementState& s, double* point) const override {
      const SpatialBodyState &i = s.body<SpatialBodyState>(0), &j = s.body<SpatialBodyState>(1);
      sdk::store(sdk::position(i) + sdk::multiply(i.A, rack_.s_i_) - rack_.R_ * sdk::multiply(j.A, rack_.n_j_), point);
    }

   private:
    const SpatialRack& rack_;
  };

  Vec3<> s_i_, s_j_, t_j_, n_j_{};
  double R_ = 0;  ///< m, negative if the pinion is on the other side of the rack than axis x rack
  double displacement_ = 0;
  sdk::JointAngle angle_;  ///< of the pinion relative to the rack
  sdk::AutoChannels<SpatialRack, SpatialBodyState, 2, 2> channels_;
  sdk::AutoCoordinates<SpatialRack, SpatialBodyState, 2, 1> coordinates_;
  PitchPoint reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::rack_and_pinion
