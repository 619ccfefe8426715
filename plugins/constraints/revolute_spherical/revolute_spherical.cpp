// Plugin: revolute-spherical composite joint, a massless link with a hinge at one end and a ball joint at the other.
#include "trammel/sdk/coupler_geometry.h"
#include "trammel/sdk/guide_geometry.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/spatial_joint.h"

namespace trammel::revolute_spherical {

using sdk::Vec3;

/// Counted angle of the link about the hinge: arg(d.F_i + i d.G_i), F_i along the link at the start.
class LinkAngle final : public CountedAngles {
 public:
  LinkAngle(const sdk::SpatialPoints& points, const Vec3<>& f_i, const Vec3<>& g_i, double initial_angle)
      : points_(points), f_i_(f_i), g_i_(g_i), initial_angle_(initial_angle) {}

  Index count() const override { return 1; }
  void initial(VectorView angle) const override { angle[0] = initial_angle_; }
  void angles(const ElementState& s, VectorView angle) const override {
    double rate;
    values(s, angle[0], rate);
  }

  void values(const ElementState& s, double& angle, double& rate) const {
    const sdk::SpatialPair b(s);
    const sdk::MovingDistance<true> D(b, points_.s_i, points_.s_j);
    const sdk::MovingVector<true> F(b.i, b.p_i, b.v_i, f_i_), G(b.i, b.p_i, b.v_i, g_i_);
    const double x = dot(D.d, F.a), y = dot(D.d, G.a);
    const double x1 = dot(D.d1, F.a) + dot(D.d, F.a1), y1 = dot(D.d1, G.a) + dot(D.d, G.a1);
    rate = (x * y1 - y * x1) / (x * x + y * y);
    angle = initial_angle_ + std::atan2(y, x);
    if (s.angle_references != nullptr) angle = counted_angle(angle, s.angle_references[0]);
  }

 private:
  sdk::SpatialPoints points_;
  Vec3<> f_i_, g_i_;
  double initial_angle_;
};

class LinkChannels final : public ElementChannels {
 public:
  explicit LinkChannels(const LinkAngle& angle) : angle_(angle) {}

  Index count() const override { return 2; }
  const char* name(Index i) const override { return i == 0 ? "angle" : "rate"; }
  const char* unit(Index i) const override { return i == 0 ? "rad" : "rad/s"; }
  Status values(const ElementState& s, VectorView out) const override {
    angle_.values(s, out[0], out[1]);
    return Status::success();
  }

 private:
  const LinkAngle& angle_;
};

/// Row 0: P_j - P_i along the hinge's axis, m. Row 1: |P_j - P_i| - length, m.
class RevoluteSpherical final : public sdk::SpatialConstraint<sdk::DotDistanceRow, sdk::DistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints ends;
    sdk::GuideKeys guide;
    double length;
    double initial_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<sdk::zero_spatial>),
      TRAMMEL_EMBED(Parameters, guide, sdk::guide_fields),
      TRAMMEL_FIELD(Parameters, length, "m", "Length of the link; the initial distance of its ends if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"));

  RevoluteSpherical(const Parameters& given, const ModelInfo& model)
      : RevoluteSpherical(given, sdk::coupler_link(given.two, given.ends, given.length, model), axis(given, model),
                          sdk::spatial_state(model, given.two.bodies[0])) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint>(id, &angle_, &channels_, &reaction_);
  }

 private:
  RevoluteSpherical(const Parameters& given, const sdk::CouplerLink& link, const Vec3<>& h_i, const SpatialBodyState& i)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {h_i, link.points.s_i, link.points.s_j},
                        {link.points.s_i, link.points.s_j, link.length}),
        angle_(link.points, direction(h_i, link, i), sdk::cross(h_i, direction(h_i, link, i)), given.initial_angle),
        channels_(angle_),
        reaction_(link.points.s_j) {}

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
  static Vec3<> direction(const Vec3<>& h_i, const sdk::CouplerLink& link, const SpatialBodyState& i) {
    const Vec3<> d = sdk::multiply_transposed(i.A, link.d);
    const Vec3<> across = d - dot(d, h_i) * h_i;
    if (!(norm(across) > 0.5 * norm(d))) {
      throw Error::parameter("axis",
                             "the hinge's axis must be perpendicular to the link, and is more than 60 degrees "
                             "from that in the initial configuration");
    }
    return (1 / norm(across)) * across;
  }

  LinkAngle angle_;
  LinkChannels channels_;
  sdk::SpatialReaction reaction_;
};

}  // namespace trammel::revolute_spherical

TRAMMEL_PLUGIN("revolute_spherical", "1.0.0", "BSD-3-Clause",
               component<trammel::revolute_spherical::RevoluteSpherical>(
                   Host::spatial, "revolute_spherical",
                   "A massless link, hinged to the first body and on a ball joint of the second.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
