// Spatial rack and pinion: one row, the pinion's angle counting turns.
#pragma once

#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/joint_coordinates.h"

namespace trammel::rack_and_pinion {

using sdk::Pose;
using sdk::Vec3;

/// Row 0: R angle - displacement, less its value in the initial configuration, m.
class SpatialRack final : public sdk::AutoConstraint<SpatialRack, SpatialBodyState, 2, 1> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints points;
    sdk::CrossedAxisKeys axes;
    double radius;
    sdk::AngleKeys angle;
    sdk::DisplacementKeys slide;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, points, sdk::end_point_fields<sdk::zero_spatial>),
      TRAMMEL_EMBED(Parameters, axes, sdk::crossed_axis_fields),
      TRAMMEL_FIELD(Parameters, radius, "m", "Pitch radius of the pinion.").above(0),
      TRAMMEL_EMBED(Parameters, angle, sdk::angle_fields), TRAMMEL_EMBED(Parameters, slide, sdk::displacement_fields));
  static constexpr const char* channel_names[] = {"angle", "rate", "displacement", "speed"};
  static constexpr const char* channel_units[] = {"rad", "rad/s", "m", "m/s"};

  SpatialRack(const Parameters& given, const ModelInfo& model)
      : SpatialRack(given, sdk::crossed_axes(given.two, given.axes, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros,
                                 Drawing>(id, &angle_, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    T x[2];
    coordinates(b, x, s);
    out[0] = R_ * x[0] - x[1] - start_;
  }
  /// Angle of the pinion relative to the rack; displacement of the rack from the pinion's centre along its direction.
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = sdk::counted(sdk::relative_angle(b[0], b[1], angle_.definition()) + angle_.value(), s);
    out[1] = sdk::dot(b[1].direction(t_j_), b[1].point(s_j_) - b[0].point(s_i_)) - displacement_ + displacement_value_;
  }
  double initial_coordinate(Index) const { return angle_.start(); }

 private:
  SpatialRack(const Parameters& given, const sdk::CrossedAxes& axes, const ModelInfo& model)
      : SpatialRack(given, axes,
                    frames(axes, sdk::spatial_state(model, given.two.bodies[0]),
                           sdk::spatial_state(model, given.two.bodies[1]), given),
                    model) {}
  SpatialRack(const Parameters& given, const sdk::CrossedAxes& axes, const sdk::SpatialAxes& turning,
              const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        s_i_(sdk::vec3(given.points.point_i)),
        s_j_(sdk::vec3(given.points.point_j)),
        t_j_(axes.h_j),
        angle_(turning, sdk::angle_zero(given.two, turning, given.angle, model)),
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
    const sdk::CountedFrom slide =
        sdk::displacement_zero(-sdk::dot(t, d), true, given.slide.initial_displacement, model);
    displacement_ = slide.base, displacement_value_ = slide.value;
    start_ = R_ * angle_.start() - slide.start;
    zeros_.add(angle_.origin()), zeros_.add(slide.origin);
    n_j_ = (1 / sdk::norm(n)) * sdk::multiply_transposed(j.A, n);
  }

  /// Angle frames with f along the references, or along the rack at the start, in both bodies, about minus the
  /// pinion's axis: the rack relative to the pinion turns about it as the pinion relative to the rack does about
  /// its axis.
  static sdk::SpatialAxes frames(const sdk::CrossedAxes& axes, const SpatialBodyState& i, const SpatialBodyState& j,
                                 const Parameters& given) {
    const Vec3<> h = sdk::multiply(i.A, axes.h_i), t = sdk::multiply(j.A, axes.h_j);
    if (std::abs(sdk::dot(h, t)) > 0.5) {
      throw Error::parameter(
          trammel::given(given.axes.axis) ? "second_axis" : "axis_j",
          "the rack must be perpendicular to the pinion's axis, and is more than 30 degrees from it");
    }
    const Vec3<> across = t - sdk::dot(t, h) * h, f = (1 / sdk::norm(across)) * across, g = sdk::cross(f, h);
    const Vec3<> h_i = -axes.h_i, h_j = sdk::multiply_transposed(j.A, -h);
    if (sdk::references_given(given.angle.reference_i, given.angle.reference_j, given.angle.initial_angle,
                              "initial_angle")) {
      const Vec3<> f_i = sdk::across_axis(sdk::vec3(given.angle.reference_i), h_i, "reference_i"),
                   f_j = sdk::across_axis(sdk::vec3(given.angle.reference_j), h_j, "reference_j");
      return {f_i, sdk::cross(h_i, f_i), h_i, f_j, sdk::cross(h_j, f_j), h_j};
    }
    return {sdk::multiply_transposed(i.A, f), sdk::multiply_transposed(i.A, g), h_i,
            sdk::multiply_transposed(j.A, f), sdk::multiply_transposed(j.A, g), h_j};
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
  double displacement_ = 0, displacement_value_ = 0;
  double start_ = 0;       ///< m, of R angle - displacement
  sdk::JointAngle angle_;  ///< of the pinion relative to the rack
  sdk::Zeros zeros_;
  sdk::AutoChannels<SpatialRack, SpatialBodyState, 2, 2> channels_;
  sdk::AutoCoordinates<SpatialRack, SpatialBodyState, 2, 1> coordinates_;
  PitchPoint reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::rack_and_pinion
