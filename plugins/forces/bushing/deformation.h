// Deformation of a bushing over any scalar: displacements and rotations of one frame in the other, rates, loads.
#pragma once

#include "trammel/sdk/elements/auto_bodies.h"
#include "trammel/sdk/math/rotation_vector.h"

// Frames at P_i and P_j with axes A_i C_i, A_j C_j, d = P_j - P_i. Spatial, with the quaternions c_i, c_j of C_i, C_j:
//   u = C_i^T A_i^T d,  u' = C_i^T (A_i'^T d + A_i^T d')                                                          (1)
//   pi = conj(p_i c_i) (p_j c_j),  psi = psi(pi) (rotation_vector.h),  psi' = psi_pi pi'                          (2)
// Planar: psi = phi_j - phi_i - psi_0. A law f(u, u'), m(psi, psi') gives Q = -u_q^T f - psi_q^T m, for every p:
//   first body   Q_r =  A_i C_i f,  Q_p = B(p_i, s_i)^T A_i C_i f - B(p_i, C_i f)^T d - (a conj(y)) conj(c_i)     (3)
//   second body  Q_r = -A_i C_i f,  Q_p = -B(p_j, s_j)^T A_i C_i f - e y conj(c_j)                                (4)
// with e = p_i c_i, a = p_j c_j, y = psi_pi^T m. Both follow from adjoints: y.(e b) = (conj(e) y).b, y.(b c) = (y
// conj(c)).b
namespace trammel::bushing {

template <class T>
struct Deformation {
  T value[6], rate[6];  ///< m and rad; planar: three
};

struct SpatialFrames {
  static constexpr Index N = 6;
  using State = SpatialBodyState;

  sdk::Vec3<> s_i, s_j;  ///< m, body-fixed
  sdk::Vec4<> c_i, c_j;  ///< frame to body, unit

  /// Beyond 170 degrees, that is cos(angle / 2) < 0.087, the rotation vector is about to lose its sign.
  bool defined(const sdk::Pose<State, double>* b) const {
    const sdk::Vec4<> pi = relative(b[0], b[1], 1);
    return std::abs(pi.e0) > 0.0871557 * sdk::norm(pi);
  }

  template <class T>
  Deformation<T> deformation(const sdk::Motion<State, T>* b) const {
    Deformation<T> x;
    const sdk::Vec3<T> d = b[1].point(s_j) - b[0].point(s_i);
    const sdk::Vec3<T> d1 = b[1].point_velocity(s_j) - b[0].point_velocity(s_i);
    for (int k = 0; k < 3; ++k) {
      const sdk::Vec3<> axis = axis_of(k);
      x.value[k] = sdk::dot(b[0].direction(axis), d);
      x.rate[k] = sdk::dot(sdk::b_apply(sdk::b_term(b[0].p, axis), b[0].pdot), d) + sdk::dot(b[0].direction(axis), d1);
    }
    const double sign = branch(b);
    const sdk::Vec4<T> e = sdk::quaternion_product(b[0].p, c_i), a = sdk::quaternion_product(b[1].p, c_j);
    const sdk::Vec4<T> e1 = sdk::quaternion_product(b[0].pdot, c_i), a1 = sdk::quaternion_product(b[1].pdot, c_j);
    const sdk::Vec4<T> pi1 =
        sdk::quaternion_product(sdk::conjugate(e1), a) + sdk::quaternion_product(sdk::conjugate(e), a1);
    const sdk::RotationVector<T> psi(relative(b[0], b[1], sign));
    put(psi.value(), x.value + 3), put(psi.along(sign * pi1), x.rate + 3);
    return x;
  }

  /// (3), (4) with f[0..2], m = f[3..5].
  template <class T>
  void add_loads(const sdk::Motion<State, T>* b, const T* f, sdk::Load<State, T>* loads) const {
    sdk::Vec3<T> w{T(0.0), T(0.0), T(0.0)};  // C_i f
    for (int k = 0; k < 3; ++k) w = w + f[k] * axis_of(k);
    const sdk::Vec3<T> pull = sdk::rotate(b[0].p, w);
    loads[0].add_force(b[0], s_i, pull), loads[1].add_force(b[1], s_j, -pull);
    const sdk::Vec3<T> d = b[1].point(s_j) - b[0].point(s_i);
    subtract(sdk::b_transpose(sdk::b_term(b[0].p, w), d), loads[0]);

    const double sign = branch(b);
    const sdk::RotationVector<T> psi(relative(b[0], b[1], sign));
    const sdk::Vec4<T> y = sign * psi.transpose(sdk::Vec3<T>{f[3], f[4], f[5]});
    const sdk::Vec4<T> e = sdk::quaternion_product(b[0].p, c_i), a = sdk::quaternion_product(b[1].p, c_j);
    subtract(sdk::quaternion_product(sdk::quaternion_product(a, sdk::conjugate(y)), sdk::conjugate(c_i)), loads[0]);
    subtract(sdk::quaternion_product(sdk::quaternion_product(e, y), sdk::conjugate(c_j)), loads[1]);
  }

 private:
  sdk::Vec3<> axis_of(int k) const {
    return sdk::rotate(c_i, sdk::Vec3<>{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.});
  }

  template <class T>
  sdk::Vec4<T> relative(const sdk::Pose<State, T>& i, const sdk::Pose<State, T>& j, double sign) const {
    const sdk::Vec4<T> e = sdk::quaternion_product(i.p, c_i);
    return sign * sdk::quaternion_product(sdk::conjugate(e), sdk::quaternion_product(j.p, c_j));
  }
  /// p and -p are the same attitude: the sign that makes pi0 positive.
  template <class T>
  double branch(const sdk::Motion<State, T>* b) const {
    return relative(b[0], b[1], 1).e0 < 0 ? -1 : 1;
  }
  template <class T>
  static void put(const sdk::Vec3<T>& v, T* out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
  }
  template <class T>
  static void subtract(const sdk::Vec4<T>& Q_p, sdk::Load<State, T>& load) {
    load.Q[3] -= Q_p.e0, load.Q[4] -= Q_p.e.x, load.Q[5] -= Q_p.e.y, load.Q[6] -= Q_p.e.z;
  }
};

struct PlanarFrames {
  static constexpr Index N = 3;
  using State = PlanarBodyState;

  sdk::Vec2<> s_i, s_j;  ///< m, body-fixed
  double angle_i;        ///< rad, of the frame in the first body
  double psi_0;          ///< rad, phi_j - phi_i of zero rotation

  bool defined(const sdk::Pose<State, double>*) const { return true; }

  template <class T>
  Deformation<T> deformation(const sdk::Motion<State, T>* b) const {
    Deformation<T> x;
    const sdk::Vec2<T> d = b[1].point(s_j) - b[0].point(s_i);
    const sdk::Vec2<T> d1 = b[1].point_velocity(s_j) - b[0].point_velocity(s_i);
    for (int k = 0; k < 2; ++k) {
      const sdk::Vec2<T> axis = b[0].direction(axis_of(k));
      x.value[k] = sdk::dot(axis, d);
      x.rate[k] = b[0].omega * sdk::dot(sdk::perp(axis), d) + sdk::dot(axis, d1);
    }
    x.value[2] = b[1].phi - b[0].phi - psi_0, x.rate[2] = b[1].omega - b[0].omega;
    return x;
  }

  template <class T>
  void add_loads(const sdk::Motion<State, T>* b, const T* f, sdk::Load<State, T>* loads) const {
    const sdk::Vec2<T> pull = f[0] * b[0].direction(axis_of(0)) + f[1] * b[0].direction(axis_of(1));
    const sdk::Vec2<T> d = b[1].point(s_j) - b[0].point(s_i);
    loads[0].add_force(b[0], s_i, pull), loads[1].add_force(b[1], s_j, -pull);
    loads[0].add_torque(b[0], f[2] - sdk::dot(sdk::perp(pull), d));
    loads[1].add_torque(b[1], -f[2]);
  }

 private:
  sdk::Vec2<> axis_of(int k) const {
    const double c = std::cos(angle_i), s = std::sin(angle_i);
    return k == 0 ? sdk::Vec2<>{c, s} : sdk::Vec2<>{-s, c};
  }
};

}  // namespace trammel::bushing
