// Implicit matrices of spatial rigid bodies in twists: a body's own terms, and blocks of coordinates turned into them.
#include "spatial_implicit.h"

#include "trammel/sdk/math/wide.h"

// With p as a quaternion, G(y)^T g = y g and E(p) x = vec(x conj(p)); vec(p g conj(p)) = A g. A change and an acceleration of
// p are dp = alpha p/2 + sigma p/pp, p'' = xi p/2 + s p/pp, and p' = omega p/2 + rho p/pp. Put into equations (2) to (4) of
// spatial_bodies.cpp, and multiplied by E/2 or by n = p/pp, these give for every p, with J_g = A J A^T:
//   E M E:  J_g alpha;  all else of M is 0
//   (M p'')_q:  E  alpha x h - J_g (alpha x xi/2 + alpha s/pp) + sigma 4 h/pp,  h = J_g xi/2                       (1)
//               n  -2 alpha.h/pp
//   Q_q:        E  2 omega x J_g c + 4 rho/pp J_g c,  c = -omega x alpha/4 + rho/(2 pp) alpha - sigma omega/(2 pp)  (2)
//               n  -4 omega.J_g c/pp
//   Q_v:        E  -alpha x J_g omega - omega x J_g alpha - 2 rho/pp J_g alpha - sigma 2 J_g omega/pp               (3)
//               n  4 alpha.J_g omega/pp
//   (mu p)_q:   E  mu pp/4 alpha,  n  mu sigma/pp                                                                  (4)
namespace trammel::spatial {
namespace {

using sdk::cross;
using sdk::dot;
using sdk::Vec3;
using sdk::vec3;
using sdk::Vec4;
using sdk::vec4;

constexpr Index turned_column = 48, turned_row = 56, block_numbers = 64;  // implicit_twists.h

TRAMMEL_INLINE Inertia turned(const Inertia& J, const double* A) {
  const Vec3<> x = J * vec3(A), y = J * vec3(A + 3), z = J * vec3(A + 6);
  return {dot(vec3(A), x), dot(vec3(A + 3), y), dot(vec3(A + 6), z),
          dot(vec3(A), y), dot(vec3(A), z),     dot(vec3(A + 3), z)};
}

/// Columns of a 3x3 matrix.
struct Columns {
  Vec3<> x, y, z;
};
/// B [a]x, columns B (a x e_k).
TRAMMEL_INLINE Columns times_cross(const Columns& B, const Vec3<>& a) {
  return {a.z * B.y - a.y * B.z, a.x * B.z - a.z * B.x, a.y * B.x - a.x * B.y};
}

// (1) to (3) together: with U = J_g [omega]x and W = [omega]x J_g = -U^T, columns over alpha are
//   J_g (1 - c0 (s + 2 rho^2) + 2 c1 rho) + J_g [c0 (xi/2 + rho omega)]x - [c0 h + c1 J_g omega]x
//     + (c1 - c0 rho) W + c0/2 W [omega]x + c0 mu pp/4
// where s and rho are divided by pp.
TRAMMEL_INLINE void write_own(const BodyData& data, const SpatialBodyState& b, const double* a, double mu, double c0,
                              double c1, double* out) {
  const Vec4<> p = sdk::parameters(b), p1 = sdk::parameter_rates(b), p2 = vec4(a + 3);
  const double by_pp = 1 / b.pp;
  const Inertia J = turned(data.J, b.A);
  const Vec3<> omega = (2 * by_pp) * sdk::E_apply(p, p1), xi = (2 * by_pp) * sdk::E_apply(p, p2);
  const double rho = by_pp * dot(p, p1), s = by_pp * dot(p, p2);
  const Vec3<> Jw = J * omega, h = 0.5 * (J * xi);
  const Columns Jg{{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
  const Columns U = times_cross(Jg, omega), X = times_cross(Jg, (0.5 * c0) * xi + (c0 * rho) * omega);
  const Columns W{{-U.x.x, -U.y.x, -U.z.x}, {-U.x.y, -U.y.y, -U.z.y}, {-U.x.z, -U.y.z, -U.z.z}};
  const Columns Y = times_cross(W, (0.5 * c0) * omega);
  const double of_J = 1 - c0 * (s + 2 * rho * rho) + 2 * c1 * rho, of_W = c1 - c0 * rho, kept = c0 * mu * b.pp / 4;
  const Vec3<> g = c0 * h + c1 * Jw;
  for (Index k = 0; k < block_numbers; ++k) out[k] = 0;
  out[0] = out[9] = out[18] = data.mass;
  sdk::store(of_J * Jg.x + X.x + of_W * W.x + Y.x + Vec3<>{kept, -g.z, g.y}, out + 28);
  sdk::store(of_J * Jg.y + X.y + of_W * W.y + Y.y + Vec3<>{g.z, kept, -g.x}, out + 36);
  sdk::store(of_J * Jg.z + X.z + of_W * W.z + Y.z + Vec3<>{-g.y, g.x, kept}, out + 44);
  const Vec3<> turning = cross(omega, Jw);
  // c = -omega/(2 pp) in (2)
  sdk::store(by_pp * ((4 * c0) * h + c0 * turning + (2 * c0 * rho + 2 * c1) * Jw), out + turned_column + 4);
  sdk::store(by_pp * (c0 * turning - (2 * c0) * h + (2 * c0 * rho - 4 * c1) * Jw), out + turned_row + 4);
  out[turned_row + 3] = c0 * by_pp * (mu - 2 * by_pp * dot(omega, Jw));
}

/// Row `in` of four numbers, `stride` apart, times [E^T/2, n].
TRAMMEL_INLINE Vec4<> turn(const Vec4<>& p, double by_pp, const Vec4<>& in) {
  return {by_pp * dot(p, in), 0.5 * sdk::E_apply(p, in)};
}

/// to += T_i^T from T_j
void add_turned(const SpatialBodyState& i, const SpatialBodyState& j, const double* from, double* to) {
  const Vec4<> p_i = sdk::parameters(i), p_j = sdk::parameters(j);
  const double by_i = 1 / i.pp, by_j = 1 / j.pp;
  double right[7][8];  // from T_j by columns: r, n, alpha as a twist is stored
  for (Index r = 0; r < 7; ++r) {
    for (Index k = 0; k < 3; ++k) right[k][r] = from[7 * k + r];
    const Vec4<> row = turn(p_j, by_j, {from[21 + r], {from[28 + r], from[35 + r], from[42 + r]}});
    right[3][r] = row.e.x, right[4][r] = row.e.y, right[5][r] = row.e.z, right[6][r] = row.e0;
  }
  for (Index k = 0; k < 7; ++k) {
    const Vec4<> turned = turn(p_i, by_i, vec4(right[k] + 3));
    double* out = to + 8 * k;
    for (Index r = 0; r < 3; ++r) out[r] += right[k][r];
    out[4] += turned.e.x, out[5] += turned.e.y, out[6] += turned.e.z;
    to[turned_row + (k < 3 ? k : k < 6 ? k + 1 : 3)] += turned.e0;
  }
}

}  // namespace

void SpatialImplicit::own_blocks(const void* states, const OwnTwistBlocks& own) const {
  sdk::wide([&] {
    const auto* b = static_cast<const SpatialBodyState*>(states);
    const double *a = own.a.data, *mu = own.mu.data;
    double* out = own.out;
    for (const BodyData& data : data_) {
      write_own(data, *b, a, *mu, own.c0, own.c1, out);
      ++b, ++mu, a += 7, out += block_numbers;
    }
  });
}

void SpatialImplicit::add_blocks(const void* states, const CoordinateBlock* blocks, Index count) const {
  const auto* b = static_cast<const SpatialBodyState*>(states);
  for (const CoordinateBlock* block = blocks; block != blocks + count; ++block)
    add_turned(b[block->row_body], b[block->column_body], block->from, block->to);
}

}  // namespace trammel::spatial
