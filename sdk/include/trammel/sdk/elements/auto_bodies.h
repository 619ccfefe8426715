// Bodies over any scalar, as elements written for automatic differentiation see them.
#pragma once

#include <limits>

#include "trammel/function.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/math/dual.h"

namespace trammel::sdk {

/// Configuration of a body: spatial (State = SpatialBodyState) or planar (PlanarBodyState).
template <class State, class T>
struct Pose;

template <class T>
struct Pose<SpatialBodyState, T> {
  Vec3<T> r;  ///< centre of mass, m
  Vec4<T> p;  ///< Euler parameters

  explicit Pose(const T* q) : r{q[0], q[1], q[2]}, p{q[3], {q[4], q[5], q[6]}} {}
  /// A s: a body-fixed direction in global axes.
  Vec3<T> direction(const Vec3<>& s) const { return rotate(p, s); }
  /// Global position of the body-fixed point s, m.
  Vec3<T> point(const Vec3<>& s) const { return r + rotate(p, s); }
  /// The same of vectors that depend on what T does.
  template <class U>
  Vec3<T> direction(const Vec3<U>& s) const {
    return rotate(p, s);
  }
  template <class U>
  Vec3<T> point(const Vec3<U>& s) const {
    return r + rotate(p, s);
  }
};

template <class T>
struct Pose<PlanarBodyState, T> {
  Vec2<T> r;  ///< centre of mass, m
  T phi;      ///< rad

  explicit Pose(const T* q) : r{q[0], q[1]}, phi(q[2]) {}
  Vec2<T> direction(const Vec2<>& s) const { return turned(s); }
  Vec2<T> point(const Vec2<>& s) const { return r + turned(s); }
  template <class U>
  Vec2<T> direction(const Vec2<U>& s) const {
    return turned(s);
  }
  template <class U>
  Vec2<T> point(const Vec2<U>& s) const {
    return r + turned(s);
  }

 private:
  template <class U>
  Vec2<T> turned(const Vec2<U>& s) const {
    using std::cos;
    using std::sin;
    const T c = cos(phi), n = sin(phi);
    return {c * s.x - n * s.y, n * s.x + c * s.y};
  }
};

/// Configuration and velocity of a body.
template <class State, class T>
struct Motion;

template <class T>
struct Motion<SpatialBodyState, T> : Pose<SpatialBodyState, T> {
  Vec3<T> rdot;
  Vec4<T> pdot;

  Motion(const T* q, const T* v)
      : Pose<SpatialBodyState, T>(q), rdot{v[0], v[1], v[2]}, pdot{v[3], {v[4], v[5], v[6]}} {}
  Vec3<T> point_velocity(const Vec3<>& s) const { return rdot + b_apply(b_term(this->p, s), pdot); }
  /// Global, rad/s.
  Vec3<T> angular_velocity() const { return 2.0 * E_apply(this->p, pdot); }
};

template <class T>
struct Motion<PlanarBodyState, T> : Pose<PlanarBodyState, T> {
  Vec2<T> rdot;
  T omega;

  Motion(const T* q, const T* v) : Pose<PlanarBodyState, T>(q), rdot{v[0], v[1]}, omega(v[2]) {}
  Vec2<T> point_velocity(const Vec2<>& s) const { return rdot + omega * perp(this->direction(s)); }
  T angular_velocity() const { return omega; }
};

/// Generalized force on a body, collected from forces and torques in global axes.
template <class State, class T>
struct Load;

template <class T>
struct Load<SpatialBodyState, T> {
  T Q[7]{};

  void add_force(const Motion<SpatialBodyState, T>& body, const Vec3<>& at, const Vec3<T>& F) {
    Q[0] += F.x, Q[1] += F.y, Q[2] += F.z;
    add(b_transpose(b_term(body.p, at), F));
  }
  void add_torque(const Motion<SpatialBodyState, T>& body, const Vec3<T>& torque) {
    add(2.0 * E_transpose(body.p, torque));
  }

 private:
  void add(const Vec4<T>& Q_p) { Q[3] += Q_p.e0, Q[4] += Q_p.e.x, Q[5] += Q_p.e.y, Q[6] += Q_p.e.z; }
};

template <class T>
struct Load<PlanarBodyState, T> {
  T Q[3]{};

  void add_force(const Motion<PlanarBodyState, T>& body, const Vec2<>& at, const Vec2<T>& F) {
    Q[0] += F.x, Q[1] += F.y, Q[2] += dot(perp(body.direction(at)), F);
  }
  void add_torque(const Motion<PlanarBodyState, T>&, const T& torque) { Q[2] += torque; }
};

/// A Function of the run file at any scalar. NaN where it is undefined, and in derivatives that it does not have.
template <class T>
T evaluate(const Function& f, const T& x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  double value[4] = {nan, nan, nan, nan};
  if (!f.evaluate(base_value(x), f.max_order() < 3 ? f.max_order() : 3, value).ok()) value[0] = nan;
  return lift(value, x);
}

}  // namespace trammel::sdk
