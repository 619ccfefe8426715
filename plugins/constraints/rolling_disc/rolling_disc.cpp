// Plugin: a thin disc of the second body rolls without slip on a plane of the first.
//
// n normal of the plane, P a point of it, u axis of the disc, C its centre, R its radius. The lowest point of the rim is
//   C + rho,  rho = -R m / |m|,  m = (u.u) n - (n.u) u                                                             (1)
// |m| is the sine of the angle between the axis and the normal; for a disc that lies flat there is no lowest point.
//   row 0          n.(C + rho - P) = 0                                  the rim touches the plane                  (2)
//   velocity rows  f.(v_C + w x rho - v_plane), g.(...) = 0             its point that touches does not slip       (3)
// f, g span the plane and are fixed in the first body, v_plane is the velocity of that body's point at C + rho. The
// normal part of that velocity is the derivative of (2). Off |p| = 1, (1) to (3) are as the terms are defined there.
// J. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems (1972), chapter I; O. M. O'Reilly, The dynamics of
// rolling disks and sliding disks, Nonlinear Dynamics 10 (1996) 287-305.
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/auto_velocity_rows.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::rolling_disc {

using sdk::cross;
using sdk::dot;
using sdk::Motion;
using sdk::Pose;

class RollingDisc final : public sdk::AutoConstraint<RollingDisc, SpatialBodyState, 2, 1>,
                          public sdk::AutoVelocityRows<RollingDisc, SpatialBodyState, 2, 2>,
                          private ReactionPoint,
                          private ElementChannels {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    double radius;
    double point_i[3], axis_i[3];
    double point_j[3], axis_j[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, radius, "m", "Radius of the disc.").above(0),
      TRAMMEL_FIELD(Parameters, point_i, "m", "Point of the plane, fixed in the first body.")
          .on_body(0)
          .otherwise("[0, 0, 0]"),
      TRAMMEL_FIELD(Parameters, axis_i, "1", "Normal of the plane towards the disc, fixed in the first body.")
          .direction()
          .on_body(0),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Centre of the disc, fixed in the second body.")
          .on_body(1)
          .otherwise("[0, 0, 0]"),
      TRAMMEL_FIELD(Parameters, axis_j, "1", "Axis of the disc, fixed in the second body.").direction().on_body(1));

  RollingDisc(const Parameters& given, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        radius_(given.radius),
        P_(sdk::vec3(given.point_i)),
        n_(sdk::unit_axis(sdk::vec3(given.axis_i), "axis_i")),
        f_(sdk::perpendicular(n_)),
        g_(cross(n_, f_)),
        C_(sdk::vec3(given.point_j)),
        u_(sdk::unit_axis(sdk::vec3(given.axis_j), "axis_j")) {
    sdk::require_two_bodies(given.two);
    const void* states[2] = {model.initial_state(given.two.bodies[0]), model.initial_state(given.two.bodies[1])};
    if (!admissible({0, states, nullptr, nullptr}))
      throw Error::parameter("axis_j", "the disc lies flat on the plane at the start: it touches with its whole rim");
  }

  /// A disc that lies flat, within rounding of its own slope, has no single point that touches.
  Status admissible(const ElementState& s) const {
    constexpr double flattest = 1e-6;
    const auto direction = [&s](Index body, const Vec3<>& local) {
      return sdk::rotate(sdk::parameters(s.body<SpatialBodyState>(body)), local);
    };
    const Vec3<> n = direction(0, n_), u = direction(1, u_);
    const double slope = sdk::norm(cross(n, u)) / (sdk::norm(n) * sdk::norm(u));
    if (slope > flattest) return Status::success();
    return Status::failure(StatusCode::out_of_domain, "a rolling disc that lies flat on its plane", -1, slope);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out) const {  // (2)
    out[0] = dot(b[0].direction(n_), b[1].point(C_) + to_rim(b) - b[0].point(P_));
  }
  template <class T>
  void velocity_residual(const T&, const Motion<SpatialBodyState, T>* b, T* out) const {  // (3)
    const Pose<SpatialBodyState, T> poses[2] = {b[0], b[1]};
    const sdk::Vec3<T> rho = to_rim(poses), from_plane = b[1].point(C_) + rho - b[0].r;
    const sdk::Vec3<T> slip = b[1].point_velocity(C_) + cross(b[1].angular_velocity(), rho) - b[0].rdot -
                              cross(b[0].angular_velocity(), from_plane);
    out[0] = dot(b[0].direction(f_), slip), out[1] = dot(b[0].direction(g_), slip);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<VelocityRows, ReactionPoint, ElementChannels>(id, this, this, this);
  }
  Index reaction_body() const override { return 1; }
  void reaction_point(const ElementState& s, double* point) const override { sdk::store(contact(s), point); }

  Index channel_count() const override { return 4; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"contact_x", "contact_y", "contact_z", "inclination"};
    return names[i];
  }
  const char* channel_unit(Index i) const override { return i < 3 ? "m" : "rad"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    reaction_point(s, out.data);
    const Poses at(s);
    const Vec3<> n = at.b[0].direction(n_), u = at.b[1].direction(u_);
    out[3] = std::atan2(sdk::norm(cross(n, u)), std::abs(dot(n, u)));
    return Status::success();
  }

 private:
  template <class T = double>
  using Vec3 = sdk::Vec3<T>;

  struct Poses {
    double q[2][7], v[2][7];
    Pose<SpatialBodyState, double> b[2];
    explicit Poses(const ElementState& s) : b{read(s, 0), read(s, 1)} {}

   private:
    Pose<SpatialBodyState, double> read(const ElementState& s, Index body) {
      sdk::coordinates_of(s.body<SpatialBodyState>(body), q[body], v[body]);
      return Pose<SpatialBodyState, double>(q[body]);
    }
  };

  /// rho of (1), m.
  template <class T>
  Vec3<T> to_rim(const Pose<SpatialBodyState, T>* b) const {
    const Vec3<T> n = b[0].direction(n_), u = b[1].direction(u_);
    const Vec3<T> m = dot(u, u) * n - dot(n, u) * u;
    return (-radius_ / sdk::norm(m)) * m;
  }
  Vec3<> contact(const ElementState& s) const {
    const Poses at(s);
    return at.b[1].point(C_) + to_rim(at.b);
  }

  double radius_;
  Vec3<> P_, n_, f_, g_;  // fixed in the first body
  Vec3<> C_, u_;          // fixed in the second body
};

}  // namespace trammel::rolling_disc

TRAMMEL_PLUGIN("rolling_disc", "1.0.0", "BSD-3-Clause",
               component<trammel::rolling_disc::RollingDisc>(
                   Host::spatial, "rolling_disc", "A thin disc rolls without slip on a plane.",
                   "O'Reilly, Nonlinear Dynamics 10 (1996) 287-305; Neimark, Fufaev, Dynamics of Nonholonomic Systems "
                   "(1972), chapter I"));
