// Plugin: spatial gear pair on a fixed or moving carrier.
#include "trammel/sdk/elements/auto_channels.h"
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::gear_pair {

using sdk::Pose;
using sdk::Vec3;

/// Angles of the two gears relative to the carrier, counting turns; bodies: first gear, second gear, carrier.
class GearAngles final : public CountedAngles {
 public:
  GearAngles(const sdk::SpatialAxes& first, const sdk::SpatialAxes& second) : gears_{{first, 0}, {second, 0}} {}

  Index angle_count() const override { return 2; }
  void initial_angles(VectorView angle) const override { angle[0] = angle[1] = 0; }
  void angles(const ElementState& s, VectorView angle) const override {
    for (Index k = 0; k < 2; ++k) {
      const void* pair[2] = {s.bodies[2], s.bodies[k]};
      ElementState local = s;
      local.bodies = pair, local.angle_references = s.angle_references != nullptr ? s.angle_references + k : nullptr;
      angle[k] = gears_[k].value(local);
    }
  }
  template <class T>
  T angle(const Pose<SpatialBodyState, T>* b, Index k, const ElementState& s) const {
    return sdk::counted(sdk::relative_angle(b[2], b[k], gears_[k].definition()), s, k);
  }
  const sdk::JointAngle& gear(Index k) const { return gears_[k]; }

 private:
  sdk::JointAngle gears_[2];
};

/// Both angles as rows over the carrier and a gear.
class GearCoordinates final : public JointCoordinates {
 public:
  GearCoordinates(const BodyRef (&first)[2], const BodyRef (&second)[2], const GearAngles& angles)
      : rows_{{{{first, 2}}, angles.gear(0)}, {{{second, 2}}, angles.gear(1)}} {}

  Index coordinate_count() const override { return 2; }
  const char* coordinate_name(Index i) const override { return i == 0 ? "angle" : "second_angle"; }
  const Constraint& coordinate(Index i) const override { return rows_[i]; }

 private:
  sdk::SpatialAngleCoordinate rows_[2];
};

/// Row 0: second angle - ratio * first angle, rad.
class GearPair final : public sdk::AutoConstraint<GearPair, SpatialBodyState, 3, 1> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    BodyRef carrier;
    double axis[3];
    double second_axis[3];
    double axis_i[3];
    double axis_j[3];
    double ratio;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, carrier, "1", "Body in which the axes of both gears are fixed.")
          .otherwise("\"ground\""),
      TRAMMEL_FIELD(Parameters, axis, "1", "Axis of the first gear, global, in the initial configuration.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, second_axis, "1", "Axis of the second gear, global; that of the first if left out.")
          .direction()
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Axis in the first gear; with axis_j instead of the two above.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, axis_j, "1", "Axis in the second gear.").direction().on_body(1).optional(),
      TRAMMEL_FIELD(Parameters, ratio, "1",
                    "Angle of the second gear by that of the first, relative to the carrier; negative if they turn "
                    "against each other about their axes."));
  static constexpr const char* channel_names[] = {"angle", "rate", "second_angle", "second_rate"};
  static constexpr const char* channel_units[] = {"rad", "rad/s", "rad", "rad/s"};

  GearPair(const Parameters& given, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1], carrier(given)),
        ratio_(given.ratio),
        angles_(axes(given, model, 0), axes(given, model, 1)),
        channels_(*this),
        coordinates_({given.carrier, given.two.bodies[0]}, {given.carrier, given.two.bodies[1]}, angles_),
        reaction_({0, 0, 0}) {
    if (given.ratio == 0) throw Error::parameter("ratio", "the ratio of a gear pair may not be zero");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, Drawing>(
        id, &angles_, &channels_, &reaction_, &coordinates_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = angles_.angle(b, 1, s) - ratio_ * angles_.angle(b, 0, s);
  }
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = angles_.angle(b, 0, s), out[1] = angles_.angle(b, 1, s);
  }

 private:
  static BodyRef carrier(const Parameters& given) {
    sdk::require_two_bodies(given.two);
    for (Index k = 0; k < 2; ++k) {
      if (given.two.bodies[k].index == given.carrier.index) {
        throw Error::parameter("carrier", "the carrier must be another body than the two gears");
      }
    }
    return given.carrier;
  }

  /// Frames of carrier and gear k about the gear's axis, which is fixed in both.
  static sdk::SpatialAxes axes(const Parameters& p, const ModelInfo& model, Index k) {
    const bool local = given(p.axis_i) || given(p.axis_j);
    if (local == (given(p.axis) || given(p.second_axis))) {
      throw Error::parameter("axis", "needs 'axis' and perhaps 'second_axis' (global), or 'axis_i' and 'axis_j'");
    }
    if (local && !given(p.axis_i)) throw Error::parameter("axis_i", "is missing beside 'axis_j'");
    if (local && !given(p.axis_j)) throw Error::parameter("axis_j", "is missing beside 'axis_i'");
    if (!local && !given(p.axis)) throw Error::parameter("axis", "is missing beside 'second_axis'");
    const bool second = k == 1 && given(p.second_axis);
    Vec3<> h = sdk::unit_axis(sdk::vec3(local    ? (k == 0 ? p.axis_i : p.axis_j)
                                        : second ? p.second_axis
                                                 : p.axis),
                              local    ? (k == 0 ? "axis_i" : "axis_j")
                              : second ? "second_axis"
                                       : "axis");
    const BodyRef pair[2] = {p.carrier, p.two.bodies[k]};
    if (local) h = sdk::multiply(sdk::spatial_state(model, pair[1]).A, h);
    const double none = left_out();
    return sdk::spatial_axes({{pair, 2}}, {{h.x, h.y, h.z}, {none, none, none}, {none, none, none}}, model);
  }

  double ratio_;
  GearAngles angles_;
  sdk::AutoChannels<GearPair, SpatialBodyState, 3, 2> channels_;
  GearCoordinates coordinates_;
  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_{Symbol::nothing};  // it has no place
};

}  // namespace trammel::gear_pair

TRAMMEL_PLUGIN("gear_pair", "1.0.0", "BSD-3-Clause",
               component<trammel::gear_pair::GearPair>(
                   Host::spatial, "gear_pair", "Two gears on a fixed or moving carrier, their angles in a fixed ratio.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"));
