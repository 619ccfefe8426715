// Kernels of the planar rows: inline row groups from which the planar constraint types are made.
#pragma once

#include "trammel/constraint.h"
#include "trammel/sdk/elements/joint_directions.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 3. Bodies i and j, angle phi,
// A = A(phi); a body-fixed vector a = A s has a_phi = perp(a), a_phiphi = -a; points P = r + A s, d = P_j - P_i; n is
// a unit vector fixed in body i.
//
//   point     Phi = d                             2 rows, m
//   line      Phi = n.d                           1 row, m
//   angle     Phi = phi_j - phi_i - value         1 row, rad
//   distance  Phi = |d| - length                  1 row, m; singular at d = 0, which is refused
//
// Methods of a kernel as in spatial_rows.h.
namespace trammel::sdk {

struct PlanarPair {
  const PlanarBodyState& i;
  const PlanarBodyState& j;

  TRAMMEL_INLINE explicit PlanarPair(const ElementState& s)
      : i(s.body<PlanarBodyState>(0)), j(s.body<PlanarBodyState>(1)) {}

  template <Index linear, Index angular>
  using Directions = PlanarDirections<linear, angular>;
};

struct PlanarPairVector {
  PlanarVector i, j;

  TRAMMEL_INLINE explicit PlanarPairVector(const ConstVectorView* x) : i(planar_vector(x[0])), j(planar_vector(x[1])) {}
};

TRAMMEL_INLINE void write_row_if(const MatrixView& block, Index row, const Vec2<>& r, double phi) {
  if (block) write_row(block, row, r, phi);
}

/// d = P_j - P_i with its velocity terms.
struct PlanarDistance {
  Vec2<> a_i, a_j;   ///< A s
  Vec2<> d, d1, d2;  ///< d, d', part of d'' quadratic in the velocities
  double w_i, w_j;   ///< omega

  TRAMMEL_INLINE PlanarDistance(const PlanarPair& b, const Vec2<>& s_i, const Vec2<>& s_j)
      : a_i(rotate(b.i, s_i)),
        a_j(rotate(b.j, s_j)),
        d(position(b.j) + a_j - position(b.i) - a_i),
        d1(velocity(b.j) + b.j.omega * perp(a_j) - velocity(b.i) - b.i.omega * perp(a_i)),
        d2((b.i.omega * b.i.omega) * a_i - (b.j.omega * b.j.omega) * a_j),
        w_i(b.i.omega),
        w_j(b.j.omega) {}

  /// d_q x
  Vec2<> along(const PlanarPairVector& x) const { return x.j.r + x.j.phi * perp(a_j) - x.i.r - x.i.phi * perp(a_i); }
  /// Gradients of d'' = d_q a + d2 with respect to phi, for the angular accelerations of a.
  Vec2<> D2_phi_i(double alpha) const { return alpha * a_i + (w_i * w_i) * perp(a_i); }
  Vec2<> D2_phi_j(double alpha) const { return -alpha * a_j - (w_j * w_j) * perp(a_j); }
};

// --- point -----------------------------------------------------------------------------------------------------------

struct PlanarPointRows {
  static constexpr Index rows = 2, linear_rows = 2, angular_rows = 0;
  Vec2<> s_i, s_j;  ///< m, body-fixed

  template <class Directions>
  TRAMMEL_INLINE void directions(const PlanarPair& b, Directions& out, Index first) const {
    const Vec2<> a_i = rotate(b.i, s_i), a_j = rotate(b.j, s_j);
    out.lever = out.second() ? a_j : a_i;
    out.shift = out.second() ? a_i - a_j : a_j - a_i;
    out.linear_row(first, {1, 0}), out.linear_row(first + 1, {0, 1});
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const PlanarPair& b, const ConstraintOutput& out, Index first) const {
    const Vec2<> a_i = rotate(b.i, s_i), a_j = rotate(b.j, s_j);
    if (out.Phi.data != nullptr) store(position(b.j) + a_j - position(b.i) - a_i, out.Phi.data + first);
    if (out.Phi_q != nullptr) {
      write(out.Phi_q[0], first, -1, -perp(a_i));
      write(out.Phi_q[1], first, 1, perp(a_j));
    }
    if constexpr (velocity) {
      store((b.j.omega * b.j.omega) * a_j - (b.i.omega * b.i.omega) * a_i, out.gamma.data + first);
    }
  }
  void jacobian_gradient(const PlanarPair& b, const PlanarPairVector& x, const MatrixView* out, Index first) const {
    write(out[0], first, 0, x.i.phi * rotate(b.i, s_i));
    write(out[1], first, 0, -x.j.phi * rotate(b.j, s_j));
  }
  void multiplier_gradient(const PlanarPair& b, const double* lambda, const MatrixView* out) const {
    if (out[0]) out[0](2, 2) += dot(vec2(lambda), rotate(b.i, s_i));
    if (out[3]) out[3](2, 2) -= dot(vec2(lambda), rotate(b.j, s_j));
  }
  static constexpr bool couples_bodies = false;
  TRAMMEL_INLINE void multiplier_twists(const PlanarPair& b, const double* lambda, double scale,
                                        double* const* blocks) const {
    if (blocks[0] != nullptr) blocks[0][10] += scale * dot(vec2(lambda), rotate(b.i, s_i));
    if (blocks[3] != nullptr) blocks[3][10] -= scale * dot(vec2(lambda), rotate(b.j, s_j));
  }

  void acceleration_gradient(const PlanarPair& b, const PlanarPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    write(out_q[0], first, 0, D.D2_phi_i(a.i.phi));
    write(out_q[1], first, 0, D.D2_phi_j(a.j.phi));
    write(out_v[0], first, 0, (2 * D.w_i) * D.a_i);
    write(out_v[1], first, 0, (-2 * D.w_j) * D.a_j);
  }

 private:
  /// Two rows [identity * I, phi].
  static void write(const MatrixView& block, Index first, double identity, const Vec2<>& phi) {
    if (!block) return;
    write_row(block, first, Vec2<>{identity, 0}, phi.x);
    write_row(block, first + 1, Vec2<>{0, identity}, phi.y);
  }
};

// --- line ------------------------------------------------------------------------------------------------------------

struct PlanarLineRow {
  static constexpr Index rows = 1, linear_rows = 1, angular_rows = 0;
  Vec2<> n_i;       ///< unit normal of the line, fixed in body i
  Vec2<> s_i, s_j;  ///< m

  template <class Directions>
  TRAMMEL_INLINE void directions(const PlanarPair& b, Directions& out, Index first) const {
    const Vec2<> a_j = rotate(b.j, s_j);
    out.lever = out.second() ? a_j : position(b.j) + a_j - position(b.i);  // n turns with body i
    out.linear_row(first, rotate(b.i, n_i));
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const PlanarPair& b, const ConstraintOutput& out, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    const Vec2<> n = rotate(b.i, n_i);
    if (out.Phi.data != nullptr) out.Phi[first] = dot(n, D.d);
    if (out.Phi_q != nullptr) {
      write_row_if(out.Phi_q[0], first, -n, dot(perp(n), D.d) - dot(n, perp(D.a_i)));
      write_row_if(out.Phi_q[1], first, n, dot(n, perp(D.a_j)));
    }
    if constexpr (velocity) {
      // n'' = -omega^2 n
      out.gamma[first] = D.w_i * D.w_i * dot(n, D.d) - 2 * D.w_i * dot(perp(n), D.d1) - dot(n, D.d2);
    }
  }
  void jacobian_gradient(const PlanarPair& b, const PlanarPairVector& x, const MatrixView* out, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    const Vec2<> n = rotate(b.i, n_i), nx = x.i.phi * perp(n), Dx = D.along(x);
    write_row_if(out[0], first, -nx,
                 -x.i.phi * dot(n, D.d) - dot(nx, perp(D.a_i)) + dot(perp(n), Dx) + x.i.phi * dot(n, D.a_i));
    write_row_if(out[1], first, nx, dot(nx, perp(D.a_j)) - x.j.phi * dot(n, D.a_j));
  }
  void multiplier_gradient(const PlanarPair& b, const double* lambda, const MatrixView* out) const {
    const PlanarDistance D(b, s_i, s_j);
    const Vec2<> n = rotate(b.i, n_i), t = *lambda * perp(n);
    const double n_j = *lambda * dot(n, D.a_j);
    if (out[0]) {
      out[0](0, 2) -= t.x, out[0](1, 2) -= t.y, out[0](2, 0) -= t.x, out[0](2, 1) -= t.y;
      out[0](2, 2) -= *lambda * (dot(n, D.d) + dot(n, D.a_i));
    }
    if (out[1]) out[1](2, 0) += t.x, out[1](2, 1) += t.y, out[1](2, 2) += n_j;
    if (out[2]) out[2](0, 2) += t.x, out[2](1, 2) += t.y, out[2](2, 2) += n_j;
    if (out[3]) out[3](2, 2) -= n_j;
  }
  void acceleration_gradient(const PlanarPair& b, const PlanarPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    // psi = n''.d + 2 n'.d' + n.d''
    const PlanarDistance D(b, s_i, s_j);
    const double w = D.w_i, alpha = a.i.phi;
    const Vec2<> n = rotate(b.i, n_i), t = perp(n), n1 = w * t, n2 = alpha * t - (w * w) * n, D2 = D.along(a) + D.d2;
    write_row_if(out_q[0], first, -n2,
                 -dot(alpha * n + (w * w) * t, D.d) - 2 * w * dot(n, D.d1) + dot(t, D2) - dot(n2, perp(D.a_i)) +
                     2 * w * dot(n1, D.a_i) + dot(n, D.D2_phi_i(alpha)));
    write_row_if(out_q[1], first, n2, dot(n2, perp(D.a_j)) - 2 * D.w_j * dot(n1, D.a_j) + dot(n, D.D2_phi_j(a.j.phi)));
    write_row_if(out_v[0], first, -2.0 * n1,
                 -2 * w * dot(n, D.d) + 2 * dot(t, D.d1) - 2 * dot(n1, perp(D.a_i)) + 2 * w * dot(n, D.a_i));
    write_row_if(out_v[1], first, 2.0 * n1, 2 * dot(n1, perp(D.a_j)) - 2 * D.w_j * dot(n, D.a_j));
  }
};

// --- angle -----------------------------------------------------------------------------------------------------------

struct PlanarAngleRow {
  static constexpr Index rows = 1, linear_rows = 0, angular_rows = 1;
  double value;  ///< rad

  template <class Directions>
  TRAMMEL_INLINE void directions(const PlanarPair&, Directions& out, Index first) const {
    out.angular_row(first);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const PlanarPair& b, const ConstraintOutput& out, Index first) const {
    if (out.Phi.data != nullptr) out.Phi[first] = b.j.phi - b.i.phi - value;
    if (out.Phi_q != nullptr) {
      write_row_if(out.Phi_q[0], first, {0, 0}, -1);
      write_row_if(out.Phi_q[1], first, {0, 0}, 1);
    }
    if constexpr (velocity) out.gamma[first] = 0;
  }
  void jacobian_gradient(const PlanarPair&, const PlanarPairVector&, const MatrixView* out, Index first) const {
    for (Index k = 0; k < 2; ++k) write_row_if(out[k], first, {0, 0}, 0);
  }
  void multiplier_gradient(const PlanarPair&, const double*, const MatrixView*) const {}
  void acceleration_gradient(const PlanarPair&, const PlanarPairVector&, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    for (Index k = 0; k < 2; ++k) {
      write_row_if(out_q[k], first, {0, 0}, 0);
      write_row_if(out_v[k], first, {0, 0}, 0);
    }
  }
};

// --- distance --------------------------------------------------------------------------------------------------------

/// Phi = L - length, L = |d|, n = d/L, P = I - n n^T; derivation as for the spatial DistanceRow.
struct PlanarDistanceRow {
  static constexpr Index rows = 1, linear_rows = 1, angular_rows = 0;
  Vec2<> s_i, s_j;
  double length;  ///< m, > 0

  template <class Directions>
  TRAMMEL_INLINE void directions(const PlanarPair& b, Directions& out, Index first) const {
    const Vec2<> a_i = rotate(b.i, s_i), a_j = rotate(b.j, s_j), d = position(b.j) + a_j - position(b.i) - a_i;
    out.lever = out.second() ? a_j : a_i;
    out.linear_row(first, (1 / norm(d)) * d);
  }

  template <bool velocity>
  TRAMMEL_INLINE void evaluate(const PlanarPair& b, const ConstraintOutput& out, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec2<> n = (1 / L) * D.d;
    if (out.Phi.data != nullptr) out.Phi[first] = L - length;
    if (out.Phi_q != nullptr) {
      write_row_if(out.Phi_q[0], first, -n, -dot(n, perp(D.a_i)));
      write_row_if(out.Phi_q[1], first, n, dot(n, perp(D.a_j)));
    }
    if constexpr (velocity) {
      const double rate = dot(n, D.d1);
      out.gamma[first] = -(dot(n, D.d2) + (dot(D.d1, D.d1) - rate * rate) / L);
    }
  }
  void jacobian_gradient(const PlanarPair& b, const PlanarPairVector& x, const MatrixView* out, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec2<> n = (1 / L) * D.d, Dx = D.along(x), t = (1 / L) * (Dx - dot(n, Dx) * n);
    write_row_if(out[0], first, -t, x.i.phi * dot(n, D.a_i) - dot(t, perp(D.a_i)));
    write_row_if(out[1], first, t, dot(t, perp(D.a_j)) - x.j.phi * dot(n, D.a_j));
  }
  void multiplier_gradient(const PlanarPair& b, const double* lambda, const MatrixView* out) const {
    const PlanarDistance D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec2<> n = (1 / L) * D.d;
    if (out[0]) out[0](2, 2) += *lambda * dot(n, D.a_i);
    if (out[3]) out[3](2, 2) -= *lambda * dot(n, D.a_j);
    const Vec2<> columns[2][3] = {{{-1, 0}, {0, -1}, -perp(D.a_i)}, {{1, 0}, {0, 1}, perp(D.a_j)}};  // d_q
    for (Index left = 0; left < 2; ++left) {
      for (Index right = 0; right < 2; ++right) {
        const MatrixView& block = out[2 * left + right];
        if (!block) continue;
        for (Index k = 0; k < 3; ++k) {
          const Vec2<>& c = columns[right][k];
          const Vec2<> t = (*lambda / L) * (c - dot(n, c) * n);
          for (Index m = 0; m < 3; ++m) block(m, k) += dot(columns[left][m], t);
        }
      }
    }
  }
  void acceleration_gradient(const PlanarPair& b, const PlanarPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    const PlanarDistance D(b, s_i, s_j);
    const double L = norm(D.d);
    const Vec2<> n = (1 / L) * D.d, D2 = D.along(a) + D.d2;
    const double rate = dot(n, D.d1), S = dot(D.d1, D.d1) - rate * rate;
    const Vec2<> beta = (2 / L) * (D.d1 - rate * n);
    const Vec2<> alpha = (1 / L) * (D2 - dot(n, D2) * n) - (rate / L) * beta - (S / (L * L)) * n;
    write_row_if(out_q[0], first, -alpha,
                 -dot(alpha, perp(D.a_i)) + D.w_i * dot(beta, D.a_i) + dot(n, D.D2_phi_i(a.i.phi)));
    write_row_if(out_q[1], first, alpha,
                 dot(alpha, perp(D.a_j)) - D.w_j * dot(beta, D.a_j) + dot(n, D.D2_phi_j(a.j.phi)));
    write_row_if(out_v[0], first, -beta, -dot(beta, perp(D.a_i)) + 2 * D.w_i * dot(n, D.a_i));
    write_row_if(out_v[1], first, beta, dot(beta, perp(D.a_j)) - 2 * D.w_j * dot(n, D.a_j));
  }
};

}  // namespace trammel::sdk
