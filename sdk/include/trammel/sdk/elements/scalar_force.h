// Forces along one scalar coordinate x(q) of two bodies (a length, an angle): Q = -F(x, x') x_q, with exact gradients.
#pragma once

#include "trammel/force.h"
#include "trammel/sdk/elements/planar_rows.h"
#include "trammel/sdk/elements/spatial_distance_rows.h"

//   Q   = -F x_q^T                                                                                                (1)
//   Q_q = -x_q^T (F_x x_q + F_r x'_q) - F x_qq,  Q_v = -F_r x_q^T x_q,  x' = x_q v,  x'_q = x_qq v                (2)
namespace trammel::sdk {

/// A scalar coordinate at a state: N = 3 (planar) or 7 (spatial) local columns per body.
template <Index N>
struct ScalarTerms {
  double value;     ///< x
  double rate;      ///< x'
  double q[2][N];   ///< x_q per body
  double q1[2][N];  ///< x'_q per body
};

/// Adds (1); `Q` has two views, that of ground empty.
template <Index N>
void add_scalar_force(const ScalarTerms<N>& x, double F, const VectorView* Q) {
  for (Index b = 0; b < 2; ++b) {
    if (Q[b].data == nullptr) continue;
    for (Index k = 0; k < N; ++k) Q[b].data[k] -= F * x.q[b][k];
  }
}

/// Adds (2) without its last term, -F x_qq, which the coordinate's `add_hessian` adds.
template <Index N>
void add_scalar_gradients(const ScalarTerms<N>& x, double F_x, double F_r, const MatrixView* Q_q,
                          const MatrixView* Q_v) {
  for (Index b = 0; b < 2; ++b) {
    for (Index c = 0; c < 2; ++c) {
      const Index n = 2 * b + c;
      for (Index k = 0; k < N; ++k) {
        const double by_q = F_x * x.q[c][k] + F_r * x.q1[c][k], by_v = F_r * x.q[c][k];
        if (Q_q != nullptr && Q_q[n]) {
          for (Index m = 0; m < N; ++m) Q_q[n](m, k) -= x.q[b][m] * by_q;
        }
        if (Q_v != nullptr && Q_v[n]) {
          for (Index m = 0; m < N; ++m) Q_v[n](m, k) -= x.q[b][m] * by_v;
        }
      }
    }
  }
}

// --- Lengths: x = |d|, x_q = n^T d_q, x'_q = (P d'/x)^T d_q + n^T (d')_q; undefined at d = 0
// ---------------------------

struct SpatialLength {
  static constexpr Index coordinates = 7;
  Vec3<> s_i, s_j;  ///< m, body-fixed

  Vec3<> vector(const ElementState& s) const { return MovingDistance<false>(SpatialPair(s), s_i, s_j).d; }
  double length(const ElementState& s) const { return norm(vector(s)); }

  ScalarTerms<7> terms(const ElementState& s) const {
    const SpatialPair b(s);
    const MovingDistance<true> D(b, s_i, s_j);
    ScalarTerms<7> x;
    x.value = norm(D.d);
    const Vec3<> n = (1 / x.value) * D.d;
    x.rate = dot(n, D.d1);
    const Vec3<> t = (1 / x.value) * (D.d1 - x.rate * n);
    store(-n, x.q[0]), store(-b_transpose(D.B_i, n), x.q[0] + 3);
    store(n, x.q[1]), store(b_transpose(D.B_j, n), x.q[1] + 3);
    store(-t, x.q1[0]), store(-(b_transpose(D.B_i, t) + b_transpose(b_term(b.v_i, s_i), n)), x.q1[0] + 3);
    store(t, x.q1[1]), store(b_transpose(D.B_j, t) + b_transpose(b_term(b.v_j, s_j), n), x.q1[1] + 3);
    return x;
  }
  void add_hessian(const ElementState& s, double scale, const MatrixView* out) const {
    DistanceRow{s_i, s_j, 0}.multiplier_gradient(SpatialPair(s), &scale, out);
  }
  /// Column k of d_q of body `side`.
  Vec3<> column(const ElementState& s, Index side, Index k) const {
    const Vec4<> p = parameters(s.body<SpatialBodyState>(side));
    double unit[7] = {0, 0, 0, 0, 0, 0, 0};
    unit[k] = side == 0 ? -1 : 1;
    return vec3(unit) + b_apply(b_term(p, side == 0 ? s_i : s_j), vec4(unit + 3));
  }
};

struct PlanarLength {
  static constexpr Index coordinates = 3;
  Vec2<> s_i, s_j;  ///< m, body-fixed

  Vec2<> vector(const ElementState& s) const { return PlanarDistance(PlanarPair(s), s_i, s_j).d; }
  double length(const ElementState& s) const { return norm(vector(s)); }

  ScalarTerms<3> terms(const ElementState& s) const {
    const PlanarDistance D(PlanarPair(s), s_i, s_j);
    ScalarTerms<3> x;
    x.value = norm(D.d);
    const Vec2<> n = (1 / x.value) * D.d;
    x.rate = dot(n, D.d1);
    const Vec2<> t = (1 / x.value) * (D.d1 - x.rate * n);
    store(-n, x.q[0]), x.q[0][2] = -dot(n, perp(D.a_i));
    store(n, x.q[1]), x.q[1][2] = dot(n, perp(D.a_j));
    store(-t, x.q1[0]), x.q1[0][2] = -dot(t, perp(D.a_i)) + D.w_i * dot(n, D.a_i);
    store(t, x.q1[1]), x.q1[1][2] = dot(t, perp(D.a_j)) - D.w_j * dot(n, D.a_j);
    return x;
  }
  void add_hessian(const ElementState& s, double scale, const MatrixView* out) const {
    PlanarDistanceRow{s_i, s_j, 0}.multiplier_gradient(PlanarPair(s), &scale, out);
  }
  /// Column k of d_q of body `side`.
  Vec2<> column(const ElementState& s, Index side, Index k) const {
    const double sign = side == 0 ? -1 : 1;
    if (k < 2) return {k == 0 ? sign : 0.0, k == 1 ? sign : 0.0};
    return sign * perp(rotate(s.body<PlanarBodyState>(side), side == 0 ? s_i : s_j));
  }
};

// --- Angles ----------------------------------------------------------------------------------------------------------

/// Relative angle of the second body about an axis: theta = arg z, z = x + i y, x = F_j.F_i, y = F_j.G_i, right-handed
/// about F_i x G_i; F = A f, G = A g. Defined for every attitude with z != 0: no joint has to keep the axes parallel.
///   theta_q = Im(z_q / z),  theta_qq = Im(z_qq / z) - (kappa^T theta_q + theta_q^T kappa),  kappa = Re(z_q / z)   (3)
struct SpatialAngle {
  static constexpr Index coordinates = 7;
  Vec3<> f_i, g_i, f_j;

  /// Modulo 2 pi.
  double principal(const ElementState& s) const {
    const SpatialBodyState &i = s.body<SpatialBodyState>(0), &j = s.body<SpatialBodyState>(1);
    const Vec3<> F_j = multiply(j.A, f_j);
    return std::atan2(dot(F_j, multiply(i.A, g_i)), dot(F_j, multiply(i.A, f_i)));
  }
  /// Value modulo 2 pi.
  ScalarTerms<7> terms(const ElementState& s) const {
    const SpatialPair b(s);
    const MovingVector<true> F_i(b.i, b.p_i, b.v_i, f_i), G_i(b.i, b.p_i, b.v_i, g_i), F_j(b.j, b.p_j, b.v_j, f_j);
    const double x = dot(F_j.a, F_i.a), y = dot(F_j.a, G_i.a), rho = x * x + y * y;
    const Vec4<> x_i = b_transpose(F_i.B, F_j.a), x_j = b_transpose(F_j.B, F_i.a);
    const Vec4<> y_i = b_transpose(G_i.B, F_j.a), y_j = b_transpose(F_j.B, G_i.a);
    const double cx = x / rho, cy = y / rho;                            // 1/z = cx - i cy
    const Vec4<> t_i = cx * y_i - cy * x_i, t_j = cx * y_j - cy * x_j;  // theta_q
    const Vec4<> k_i = cx * x_i + cy * y_i, k_j = cx * x_j + cy * y_j;  // kappa
    const double rate = dot(t_i, b.v_i) + dot(t_j, b.v_j), kappa = dot(k_i, b.v_i) + dot(k_j, b.v_j);
    // Im(z_qq v / z): the dot1 terms of the vector (x g - y f)/rho of body i, which is held fixed here.
    const Vec3<> e_i = cx * g_i - cy * f_i, E_i = cx * G_i.a - cy * F_i.a, E_i1 = cx * G_i.a1 - cy * F_i.a1;
    const BTerm<double> B_e = b_term(b.p_i, e_i);
    const Vec4<> h_i = b_transpose(b_term(b.v_i, e_i), F_j.a) + b_transpose(B_e, F_j.a1);
    const Vec4<> h_j = b_transpose(b_term(b.v_j, f_j), E_i) + b_transpose(F_j.B, E_i1);

    ScalarTerms<7> out{};
    out.value = std::atan2(y, x);
    out.rate = rate;
    store(t_i, out.q[0] + 3), store(t_j, out.q[1] + 3);
    store(h_i - rate * k_i - kappa * t_i, out.q1[0] + 3);
    store(h_j - rate * k_j - kappa * t_j, out.q1[1] + 3);
    return out;
  }
  void add_hessian(const ElementState& s, double scale, const MatrixView* out) const {
    const SpatialPair b(s);
    const MovingVector<false> F_i(b.i, b.p_i, b.v_i, f_i), G_i(b.i, b.p_i, b.v_i, g_i), F_j(b.j, b.p_j, b.v_j, f_j);
    const double x = dot(F_j.a, F_i.a), y = dot(F_j.a, G_i.a), rho = x * x + y * y, cx = x / rho, cy = y / rho;
    const Vec4<> x_q[2] = {b_transpose(F_i.B, F_j.a), b_transpose(F_j.B, F_i.a)};
    const Vec4<> y_q[2] = {b_transpose(G_i.B, F_j.a), b_transpose(F_j.B, G_i.a)};
    DotRow{cx * g_i - cy * f_i, f_j}.multiplier_gradient(b, &scale, out);
    for (Index left = 0; left < 2; ++left) {
      for (Index right = 0; right < 2; ++right) {
        const MatrixView& block = out[2 * left + right];
        if (!block) continue;
        const Vec4<> t_l = cx * y_q[left] - cy * x_q[left], t_r = cx * y_q[right] - cy * x_q[right];
        const Vec4<> k_l = cx * x_q[left] + cy * y_q[left], k_r = cx * x_q[right] + cy * y_q[right];
        add_outer(block, 3, 3, -scale, k_l, t_r);
        add_outer(block, 3, 3, -scale, t_l, k_r);
      }
    }
  }
};

/// phi_j - phi_i.
struct PlanarAngle {
  static constexpr Index coordinates = 3;

  ScalarTerms<3> terms(const ElementState& s) const {
    const PlanarPair b(s);
    return {b.j.phi - b.i.phi, b.j.omega - b.i.omega, {{0, 0, -1}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}};
  }
  void add_hessian(const ElementState&, double, const MatrixView*) const {}
};

}  // namespace trammel::sdk
