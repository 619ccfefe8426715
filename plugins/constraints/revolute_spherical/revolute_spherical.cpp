// Plugin: revolute-spherical composite joint, a massless link with a hinge at one end and a ball joint at the other.
#include "trammel/sdk/elements/auto_coordinates.h"
#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/coupler_geometry.h"
#include "trammel/sdk/elements/guide_geometry.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::revolute_spherical {

using sdk::Pose;
using sdk::Vec3;

/// Row 0: P_j - P_i along the hinge's axis, m. Row 1: |P_j - P_i| - length, m.
class RevoluteSpherical final : public sdk::SpatialConstraint<sdk::DotDistanceRow, sdk::DistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints ends;
    sdk::GuideKeys guide;
    double length;
    double reference_i[3];
    double initial_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<sdk::zero_spatial>),
      TRAMMEL_EMBED(Parameters, guide, sdk::guide_fields),
      TRAMMEL_FIELD(Parameters, length, "m", "Length of the link; the initial distance of its ends if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, reference_i, "1",
                    "Direction fixed in the first body from which the link's angle counts about the hinge.")
          .direction()
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad",
                    "Value of .angle in the initial configuration, instead; 0 there if both are left out.")
          .optional());
  static constexpr const char* channel_names[] = {"angle", "rate"};
  static constexpr const char* channel_units[] = {"rad", "rad/s"};

  RevoluteSpherical(const Parameters& given, const ModelInfo& model)
      : RevoluteSpherical(given, sdk::coupler_link(given.two, given.ends, given.length, model), axis(given, model),
                          model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros,
                                 Drawing>(id, &angles_, &channels_, &reaction_, &coordinates_, &zeros_, &drawn_);
  }

  /// Counted angle of the link about the hinge: arg(d.F_i + i d.G_i), F_i the reference, or along the link at the start.
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    using std::atan2;
    const Vec3<T> d = b[1].point(points_.s_j) - b[0].point(points_.s_i);
    const T angle = atan2(sdk::dot(d, b[0].direction(g_i_)), sdk::dot(d, b[0].direction(f_i_)));
    out[0] = sdk::counted(angle + from_.value, s);
  }
  double initial_coordinate(Index) const { return from_.start; }

 private:
  RevoluteSpherical(const Parameters& given, const sdk::CouplerLink& link, const Vec3<>& h_i, const ModelInfo& model)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {h_i, link.points.s_i, link.points.s_j},
                        {link.points.s_i, link.points.s_j, link.length}),
        points_(link.points),
        f_i_(zero_direction(given, h_i, drawn_direction(h_i, link, sdk::spatial_state(model, given.two.bodies[0])))),
        g_i_(sdk::cross(h_i, f_i_)),
        from_(zero(given, drawn_direction(h_i, link, sdk::spatial_state(model, given.two.bodies[0])))),
        zeros_(from_),
        angles_(*this),
        channels_(*this),
        coordinates_(*this, given.two),
        reaction_(link.points.s_j),
        drawn_(sdk::Drawn(Symbol::rod).at(link.points)) {}

  static Vec3<> axis(const Parameters& given, const ModelInfo& model) {
    sdk::require_two_bodies(given.two);
    if (trammel::given(given.guide.axis)) {
      if (trammel::given(given.guide.axis_i)) {
        throw Error::parameter("axis", "give 'axis' (global) or 'axis_i' (fixed in the first body), not both");
      }
      return sdk::multiply_transposed(sdk::spatial_state(model, given.two.bodies[0]).A,
                                      sdk::unit_axis(sdk::vec3(given.guide.axis), "axis"));
    }
    if (!trammel::given(given.guide.axis_i)) {
      throw Error::parameter("axis", "needs 'axis' (global) or 'axis_i' (body-fixed)");
    }
    return sdk::unit_axis(sdk::vec3(given.guide.axis_i), "axis_i");
  }

  /// The link's direction across the axis at the start, in the first body. Along the axis there is none: refused.
  static Vec3<> drawn_direction(const Vec3<>& h_i, const sdk::CouplerLink& link, const SpatialBodyState& i) {
    const Vec3<> d = sdk::multiply_transposed(i.A, link.d);
    const Vec3<> across = d - dot(d, h_i) * h_i;
    if (!(norm(across) > 0.5 * norm(d))) {
      throw Error::parameter("axis",
                             "the hinge's axis must be perpendicular to the link, and is more than 60 degrees "
                             "from that in the initial configuration");
    }
    return (1 / norm(across)) * across;
  }

  /// The direction at zero, in the first body.
  static Vec3<> zero_direction(const Parameters& given, const Vec3<>& h_i, const Vec3<>& drawn) {
    if (!trammel::given(given.reference_i)) return drawn;
    if (trammel::given(given.initial_angle)) {
      throw Error::parameter("initial_angle", "'reference_i' defines the zero already: leave 'initial_angle' out");
    }
    return sdk::across_axis(sdk::vec3(given.reference_i), h_i, "reference_i");
  }
  sdk::CountedFrom zero(const Parameters& given, const Vec3<>& drawn) const {
    const double angle = std::atan2(sdk::dot(drawn, g_i_), sdk::dot(drawn, f_i_));
    return sdk::angle_zero(trammel::given(given.reference_i), angle, given.initial_angle, "angle");
  }

  sdk::SpatialPoints points_;
  Vec3<> f_i_, g_i_;
  sdk::CountedFrom from_;
  sdk::Zeros zeros_;
  sdk::AutoAngles<RevoluteSpherical, SpatialBodyState, 1, 1> angles_;
  sdk::AutoChannels<RevoluteSpherical, SpatialBodyState, 2, 1> channels_;
  sdk::AutoCoordinates<RevoluteSpherical, SpatialBodyState, 1, 1> coordinates_;
  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::revolute_spherical

TRAMMEL_PLUGIN("revolute_spherical", "1.0.0", "BSD-3-Clause",
               component<trammel::revolute_spherical::RevoluteSpherical>(
                   Host::spatial, "revolute_spherical",
                   "A massless link, hinged to the first body and on a ball joint of the second.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
