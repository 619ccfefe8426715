// Plugin `acme.cam_follower`: a roller or a flat face of the second body stays in touch with a closed cam profile c(u)
// of the first. Planar.
//
// In the cam's axes, with x the roller's centre (or a point of the face) and n = -c' turned by 90 degrees / |c'|, which
// points out of the cam:
//   roller   Phi = n.(x - c(u)) - radius,   c'(u).(x - c(u)) = 0                                                    (1)
//   flat     Phi = (c(u) - x).e,            c'(u).e = 0                                                             (2)
// e is the normal of the face that points to the cam. u is no coordinate of the model: it is solved for inside, and
// `phi` lifts it to whatever scalar the derivatives are taken with.
#include <trammel/extensions/element_extensions.h>
#include <trammel/sdk/elements/auto_channels.h>
#include <trammel/sdk/elements/auto_constraint.h>
#include <trammel/sdk/elements/drawn.h>
#include <trammel/sdk/elements/joint_geometry.h>
#include <trammel/sdk/elements/planar_joint.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include "profile.h"

namespace acme::cam {
namespace {

using namespace trammel;
using State = PlanarBodyState;
template <class T>
using Pose = sdk::Pose<State, T>;

enum class Follower : std::int32_t { roller, flat };

class CamFollower final : public sdk::AutoConstraint<CamFollower, State, 2, 1>, CountedAngles {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    Numbers points;
    Follower follower;
    double point_j[3];
    double radius;
    double axis_j[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(
          Parameters, points, "m",
          "Points of the cam's profile in the first body, counterclockwise, their coordinates one after another.")
          .count(6, 100000),
      TRAMMEL_FIELD(Parameters, follower, "1", "What touches the cam.").choices("roller|flat").otherwise("\"roller\""),
      TRAMMEL_FIELD(Parameters, point_j, "m", "The roller's centre, or a point of the flat face, in the second body.")
          .on_body(1)
          .otherwise("[0, 0]"),
      TRAMMEL_FIELD(Parameters, radius, "m", "The roller's radius; 0: a knife edge.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, axis_j, "1", "Normal of the flat face, in the second body; points to the cam.")
          .direction()
          .otherwise("[0, -1]"));
  static constexpr const char* channel_names[] = {"parameter", "parameter_rate"};
  static constexpr const char* channel_units[] = {"m", "m/s"};

  CamFollower(const Parameters& p, const ModelInfo& model)
      : AutoConstraint(p.two.bodies[0], p.two.bodies[1]),
        profile_(p.points),
        flat_(p.follower == Follower::flat),
        point_(sdk::vec2(p.point_j)),
        normal_(sdk::vec2(p.axis_j)),
        radius_(p.radius),
        channels_(*this),
        reaction_(point_),
        drawn_(sdk::Drawn(Symbol::curve).at(1, point_).curve(profile_.length(), 360, [&](double u) {
          return profile_.at(u).c;
        })) {
    sdk::require_two_bodies(p.two);
    const double length = norm(normal_), curvature = profile_.smallest_curvature();
    if (!(length > 0)) throw Error::parameter("axis_j", "the normal of the face has no direction");
    normal_ = (1 / length) * normal_;
    if (flat_ && !(curvature > 0)) {
      throw Error::parameter("points",
                             "a flat face touches only convex profiles; this one is hollow or straight somewhere");
    }
    if (!flat_ && curvature * radius_ <= -1) {
      throw Error::parameter("radius",
                             "the roller does not fit into the hollow of the profile, whose radius of curvature is " +
                                 std::to_string(-1 / curvature) + " m");
    }
    double q[2][State::coordinates], v[State::coordinates];
    for (int b = 0; b < 2; ++b) sdk::coordinates_of(sdk::planar_state(model, p.two.bodies[b]), q[b], v);
    const Pose<double> poses[2] = {Pose<double>(q[0]), Pose<double>(q[1])};
    const Vec2<> x = centre(poses), e = face(poses);
    initial_ = contact(poses, profile_.nearest_sample([&](const Vec2<>& c) {
      const Vec2<> d = c - x;
      return flat_ ? dot(c, e) : dot(d, d);
    }));
    if (!given(initial_))
      throw Error::parameter("point_j", "no point of the cam is nearest in the initial configuration");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, Drawing>(id, this, &channels_,
                                                                                         &reaction_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<T>* b, T* out, const ElementState& s) const {
    const CurvePoint<T> p = profile_.at(parameter(b, s));
    const Vec2<T> x = centre(b);
    out[0] = flat_ ? dot(p.c - x, face(b)) : dot(perp(p.c1), p.c - x) / norm(p.c1) - radius_;  // (2), (1)
  }
  template <class T>
  void coordinates(const Pose<T>* b, T* out, const ElementState& s) const {
    out[0] = parameter(b, s);
  }

 private:
  // The kernel keeps u of the last accepted state as it keeps counted angles, so that the branch never jumps inside a
  // step.
  Index angle_count() const override { return 1; }
  void initial_angles(VectorView u) const override { u[0] = initial_; }
  void angles(const ElementState& s, VectorView u) const override {
    double q[2][State::coordinates], v[State::coordinates];
    for (Index b = 0; b < 2; ++b) sdk::coordinates_of(s.body<State>(b), q[b], v);
    const Pose<double> poses[2] = {Pose<double>(q[0]), Pose<double>(q[1])};
    const double found = contact(poses, guess(s));
    u[0] = given(found) ? found : guess(s);  // the row itself then is not finite, and is reported
  }

  double guess(const ElementState& s) const { return s.angle_references != nullptr ? s.angle_references[0] : initial_; }

  /// A direction in the cam's axes.
  template <class T>
  static Vec2<T> in_cam(const Pose<T>& cam, const Vec2<T>& d) {
    return {dot(cam.direction({1, 0}), d), dot(cam.direction({0, 1}), d)};
  }
  template <class T>
  Vec2<T> centre(const Pose<T>* b) const {
    return in_cam(b[0], b[1].point(point_) - b[0].r);
  }
  template <class T>
  Vec2<T> face(const Pose<T>* b) const {
    return in_cam(b[0], b[1].direction(normal_));
  }
  double contact(const Pose<double>* b, double guess) const {
    return flat_ ? profile_.contact(Face<double>{face(b)}, guess) : profile_.contact(Roller<double>{centre(b)}, guess);
  }
  template <class T>
  T parameter(const Pose<T>* b, const ElementState& s) const {
    const auto value = [](const Vec2<T>& x) { return Vec2<>{sdk::base_value(x.x), sdk::base_value(x.y)}; };
    if (flat_) {
      const Face<T> at{face(b)};
      return profile_.lifted(at, profile_.contact(Face<double>{value(at.e)}, guess(s)), at.e.x);
    }
    const Roller<T> at{centre(b)};
    return profile_.lifted(at, profile_.contact(Roller<double>{value(at.x)}, guess(s)), at.x.x);
  }

  Profile profile_;
  bool flat_;
  Vec2<> point_, normal_;
  double radius_, initial_ = 0;
  sdk::AutoChannels<CamFollower, State, 2, 1> channels_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;  ///< the profile and the roller's centre
};

}  // namespace
}  // namespace acme::cam

TRAMMEL_PLUGIN("acme.cam_follower", "1.0.0", "BSD-3-Clause",
               component<acme::cam::CamFollower>(
                   Host::planar, "acme.cam_follower",
                   "A roller or a flat face of the second body stays in touch with a cam profile of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"));
