// Kernel of one spatial row: the relative angle of two bodies about an axis.
#pragma once

#include "trammel/sdk/elements/scalar_force.h"

// theta = arg z, z = x + i y, x = F_i.F_j, y = G_i.F_j, F = A f, G = A g: right-handed about F_i x G_i (SpatialAngle).
// No joint has to keep the axes parallel; theta does not change with |p|. With w = 1/z = (x - i y)/rho, rho = x^2 +
// y^2:
//
//   theta_q x          = Im(w z_q x)                                                                              (1)
//   (theta_q x)_q y    = Im(w z_qq x y - w^2 (z_q x) (z_q y))                                                     (2)
//   psi = theta''      = Im(w z'' - w^2 z'^2)                                                                     (3)
//   psi_q y = Im(w (z'')_q y - 2 w^2 z' (z')_q y + (2 w^3 z'^2 - w^2 z'') z_q y),  (z')_q = z_qq v                 (4)
//   psi_v y = Im(w (z'')_v y - 2 w^2 z' z_q y)                                                                    (5)
//
// x and y are dot1 rows of f_j with f_i and g_i. dot1 is linear in the vector of body i, so Im(c z_q y) for a complex c
// is one dot1 row with the vector Re(c) g_i + Im(c) f_i: every term above is a term of DotRow.
namespace trammel::sdk {

struct SpatialAngleRow {
  static constexpr Index rows = 1;
  SpatialAngle angle;

  template <bool velocity>
  void evaluate(const SpatialPair& b, const ConstraintOutput& out, Index first) const {
    const Terms z(*this, b);
    if (out.Phi.data != nullptr) out.Phi[first] = std::atan2(z.y, z.x);
    if (out.Phi_q != nullptr) {
      ConstraintOutput jacobian;
      jacobian.Phi_q = out.Phi_q;
      row(z.w).evaluate<false>(b, jacobian, first);  // (1)
    }
    if constexpr (velocity) {
      const Complex w1 = z.w * z.rate(), w2 = z.w * z.quadratic();
      out.gamma[first] = -(w2.im - 2 * w1.re * w1.im);  // (3), without z_q a
    }
  }

  void jacobian_gradient(const SpatialPair& b, const SpatialPairVector& x, const MatrixView* out, Index first) const {
    const Terms z(*this, b);
    row(z.w).jacobian_gradient(b, x, out, first);  // (2)
    add_row(b, -1.0 * (z.w * z.w * z.along(x)), out, first);
  }

  void multiplier_gradient(const SpatialPair& b, const double* lambda, const MatrixView* out) const {
    // The Hessian: (2) for all x, y.
    const Terms z(*this, b);
    row(z.w).multiplier_gradient(b, lambda, out);
    const Complex w2 = z.w * z.w;
    for (Index left = 0; left < 2; ++left) {
      const Vec4<>&x = z.x_q[left], &y = z.y_q[left];
      for (Index right = 0; right < 2; ++right) {
        const MatrixView& block = out[2 * left + right];
        if (!block) continue;
        // Im(w^2 (x_q + i y_q)^T (x_q + i y_q))
        add_outer(block, 3, 3, -*lambda, x, w2.im * z.x_q[right] + w2.re * z.y_q[right]);
        add_outer(block, 3, 3, -*lambda, y, w2.re * z.x_q[right] - w2.im * z.y_q[right]);
      }
    }
  }

  void acceleration_gradient(const SpatialPair& b, const SpatialPairVector& a, const MatrixView* out_q,
                             const MatrixView* out_v, Index first) const {
    const Terms z(*this, b);
    const Complex w1 = z.w * z.rate();
    const Complex z2 = z.along(a) + z.quadratic();
    row(z.w).acceleration_gradient(b, a, out_q, out_v, first);
    add_row(b, 2.0 * (z.w * w1 * w1) - z.w * z.w * z2, out_q, first);  // (4)
    add_gradient_row(b, -2.0 * (z.w * w1), out_q, first);
    add_row(b, -2.0 * (z.w * w1), out_v, first);  // (5)
  }

 private:
  struct Complex {
    double re, im;
    friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
    friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
    friend Complex operator*(const Complex& a, const Complex& b) {
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    friend Complex operator*(double s, const Complex& a) { return {s * a.re, s * a.im}; }
  };

  /// z, 1/z and z_q; only the rotations count.
  struct Terms {
    MovingVector<true> F, G, H;  ///< f_i, g_i, f_j
    double x, y;
    Complex w;
    Vec4<> x_q[2], y_q[2];

    Terms(const SpatialAngleRow& r, const SpatialPair& b)
        : F(b.i, b.p_i, b.v_i, r.angle.f_i),
          G(b.i, b.p_i, b.v_i, r.angle.g_i),
          H(b.j, b.p_j, b.v_j, r.angle.f_j),
          x(dot(F.a, H.a)),
          y(dot(G.a, H.a)),
          w{x / (x * x + y * y), -y / (x * x + y * y)},
          x_q{b_transpose(F.B, H.a), b_transpose(H.B, F.a)},
          y_q{b_transpose(G.B, H.a), b_transpose(H.B, G.a)} {}

    Complex along(const SpatialPairVector& d) const {
      return {dot(x_q[0], d.i.p) + dot(x_q[1], d.j.p), dot(y_q[0], d.i.p) + dot(y_q[1], d.j.p)};
    }
    /// z'
    Complex rate() const { return {dot(F.a1, H.a) + dot(F.a, H.a1), dot(G.a1, H.a) + dot(G.a, H.a1)}; }
    /// The part of z'' that is quadratic in v.
    Complex quadratic() const {
      return {dot(F.a2, H.a) + dot(F.a, H.a2) + 2 * dot(F.a1, H.a1),
              dot(G.a2, H.a) + dot(G.a, H.a2) + 2 * dot(G.a1, H.a1)};
    }
  };

  /// The dot1 row whose Jacobian is Im(c z_q).
  DotRow row(const Complex& c) const { return {c.re * angle.g_i + c.im * angle.f_i, angle.f_j}; }

  /// Adds Im(c z_q) to the p columns of a row.
  void add_row(const SpatialPair& b, const Complex& c, const MatrixView* out, Index first) const {
    const DotRow r = row(c);
    add(out[0], first, b_transpose(b_term(b.p_i, r.f), multiply(b.j.A, r.h)));
    add(out[1], first, b_transpose(b_term(b.p_j, r.h), multiply(b.i.A, r.f)));
  }
  /// Adds Im(c z_qq v).
  void add_gradient_row(const SpatialPair& b, const Complex& c, const MatrixView* out, Index first) const {
    const DotRow r = row(c);
    const BTerm<double> F = b_term(b.p_i, r.f), H = b_term(b.p_j, r.h);
    add(out[0], first, b_transpose(b_term(b.v_i, r.f), multiply(b.j.A, r.h)) + b_transpose(F, b_apply(H, b.v_j)));
    add(out[1], first, b_transpose(b_term(b.v_j, r.h), multiply(b.i.A, r.f)) + b_transpose(H, b_apply(F, b.v_i)));
  }
  static void add(const MatrixView& block, Index row, const Vec4<>& p) {
    if (!block) return;
    block(row, 3) += p.e0, block(row, 4) += p.e.x, block(row, 5) += p.e.y, block(row, 6) += p.e.z;
  }
};

}  // namespace trammel::sdk
