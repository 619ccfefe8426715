// Euler-parameter kernels: A(p), B(p, s), K(s, g), E, G, angular velocity, on and off |p| = 1.
#pragma once

#include "trammel/sdk/math/vec.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (Allyn and Bacon, 1989), chapter 9.
// p = (e0, e). All matrices are polynomials in p; nothing is divided by p.p, so every derivative below is exact for
// every p, and the numerical methods may leave |p| = 1 without any term becoming inconsistent with another.
//
//   E(p) = [-e, skew(e) + e0 I]      G(p) = [-e, -skew(e) + e0 I]                  3x4                            (1)
//   A(p) = E G^T = (e0^2 - e.e) I + 2 e e^T + 2 e0 skew(e),  A^T A = (p.p)^2 I                                    (2)
//   B(p, s) = d(A(p) s)/dp = 2 [u, w I - skew(u)],  u = e0 s + e x s,  w = e.s     3x4, linear in p              (3)
//   A(p) s = B(p, s) p / 2,  B(p, s) x = B(x, s) p                                                                (4)
//   K(s, g) = d(B(p, s)^T g)/dp = 2 [s.g, (s x g)^T; s x g, s g^T + g s^T - (s.g) I]   4x4, symmetric, constant   (5)
//
// Angular velocity, torque and angular acceleration are *defined* for every p by
//   omega = 2 E(p) pdot (global),  omega' = 2 G(p) pdot (body),  alpha = 2 E(p) pddot   (E(pdot) pdot = 0)        (6)
//   Q_p = 2 E(p)^T T for a torque T in global axes,  Q_p = 2 G(p)^T T' for one in body axes                      (7)
//   Q_p = B(p, s)^T F for a force F at the body-fixed point s                                                    (8)
// so that the power is Q_p.pdot = T.omega = T'.omega' and F.(d/dt A s) for every p. Off |p| = 1 they differ from the
// rigid body's by factors of p.p, and omega does not see the part of pdot along p (E p = G p = 0).
namespace trammel::sdk {

/// (3) in the four numbers it is made of: the product of p with the body-fixed vector s.
template <class T>
struct BTerm {
  T w;
  Vec3<T> u;
};

template <class T, class U>
TRAMMEL_INLINE BTerm<Product<T, U>> b_term(const Vec4<T>& p, const Vec3<U>& s) {
  return {dot(p.e, s), p.e0 * s + cross(p.e, s)};
}

/// B x (3).
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> b_apply(const BTerm<T>& B, const Vec4<U>& x) {
  return 2.0 * (x.e0 * B.u + B.w * x.e + cross(x.e, B.u));
}

/// B^T g (4).
template <class T, class U>
TRAMMEL_INLINE Vec4<Product<T, U>> b_transpose(const BTerm<T>& B, const Vec3<U>& g) {
  return {2.0 * dot(B.u, g), 2.0 * (B.w * g + cross(B.u, g))};
}

/// A(p) s from B(p, s), equation (4).
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> b_rotate(const BTerm<T>& B, const Vec4<U>& p) {
  return p.e0 * B.u + B.w * p.e + cross(p.e, B.u);
}

/// A(p) s, equation (2).
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> rotate(const Vec4<T>& p, const Vec3<U>& s) {
  return b_rotate(b_term(p, s), p);
}

/// A s with A by rows, as body states hold it.
TRAMMEL_INLINE Vec3<> multiply(const double* A, const Vec3<>& s) {
  return {A[0] * s.x + A[1] * s.y + A[2] * s.z, A[3] * s.x + A[4] * s.y + A[5] * s.z,
          A[6] * s.x + A[7] * s.y + A[8] * s.z};
}

/// A^T g with A by rows.
TRAMMEL_INLINE Vec3<> multiply_transposed(const double* A, const Vec3<>& g) {
  return {A[0] * g.x + A[3] * g.y + A[6] * g.z, A[1] * g.x + A[4] * g.y + A[7] * g.z,
          A[2] * g.x + A[5] * g.y + A[8] * g.z};
}

/// B(v, s) v = 2 A(v) s: the part of the acceleration of A(p) s that is quadratic in v = pdot.
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> b_quadratic(const Vec4<T>& v, const Vec3<U>& s) {
  return 2.0 * rotate(v, s);
}

/// A(p)^T = A(p*), and likewise for derivatives: A(p) s is p s p* of quaternions.
template <class T>
TRAMMEL_INLINE Vec4<T> conjugate(const Vec4<T>& p) {
  return {p.e0, -p.e};
}

/// A(p) by rows, equation (2).
TRAMMEL_INLINE void rotation_matrix(const Vec4<>& p, double* A) {
  const double e0 = p.e0, x = p.e.x, y = p.e.y, z = p.e.z;
  const double e00 = e0 * e0, xx = x * x, yy = y * y, zz = z * z;
  const double xy = x * y, xz = x * z, yz = y * z, wx = e0 * x, wy = e0 * y, wz = e0 * z;
  A[0] = e00 + xx - yy - zz, A[1] = 2 * (xy - wz), A[2] = 2 * (xz + wy);
  A[3] = 2 * (xy + wz), A[4] = e00 - xx + yy - zz, A[5] = 2 * (yz - wx);
  A[6] = 2 * (xz - wy), A[7] = 2 * (yz + wx), A[8] = e00 - xx - yy + zz;
}

/// E(p) x and G(p) x (3), equation (1).
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> E_apply(const Vec4<T>& p, const Vec4<U>& x) {
  return p.e0 * x.e - x.e0 * p.e + cross(p.e, x.e);
}
template <class T, class U>
TRAMMEL_INLINE Vec3<Product<T, U>> G_apply(const Vec4<T>& p, const Vec4<U>& x) {
  return p.e0 * x.e - x.e0 * p.e - cross(p.e, x.e);
}

/// E(p)^T g and G(p)^T g (4).
template <class T, class U>
TRAMMEL_INLINE Vec4<Product<T, U>> E_transpose(const Vec4<T>& p, const Vec3<U>& g) {
  return {-dot(p.e, g), p.e0 * g - cross(p.e, g)};
}
template <class T, class U>
TRAMMEL_INLINE Vec4<Product<T, U>> G_transpose(const Vec4<T>& p, const Vec3<U>& g) {
  return {-dot(p.e, g), p.e0 * g + cross(p.e, g)};
}

/// pdot = E^T omega / 2, for |p| = 1.
TRAMMEL_INLINE Vec4<> euler_rate(const Vec4<>& p, const Vec3<>& omega) { return 0.5 * E_transpose(p, omega); }

/// K(s, g) scaled and added to the 4x4 block at `block`, column by column with `stride`: equation (5).
TRAMMEL_INLINE void add_K(double scale, const Vec3<>& s, const Vec3<>& g, double* block, long stride) {
  const double k = 2.0 * scale, sg = k * dot(s, g);
  const Vec3<> n = k * cross(s, g);
  const double xy = k * (s.x * g.y + s.y * g.x), xz = k * (s.x * g.z + s.z * g.x), yz = k * (s.y * g.z + s.z * g.y);
  double* c0 = block;
  double* c1 = block + stride;
  double* c2 = block + 2 * stride;
  double* c3 = block + 3 * stride;
  c0[0] += sg, c0[1] += n.x, c0[2] += n.y, c0[3] += n.z;
  c1[0] += n.x, c1[1] += 2 * k * s.x * g.x - sg, c1[2] += xy, c1[3] += xz;
  c2[0] += n.y, c2[1] += xy, c2[2] += 2 * k * s.y * g.y - sg, c2[3] += yz;
  c3[0] += n.z, c3[1] += xz, c3[2] += yz, c3[3] += 2 * k * s.z * g.z - sg;
}

}  // namespace trammel::sdk
