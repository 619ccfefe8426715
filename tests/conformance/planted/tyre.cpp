// Tyres with one mistake each that no derivative shows: a spring and damper upwards, and slip with two relaxing deflections.
//
//   N = k p - d p z' / p0,  p the smoothed penetration                                                             (1)
//   s' = -v_slip - |v| s / L along and across the heading,  F = F0 sin(1.5 atan(B s)),  torque = (contact - centre) x F     (2)
#include <trammel/extensions/force_claims.h>
#include <trammel/sdk/elements/auto_force.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;

enum class Bug { none, damper, slip, torque, heading, side };

template <Bug bug>
class Tyre final : public sdk::AutoForce<Tyre<bug>, SpatialBodyState, 1, 2>, private ForceClaims {
  using Base = sdk::AutoForce<Tyre<bug>, SpatialBodyState, 1, 2>;
  template <class T>
  using Motion = sdk::Motion<SpatialBodyState, T>;
  template <class T>
  using Vec3 = sdk::Vec3<T>;

 public:
  struct Parameters {
    BodyRef body;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, body, "1", "The wheel."));

  explicit Tyre(const Parameters& p) : Base(p.body) {}
  const void* extension(const char* id) const override { return sdk::offer_extensions<ForceClaims>(id, this); }
  Status energy(const ElementState&, ForceEnergy&) const override {
    return Status::failure(StatusCode::unsupported, "no energy");
  }

  template <class T>
  void force(const T&, const Motion<T>* bodies, const T* z, sdk::Load<SpatialBodyState, T>* loads) const {
    const Plane<T> at(bodies[0]);
    const T depth = -0.01 - bodies[0].r.z, p = 0.5 * (depth + sqrt(depth * depth + 1e-4));
    const T damper = 5.0 * p / 0.01 * bodies[0].rdot.z;
    const T N = 2000.0 * p + (bug == Bug::damper ? damper : -damper);  // (1)
    const Vec3<T> F = grip(z[0]) * at.heading + grip(z[1]) * at.side;
    loads[0].add_force(bodies[0], {0, 0, 0}, F + Vec3<T>{T(0), T(0), N});
    if (bug != Bug::torque) loads[0].add_torque(bodies[0], cross(at.arm, F));  // (2)
  }
  template <class T>
  void rate(const T&, const Motion<T>* bodies, const T* z, T* z_rate) const {
    const Plane<T> at(bodies[0]);
    const Vec3<T> slip = bodies[0].rdot + cross(bodies[0].angular_velocity(), at.arm);
    const T v = dot(bodies[0].rdot, at.heading), speed = sqrt(v * v + 1e-2);
    z_rate[0] = (bug == Bug::slip ? 1.0 : -1.0) * dot(slip, at.heading) - speed / 0.3 * z[0];  // (2)
    z_rate[1] = (bug == Bug::side ? 1.0 : -1.0) * dot(slip, at.side) - speed / 0.3 * z[1];
  }

 private:
  /// Heading and side in the plane, and the way from the centre to the contact.
  template <class T>
  struct Plane {
    explicit Plane(const Motion<T>& wheel) {
      const Vec3<T> up{T(0), T(0), T(1)};
      const Vec3<T> axis = bug == Bug::heading ? Vec3<T>{T(0), T(1), T(0)} : wheel.direction(sdk::Vec3<>{0, 1, 0});
      const Vec3<T> forward = cross(axis, up);
      heading = (1.0 / norm(forward)) * forward, side = cross(up, heading), arm = T(-0.3) * up;
    }
    Vec3<T> heading, side, arm;
  };
  template <class T>
  static T grip(const T& z) {
    return 8.0 * sin(1.5 * atan(20.0 * z));
  }
  bool turns_about_gravity() const override { return true; }
};

template <Bug bug>
constexpr ComponentRecord tyre(const char* type) {
  return sdk::component<Tyre<bug>>(Host::spatial, type, "A tyre with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_tyre", "1.0.0", "BSD-3-Clause", tyre<Bug::none>("good_tyre"), tyre<Bug::damper>("bad_damper"),
               tyre<Bug::slip>("bad_slip"), tyre<Bug::torque>("bad_torque"), tyre<Bug::heading>("bad_heading"),
               tyre<Bug::side>("bad_side"));
