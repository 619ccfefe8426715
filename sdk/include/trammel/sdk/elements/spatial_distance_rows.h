// Kernels of the spatial primitives that know the vector between two points: dot2, line, distance.
#pragma once

#include "trammel/sdk/elements/spatial_rows.h"

namespace trammel::sdk {

// --- dot2, line ------------------------------------------------------------------------------------------------------

/// One dot2 row between a moving vector F (body i) and d: shared by DotDistanceRow and LineRows.
template <bool velocity>
TRAMMEL_INLINE void evaluate_dot2(const MovingVector<velocity>& F, const MovingDistance<velocity>& D, double value,
                                  const ConstraintOutput& out, Index row) {
  if (out.Phi.data != nullptr) out.Phi[row] = dot(F.a, D.d) - value;
  if (out.Phi_q != nullptr) {
    write_row_if(out.Phi_q[0], row, -F.a, b_transpose(F.B, D.d) - b_transpose(D.B_i, F.a));
    write_row_if(out.Phi_q[1], row, F.a, b_transpose(D.B_j, F.a));
  }
  if constexpr (velocity) out.gamma[row] = -(dot(F.a2, D.d) + dot(F.a, D.d2) + 2 * dot(F.a1, D.d1));
}

/// F.d between the first body's lever to the second's point and the second's own; F turns with the first.
template <class Directions>
TRAMMEL_INLINE void dot2_direction(const Vec3<>& F, const Vec3<>& a_i, const Vec3<>& a_j, const Vec3<>& d,
                                   Directions& out, Index row) {
  out.lever = out.second() ? a_j : a_i + d;
  out.linear_row(row, F);
  out.along(row, dot(F, d) - dot(F, a_i), dot(F, a_j));
}

struct DotDistanceRow {
  static constexpr Index rows = 1, linear_rows = 1, angular_rows = 0;
  Vec3<> f, s_i, s_j;
  double value = 0;  ///< m

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    const Vec3<> a_i = multiply(b.i.A, s_i), a_j = multiply(b.j.A, s_j);
    dot2_direction(multiply(b.i.A, f), a_i, a_j, position(b.j) + a_j - position(b.i) - a_i, out, first);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    evaluate_dot2(MovingVector<velocity>(b.i, b.p_i, b.v_i, f), MovingDistance<velocity>(b, s_i, s_j), value, out,
                  first);
  }

  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    const MovingVector<false> F(b.i, b.p_i, b.v_i, f);
    const MovingDistance<false> D(b, s_i, s_j);
    const Vec3<> Fx = b_apply(F.B, x.i.p), Dx = D.along(x);
    write_row_if(out[0], first, -Fx,
                 b_transpose(b_term(x.i.p, f), D.d) - b_transpose(D.B_i, Fx) + b_transpose(F.B, Dx) -
                     b_transpose(b_term(x.i.p, s_i), F.a));
    write_row_if(out[1], first, Fx, b_transpose(D.B_j, Fx) + b_transpose(b_term(x.j.p, s_j), F.a));
  }

  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    // lambda (F_qq.d + F_q^T d_q + d_q^T F_q + d_qq.F)
    const MovingVector<false> F(b.i, b.p_i, b.v_i, f);
    const MovingDistance<false> D(b, s_i, s_j);
    if (out[0]) {
      add_K(*lambda, f, D.d, &out[0](3, 3), out[0].stride);
      add_K(-*lambda, s_i, F.a, &out[0](3, 3), out[0].stride);
      add_B_product(out[0], -*lambda, F.B, D.B_i);
      add_B_product(out[0], -*lambda, D.B_i, F.B);
      add_B(out[0], -*lambda, F.B);
    }
    if (out[3]) add_K(*lambda, s_j, F.a, &out[3](3, 3), out[3].stride);
    if (out[1]) {  // body i against body j: F_q^T d_q
      add_B_transposed(out[1], *lambda, F.B);
      add_B_product(out[1], *lambda, F.B, D.B_j);
    }
    if (out[2]) {
      add_B_upper(out[2], *lambda, F.B);
      add_B_product(out[2], *lambda, D.B_j, F.B);
    }
  }

  static constexpr bool couples_bodies = true;
  TRAMMEL_INLINE void multiplier_twists(const SpatialPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    const double k = scale * *lambda;
    const Vec3<> F = multiply(b.i.A, f), a_i = multiply(b.i.A, s_i), a_j = multiply(b.j.A, s_j);
    if (blocks[0] != nullptr) {
      add_turned_vector(blocks[0], k, F, position(b.j) + a_j - position(b.i) - a_i, b.i.pp);
      add_turned_vector(blocks[0], -k, a_i, F, b.i.pp);
      add_turned_product(blocks[0], -k, F, b.i.pp, a_i, b.i.pp);
      add_turned_product(blocks[0], -k, a_i, b.i.pp, F, b.i.pp);
      add_turning_rows(blocks[0], -k, F, b.i.pp);
      add_turning_columns(blocks[0], -k, F, b.i.pp);
    }
    if (blocks[3] != nullptr) add_turned_vector(blocks[3], k, a_j, F, b.j.pp);
    if (blocks[1] != nullptr) {
      add_turned_product(blocks[1], k, F, b.i.pp, a_j, b.j.pp);
      add_turning_rows(blocks[1], k, F, b.i.pp);
    }
    if (blocks[2] != nullptr) {
      add_turned_product(blocks[2], k, a_j, b.j.pp, F, b.i.pp);
      add_turning_columns(blocks[2], k, F, b.i.pp);
    }
  }

  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    // psi = F''.d + 2 F'.d' + F.d''
    const MovingVector<true> F(b.i, b.p_i, b.v_i, f);
    const MovingDistance<true> D(b, s_i, s_j);
    const BTerm<double> F_v = b_term(b.v_i, f), D_vi = b_term(b.v_i, s_i), D_vj = b_term(b.v_j, s_j);
    const Vec3<> F2 = b_apply(F.B, a.i.p) + F.a2, D2 = D.along(a) + D.d2;
    write_row_if(out_q[0], first, -F2,
                 b_transpose(b_term(a.i.p, f), D.d) + 2.0 * b_transpose(F_v, D.d1) + b_transpose(F.B, D2) -
                     b_transpose(D.B_i, F2) - 2.0 * b_transpose(D_vi, F.a1) - b_transpose(b_term(a.i.p, s_i), F.a));
    write_row_if(out_q[1], first, F2,
                 b_transpose(D.B_j, F2) + 2.0 * b_transpose(D_vj, F.a1) + b_transpose(b_term(a.j.p, s_j), F.a));
    write_row_if(
        out_v[0], first, -2.0 * F.a1,
        2.0 * (b_transpose(F_v, D.d) + b_transpose(F.B, D.d1) - b_transpose(D.B_i, F.a1) - b_transpose(D_vi, F.a)));
    write_row_if(out_v[1], first, 2.0 * F.a1, 2.0 * (b_transpose(D.B_j, F.a1) + b_transpose(D_vj, F.a)));
  }

 private:
  /// Adds scale * [0 B; B^T 0] (r and p rows and columns) to a 7x7 block.
  static void add_B(const MatrixView& block, double scale, const BTerm<double>& B) {
    add_B_upper(block, scale, B);
    add_B_transposed(block, scale, B);
  }
  /// Adds scale * B to the r rows and p columns.
  static void add_B_upper(const MatrixView& block, double scale, const BTerm<double>& B) {
    for (Index k = 0; k < 4; ++k) {
      const Vec3<> column = B_column(B, scale, k);
      block(0, 3 + k) += column.x, block(1, 3 + k) += column.y, block(2, 3 + k) += column.z;
    }
  }
  /// Adds scale * B^T to the p rows and r columns.
  static void add_B_transposed(const MatrixView& block, double scale, const BTerm<double>& B) {
    for (Index k = 0; k < 4; ++k) {
      const Vec3<> column = B_column(B, scale, k);
      block(3 + k, 0) += column.x, block(3 + k, 1) += column.y, block(3 + k, 2) += column.z;
    }
  }
  static Vec3<> B_column(const BTerm<double>& B, double scale, Index k) {
    return b_apply(B, Vec4<>{k == 0 ? scale : 0.0, {k == 1 ? scale : 0.0, k == 2 ? scale : 0.0, k == 3 ? scale : 0.0}});
  }
};

struct LineRows {
  static constexpr Index rows = 2, linear_rows = 2, angular_rows = 0;
  Vec3<> f, g, s_i, s_j;

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    DotDistanceRow{f, s_i, s_j}.directions(b, out, first);
    DotDistanceRow{g, s_i, s_j}.directions(b, out, first + 1);
  }

  static constexpr bool couples_bodies = true;
  TRAMMEL_INLINE void multiplier_twists(const SpatialPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    // Linear in the vector of body i.
    DotDistanceRow{lambda[0] * f + lambda[1] * g, s_i, s_j}.multiplier_twists(b, &ParallelRows::one, scale, blocks);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    const MovingDistance<velocity> D(b, s_i, s_j);
    evaluate_dot2(MovingVector<velocity>(b.i, b.p_i, b.v_i, f), D, 0, out, first);
    evaluate_dot2(MovingVector<velocity>(b.i, b.p_i, b.v_i, g), D, 0, out, first + 1);
  }
  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    DotDistanceRow{f, s_i, s_j}.jacobian_gradient(b, x, out, first);
    DotDistanceRow{g, s_i, s_j}.jacobian_gradient(b, x, out, first + 1);
  }
  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    DotDistanceRow{lambda[0] * f + lambda[1] * g, s_i, s_j}.multiplier_gradient(b, &ParallelRows::one, out);
  }
  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    DotDistanceRow{f, s_i, s_j}.acceleration_gradient(b, a, out_q, out_v, first);
    DotDistanceRow{g, s_i, s_j}.acceleration_gradient(b, a, out_q, out_v, first + 1);
  }
};

// --- distance --------------------------------------------------------------------------------------------------------

/// Phi = L - length, L = |d|, n = d/L, P = I - n n^T. The row is scaled to metres; d.d - length^2 would not be.
struct DistanceRow {
  static constexpr Index rows = 1, linear_rows = 1, angular_rows = 0;
  Vec3<> s_i, s_j;
  double length;  ///< m, > 0

  template <class Directions>
  TRAMMEL_INLINE void directions(const SpatialPair& b, Directions& out, Index first) const {
    const Vec3<> a_i = multiply(b.i.A, s_i), a_j = multiply(b.j.A, s_j);
    const Vec3<> d = position(b.j) + a_j - position(b.i) - a_i, n = (1 / norm(d)) * d;
    out.lever = out.second() ? a_j : a_i;
    out.linear_row(first, n);
    out.along(first, -dot(n, a_i), dot(n, a_j));
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    const MovingDistance<velocity> D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec3<> n = (1 / L) * D.d;
    if (out.Phi.data != nullptr) out.Phi[first] = L - length;
    if (out.Phi_q != nullptr) {
      write_row_if(out.Phi_q[0], first, -n, -b_transpose(D.B_i, n));
      write_row_if(out.Phi_q[1], first, n, b_transpose(D.B_j, n));
    }
    if constexpr (velocity) {
      const double rate = dot(n, D.d1);
      out.gamma[first] = -(dot(n, D.d2) + (dot(D.d1, D.d1) - rate * rate) / L);
    }
  }

  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    // Phi_q x = n.dx;  its derivative along y is (P dx / L).dy + n.d_qq x y
    const MovingDistance<false> D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec3<> n = (1 / L) * D.d, Dx = D.along(x), t = (1 / L) * (Dx - dot(n, Dx) * n);
    write_row_if(out[0], first, -t, -(b_transpose(D.B_i, t) + b_transpose(b_term(x.i.p, s_i), n)));
    write_row_if(out[1], first, t, b_transpose(D.B_j, t) + b_transpose(b_term(x.j.p, s_j), n));
  }

  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    // lambda (d_q^T (P / L) d_q + n.d_qq), column by column of d_q
    const MovingDistance<false> D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec3<> n = (1 / L) * D.d;
    if (out[0]) add_K(-*lambda, s_i, n, &out[0](3, 3), out[0].stride);
    if (out[3]) add_K(*lambda, s_j, n, &out[3](3, 3), out[3].stride);
    for (Index side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      const BTerm<double>& B = side == 0 ? D.B_i : D.B_j;
      for (Index k = 0; k < 7; ++k) {
        double unit[7] = {0, 0, 0, 0, 0, 0, 0};
        unit[k] = sign;
        const Vec3<> column = vec3(unit) + b_apply(B, vec4(unit + 3));
        const Vec3<> t = (*lambda / L) * (column - dot(n, column) * n);
        add_column(out[side], k, -t, -b_transpose(D.B_i, t));
        add_column(out[2 + side], k, t, b_transpose(D.B_j, t));
      }
    }
  }

  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    // psi = n.d'' + S/L, S = d'.d' - (n.d')^2:  psi_q = alpha^T d_q + beta^T (d')_q + n^T (d'')_q,
    //   alpha = P d''/L - 2 (n.d') P d'/L^2 - S n/L^2,  beta = 2 P d'/L;  psi_v = beta^T d_q + 2 n^T (d')_q
    const MovingDistance<true> D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec3<> n = (1 / L) * D.d, D2 = D.along(a) + D.d2;
    const double rate = dot(n, D.d1), S = dot(D.d1, D.d1) - rate * rate;
    const Vec3<> beta = (2 / L) * (D.d1 - rate * n);
    const Vec3<> alpha = (1 / L) * (D2 - dot(n, D2) * n) - (rate / L) * beta - (S / (L * L)) * n;
    const BTerm<double> D_vi = b_term(b.v_i, s_i), D_vj = b_term(b.v_j, s_j);
    write_row_if(out_q[0], first, -alpha,
                 -(b_transpose(D.B_i, alpha) + b_transpose(D_vi, beta) + b_transpose(b_term(a.i.p, s_i), n)));
    write_row_if(out_q[1], first, alpha,
                 b_transpose(D.B_j, alpha) + b_transpose(D_vj, beta) + b_transpose(b_term(a.j.p, s_j), n));
    write_row_if(out_v[0], first, -beta, -(b_transpose(D.B_i, beta) + 2.0 * b_transpose(D_vi, n)));
    write_row_if(out_v[1], first, beta, b_transpose(D.B_j, beta) + 2.0 * b_transpose(D_vj, n));
  }

 private:
  static void add_column(const MatrixView& block, Index k, const Vec3<>& r, const Vec4<>& p) {
    if (!block) return;
    double column[7];
    store(r, column), store(p, column + 3);
    for (Index n = 0; n < 7; ++n) block(n, k) += column[n];
  }
};

}  // namespace trammel::sdk
