// Kernels of the spatial primitives: inline row groups from which constraint types and fused joints are made.
#pragma once

#include "trammel/constraint.h"
#include "trammel/sdk/elements/joint_directions.h"
#include "trammel/sdk/elements/joint_twists.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4: dot-1, dot-2, spherical and
// distance constraints, here with every contraction. Bodies i and j; f, g fixed in body i, h in body j; a body-fixed
// vector s moves as A s, (A s)_p = B(p, s), (A s)' = B(p, s) p', (A s)'' = B(p, s) p'' + 2 A(p') s; the latter's
// gradients are B(p'', s) with respect to p and 2 B(p', s) with respect to p'. Points P = r + A s, d = P_j - P_i.
//
//   point      Phi = d                                     3 rows, m
//   dot1       Phi = (A_i f).(A_j h) - value               1 row, dimensionless: rad near orthogonality
//   parallel   dot1 of h with f and with g                 2 rows
//   dot2       Phi = (A_i f).d - value                     1 row, m
//   line       dot2 of d with f and with g                 2 rows
//   distance   Phi = |d| - length                          1 row, m; singular at d = 0, which is refused
//
// A kernel has `rows` and five methods, each for rows first .. first + rows - 1 of the element's blocks:
//   evaluate<velocity>   Phi and Phi_q where wanted; gamma too if `velocity` (nu is zero: no row depends on time)
//   jacobian_gradient    (Phi_q x)_q
//   multiplier_gradient  adds (Phi_q^T lambda)_q
//   acceleration_gradient  gradients of psi = Phi_q a - gamma, the second derivative of Phi
// and those that say their directions in twists have `linear_rows`, `angular_rows` and `directions` (joint_directions.h),
// those that say their second derivatives in twists `multiplier_twists` (joint_twists.h).
namespace trammel::sdk {

/// The two bodies of a row group with what every kernel needs of them.
struct SpatialPair {
  const SpatialBodyState& i;
  const SpatialBodyState& j;
  Vec4<> p_i, p_j;  ///< p
  Vec4<> v_i, v_j;  ///< p'

  TRAMMEL_INLINE explicit SpatialPair(const ElementState& s)
      : i(s.body<SpatialBodyState>(0)),
        j(s.body<SpatialBodyState>(1)),
        p_i(parameters(i)),
        p_j(parameters(j)),
        v_i(parameter_rates(i)),
        v_j(parameter_rates(j)) {}

  template <Index linear, Index angular>
  using Directions = SpatialDirections<linear, angular>;
};

/// One local vector per body.
struct SpatialPairVector {
  SpatialVector i, j;

  TRAMMEL_INLINE explicit SpatialPairVector(const ConstVectorView* x)
      : i(spatial_vector(x[0])), j(spatial_vector(x[1])) {}
};

TRAMMEL_INLINE void write_row_if(const MatrixView& block, Index row, const Vec3<>& r, const Vec4<>& p) {
  if (block) write_row(block, row, r, p);
}

/// A rotated body-fixed vector with its velocity terms.
template <bool velocity>
struct MovingVector {
  BTerm<double> B;  ///< B(p, s)
  Vec3<> a;         ///< A s
  Vec3<> a1;        ///< (A s)'
  Vec3<> a2;        ///< part of (A s)'' that is quadratic in p'

  TRAMMEL_INLINE MovingVector(const SpatialBodyState& body, const Vec4<>& p, const Vec4<>& v, const Vec3<>& s)
      : B(b_term(p, s)), a(multiply(body.A, s)) {
    if constexpr (velocity) a1 = b_apply(B, v), a2 = b_quadratic(v, s);
  }
};

/// d = P_j - P_i with its velocity terms.
template <bool velocity>
struct MovingDistance {
  BTerm<double> B_i, B_j;
  Vec3<> d, d1, d2;

  TRAMMEL_INLINE MovingDistance(const SpatialPair& b, const Vec3<>& s_i, const Vec3<>& s_j)
      : B_i(b_term(b.p_i, s_i)),
        B_j(b_term(b.p_j, s_j)),
        d(position(b.j) + multiply(b.j.A, s_j) - position(b.i) - multiply(b.i.A, s_i)) {
    if constexpr (velocity) {
      d1 = sdk::velocity(b.j) + b_apply(B_j, b.v_j) - sdk::velocity(b.i) - b_apply(B_i, b.v_i);
      d2 = b_quadratic(b.v_j, s_j) - b_quadratic(b.v_i, s_i);
    }
  }
  /// d_q x
  Vec3<> along(const SpatialPairVector& x) const { return x.j.r + b_apply(B_j, x.j.p) - x.i.r - b_apply(B_i, x.i.p); }
};

// --- point -----------------------------------------------------------------------------------------------------------

struct PointRows {
  static constexpr Index rows = 3, linear_rows = 3, angular_rows = 0;
  Vec3<> s_i, s_j;  ///< m, body-fixed

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    const Vec3<> a_i = multiply(b.i.A, s_i), a_j = multiply(b.j.A, s_j);
    out.lever = out.second() ? a_j : a_i;
    out.shift = out.second() ? a_i - a_j : a_j - a_i;
    out.linear_row(first, {1, 0, 0}), out.linear_row(first + 1, {0, 1, 0}), out.linear_row(first + 2, {0, 0, 1});
    out.along(first, -a_i.x, a_j.x), out.along(first + 1, -a_i.y, a_j.y), out.along(first + 2, -a_i.z, a_j.z);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    if (out.Phi.data != nullptr) {
      store(position(b.j) + multiply(b.j.A, s_j) - position(b.i) - multiply(b.i.A, s_i), out.Phi.data + first);
    }
    if (out.Phi_q != nullptr) {
      if (out.Phi_q[0]) write_point_rows(out.Phi_q[0], first, -1, -1, b_term(b.p_i, s_i));
      if (out.Phi_q[1]) write_point_rows(out.Phi_q[1], first, 1, 1, b_term(b.p_j, s_j));
    }
    if constexpr (velocity) store(b_quadratic(b.v_i, s_i) - b_quadratic(b.v_j, s_j), out.gamma.data + first);
  }

  void jacobian_gradient(const SpatialPair&, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    if (out[0]) write_point_rows(out[0], first, 0, -1, b_term(x.i.p, s_i));
    if (out[1]) write_point_rows(out[1], first, 0, 1, b_term(x.j.p, s_j));
  }

  void multiplier_gradient(const SpatialPair&, const double* lambda, const MatrixView* out) const {
    if (out[0]) add_K(-1, s_i, vec3(lambda), &out[0](3, 3), out[0].stride);
    if (out[3]) add_K(1, s_j, vec3(lambda), &out[3](3, 3), out[3].stride);
  }

  static constexpr bool couples_bodies = false;
  TRAMMEL_INLINE void multiplier_twists(const SpatialPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    const Vec3<> g = vec3(lambda);
    if (blocks[0] != nullptr) add_turned_vector(blocks[0], -scale, multiply(b.i.A, s_i), g, b.i.pp);
    if (blocks[3] != nullptr) add_turned_vector(blocks[3], scale, multiply(b.j.A, s_j), g, b.j.pp);
  }

  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    jacobian_gradient(b, a, out_q, first);
    if (out_v[0]) write_point_rows(out_v[0], first, 0, -2, b_term(b.v_i, s_i));
    if (out_v[1]) write_point_rows(out_v[1], first, 0, 2, b_term(b.v_j, s_j));
  }
};

// --- dot1, parallel --------------------------------------------------------------------------------------------------

/// Phi and Phi_q of a dot1 row between F of body i and H of body j.
template <bool velocity>
TRAMMEL_INLINE void place_dot1(const MovingVector<velocity>& F, const MovingVector<velocity>& H, double value,
                               const ConstraintOutput& out, Index row) {
  if (out.Phi.data != nullptr) out.Phi[row] = dot(F.a, H.a) - value;
  if (out.Phi_q != nullptr) {
    write_row_if(out.Phi_q[0], row, {0, 0, 0}, b_transpose(F.B, H.a));
    write_row_if(out.Phi_q[1], row, {0, 0, 0}, b_transpose(H.B, F.a));
  }
}

/// F.(alpha x H) = alpha.(H x F)
template <class Directions>
TRAMMEL_INLINE void dot1_direction(const Vec3<>& F, const Vec3<>& H, Directions& out, Index row) {
  out.angular_row(row, cross(H, F));
  const double product = dot(F, H);
  out.along(row, product, product);
}

struct DotRow {
  static constexpr Index rows = 1, linear_rows = 0, angular_rows = 1;
  Vec3<> f, h;
  double value = 0;

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    dot1_direction(multiply(b.i.A, f), multiply(b.j.A, h), out, first);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    const MovingVector<velocity> F(b.i, b.p_i, b.v_i, f), H(b.j, b.p_j, b.v_j, h);
    place_dot1(F, H, value, out, first);
    if constexpr (velocity) out.gamma[first] = -(dot(F.a2, H.a) + dot(F.a, H.a2) + 2 * dot(F.a1, H.a1));
  }

  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    const MovingVector<false> F(b.i, b.p_i, b.v_i, f), H(b.j, b.p_j, b.v_j, h);
    const Vec3<> Fx = b_apply(F.B, x.i.p), Hx = b_apply(H.B, x.j.p);
    write_row_if(out[0], first, {0, 0, 0}, b_transpose(b_term(x.i.p, f), H.a) + b_transpose(F.B, Hx));
    write_row_if(out[1], first, {0, 0, 0}, b_transpose(b_term(x.j.p, h), F.a) + b_transpose(H.B, Fx));
  }

  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    const BTerm<double> F = b_term(b.p_i, f), H = b_term(b.p_j, h);
    if (out[0]) add_K(*lambda, f, multiply(b.j.A, h), &out[0](3, 3), out[0].stride);
    if (out[3]) add_K(*lambda, h, multiply(b.i.A, f), &out[3](3, 3), out[3].stride);
    if (out[1]) add_B_product(out[1], *lambda, F, H);
    if (out[2]) add_B_product(out[2], *lambda, H, F);
  }

  static constexpr bool couples_bodies = true;
  TRAMMEL_INLINE void multiplier_twists(const SpatialPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    const double k = scale * *lambda;
    const Vec3<> F = multiply(b.i.A, f), H = multiply(b.j.A, h);
    if (blocks[0] != nullptr) add_turned_vector(blocks[0], k, F, H, b.i.pp);
    if (blocks[3] != nullptr) add_turned_vector(blocks[3], k, H, F, b.j.pp);
    if (blocks[1] != nullptr) add_turned_product(blocks[1], k, F, b.i.pp, H, b.j.pp);
    if (blocks[2] != nullptr) add_turned_product(blocks[2], k, H, b.j.pp, F, b.i.pp);
  }

  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    // psi = F''.H + 2 F'.H' + F.H''
    const MovingVector<true> F(b.i, b.p_i, b.v_i, f), H(b.j, b.p_j, b.v_j, h);
    const BTerm<double> F_v = b_term(b.v_i, f), H_v = b_term(b.v_j, h);
    const Vec3<> F2 = b_apply(F.B, a.i.p) + F.a2, H2 = b_apply(H.B, a.j.p) + H.a2;
    write_row_if(out_q[0], first, {0, 0, 0},
                 b_transpose(b_term(a.i.p, f), H.a) + 2.0 * b_transpose(F_v, H.a1) + b_transpose(F.B, H2));
    write_row_if(out_q[1], first, {0, 0, 0},
                 b_transpose(b_term(a.j.p, h), F.a) + 2.0 * b_transpose(H_v, F.a1) + b_transpose(H.B, F2));
    write_row_if(out_v[0], first, {0, 0, 0}, 2.0 * (b_transpose(F_v, H.a) + b_transpose(F.B, H.a1)));
    write_row_if(out_v[1], first, {0, 0, 0}, 2.0 * (b_transpose(H_v, F.a) + b_transpose(H.B, F.a1)));
  }
};

struct ParallelRows {
  static constexpr Index rows = 2, linear_rows = 0, angular_rows = 2;
  Vec3<> f, g, h;

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    const Vec3<> H = multiply(b.j.A, h);
    dot1_direction(multiply(b.i.A, f), H, out, first);
    dot1_direction(multiply(b.i.A, g), H, out, first + 1);
  }

  /// Both gammas are -(A_i x)''.H - 2 (A_i x)'.H' - (A_i x).H'' = -x.z with x = f and g.
  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    const MovingVector<velocity> H(b.j, b.p_j, b.v_j, h);
    if (out.Phi.data != nullptr || out.Phi_q != nullptr) {
      place_dot1(MovingVector<velocity>(b.i, b.p_i, b.v_i, f), H, 0, out, first);
      place_dot1(MovingVector<velocity>(b.i, b.p_i, b.v_i, g), H, 0, out, first + 1);
    }
    if constexpr (velocity) {
      const Vec4<> p = conjugate(b.p_i), v = conjugate(b.v_i);
      const Vec3<> z = multiply_transposed(b.i.A, H.a2) + 2.0 * b_apply(b_term(p, H.a1), v) + b_quadratic(v, H.a);
      out.gamma[first] = -dot(f, z), out.gamma[first + 1] = -dot(g, z);
    }
  }
  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    DotRow{f, h}.jacobian_gradient(b, x, out, first);
    DotRow{g, h}.jacobian_gradient(b, x, out, first + 1);
  }
  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    // Linear in the vector of body i: one row with the combined vector.
    DotRow{lambda[0] * f + lambda[1] * g, h}.multiplier_gradient(b, &one, out);
  }
  static constexpr bool couples_bodies = true;
  TRAMMEL_INLINE void multiplier_twists(const SpatialPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    DotRow{lambda[0] * f + lambda[1] * g, h}.multiplier_twists(b, &one, scale, blocks);
  }
  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    DotRow{f, h}.acceleration_gradient(b, a, out_q, out_v, first);
    DotRow{g, h}.acceleration_gradient(b, a, out_q, out_v, first + 1);
  }

  static constexpr double one = 1;
};

}  // namespace trammel::sdk
