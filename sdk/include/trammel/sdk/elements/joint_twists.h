// Gradients of joints' forces in twists, and which row groups say them.
#pragma once

#include "trammel/extensions/implicit_twists.h"
#include "trammel/sdk/elements/bodies.h"

// On any p a rotated vector a = A(p) s changes with the twist and s of its body (implicit_twists.h) by
//   da = alpha x a + 2 sigma/pp a
// and g.a has the second derivatives, with (5) of euler_parameters.h turned into global axes,
//   alpha, alpha  (a g^T + g a^T - (a.g) I)/2      alpha, sigma  a x g/pp      sigma, sigma  2 a.g/pp^2
// A kernel that says them has `couples_bodies` and `multiplier_twists(pair, lambda, scale, blocks)`.
namespace trammel::sdk {

/// Where the parts of a spatial block lie.
struct TwistBlock {
  static constexpr Index column = 48, row = 56;
};

/// block += scale times the second derivatives of g.a of one body.
TRAMMEL_INLINE void add_turned_vector(double* block, double scale, const Vec3<>& a, const Vec3<>& g, double pp) {
  const double by_pp = 1 / pp, ag = dot(a, g);
  const Vec3<> u = (0.5 * scale) * a, w = (scale * by_pp) * cross(a, g);
  const double d = 0.5 * scale * ag;
  const double xy = u.x * g.y + u.y * g.x, xz = u.x * g.z + u.z * g.x, yz = u.y * g.z + u.z * g.y;
  double* out = block + 28;
  out[0] += 2 * u.x * g.x - d, out[1] += xy, out[2] += xz;
  out[8] += xy, out[9] += 2 * u.y * g.y - d, out[10] += yz;
  out[16] += xz, out[17] += yz, out[18] += 2 * u.z * g.z - d;
  double *column = block + TwistBlock::column + 4, *row = block + TwistBlock::row + 4;
  column[0] += w.x, column[1] += w.y, column[2] += w.z;
  row[0] += w.x, row[1] += w.y, row[2] += w.z;
  row[-1] += 4 * d * by_pp * by_pp;
}

/// block += scale times the second derivatives of a.b by both bodies, a of the row's, b of the column's.
TRAMMEL_INLINE void add_turned_product(double* block, double scale, const Vec3<>& a, double pp_a, const Vec3<>& b,
                                       double pp_b) {
  const Vec3<> u = scale * a;
  const double ab = dot(u, b), by_a = 2 / pp_a, by_b = 2 / pp_b;
  const Vec3<> across = cross(u, b);
  double* out = block + 28;  // (a.b) I - b a^T
  out[0] += ab - b.x * u.x, out[1] -= b.y * u.x, out[2] -= b.z * u.x;
  out[8] -= b.x * u.y, out[9] += ab - b.y * u.y, out[10] -= b.z * u.y;
  out[16] -= b.x * u.z, out[17] -= b.y * u.z, out[18] += ab - b.z * u.z;
  double *column = block + TwistBlock::column + 4, *row = block + TwistBlock::row + 4;
  column[0] += by_b * across.x, column[1] += by_b * across.y, column[2] += by_b * across.z;
  row[0] -= by_a * across.x, row[1] -= by_a * across.y, row[2] -= by_a * across.z;
  row[-1] += by_a * by_b * ab;
}

/// block += scale times the derivatives of a.r by the row's body, with which a turns, and the column's place r.
TRAMMEL_INLINE void add_turning_rows(double* block, double scale, const Vec3<>& a, double pp) {
  const Vec3<> u = scale * a;  // alpha.(a x r)
  block[5] += u.z, block[6] -= u.y;
  block[12] -= u.z, block[14] += u.x;
  block[20] += u.y, block[21] -= u.x;
  double* row = block + TwistBlock::row;
  const double by_pp = 2 / pp;
  row[0] += by_pp * u.x, row[1] += by_pp * u.y, row[2] += by_pp * u.z;
}

/// The transpose.
TRAMMEL_INLINE void add_turning_columns(double* block, double scale, const Vec3<>& a, double pp) {
  const Vec3<> u = scale * a;
  block[25] -= u.z, block[26] += u.y;
  block[32] += u.z, block[34] -= u.x;
  block[40] -= u.y, block[41] += u.x;
  double* column = block + TwistBlock::column;
  const double by_pp = 2 / pp;
  column[0] += by_pp * u.x, column[1] += by_pp * u.y, column[2] += by_pp * u.z;
}

/// Whether a kernel says them.
template <class Kernel, class = void>
struct SaysTwists {
  static constexpr bool value = false, couples = true;
};
template <class Kernel>
struct SaysTwists<Kernel, decltype(void(Kernel::couples_bodies))> {
  static constexpr bool value = true, couples = Kernel::couples_bodies;
};

/// Base of fused constraints whose kernels do not say them.
struct NoTwists {};

}  // namespace trammel::sdk
