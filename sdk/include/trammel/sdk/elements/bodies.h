// Elements' access to body states: the host's numbers as small vectors, and writers for local Jacobian blocks.
#pragma once

#include "trammel/body_state.h"
#include "trammel/sdk/math/euler_parameters.h"

namespace trammel::sdk {

/// Coordinates (or their rates, or any local vector) of a spatial body: translation and Euler-parameter part.
struct SpatialVector {
  Vec3<> r;
  Vec4<> p;
};

/// Coordinates of a planar body: translation and angle part.
struct PlanarVector {
  Vec2<> r;
  double phi;
};

/// A local vector as the kernel hands it over; an empty view (ground) is zero.
TRAMMEL_INLINE SpatialVector spatial_vector(ConstVectorView x) {
  if (x.data == nullptr) return {{0, 0, 0}, {0, {0, 0, 0}}};
  return {vec3(x.data), vec4(x.data + 3)};
}
TRAMMEL_INLINE PlanarVector planar_vector(ConstVectorView x) {
  if (x.data == nullptr) return {{0, 0}, 0};
  return {vec2(x.data), x.data[2]};
}

TRAMMEL_INLINE Vec3<> position(const SpatialBodyState& b) { return vec3(b.r); }
TRAMMEL_INLINE Vec3<> velocity(const SpatialBodyState& b) { return vec3(b.rdot); }
TRAMMEL_INLINE Vec4<> parameters(const SpatialBodyState& b) { return vec4(b.p); }
TRAMMEL_INLINE Vec4<> parameter_rates(const SpatialBodyState& b) { return vec4(b.pdot); }

TRAMMEL_INLINE Vec2<> position(const PlanarBodyState& b) { return vec2(b.r); }
TRAMMEL_INLINE Vec2<> velocity(const PlanarBodyState& b) { return vec2(b.rdot); }
/// A(phi) s.
TRAMMEL_INLINE Vec2<> rotate(const PlanarBodyState& b, const Vec2<>& s) {
  return {b.c * s.x - b.s * s.y, b.s * s.x + b.c * s.y};
}
/// A(phi)^T g.
TRAMMEL_INLINE Vec2<> rotate_back(const PlanarBodyState& b, const Vec2<>& g) {
  return {b.c * g.x + b.s * g.y, b.c * g.y - b.s * g.x};
}

/// q and v of a body, 7 or 3 numbers each.
TRAMMEL_INLINE void coordinates_of(const SpatialBodyState& b, double* q, double* v) {
  store(position(b), q), store(parameters(b), q + 3);
  store(velocity(b), v), store(parameter_rates(b), v + 3);
}
TRAMMEL_INLINE void coordinates_of(const PlanarBodyState& b, double* q, double* v) {
  store(position(b), q), q[2] = b.phi;
  store(velocity(b), v), v[2] = b.omega;
}

// --- Writers: one row of an m x c block ------------------------------------------------------------------------------

TRAMMEL_INLINE void write_row(const MatrixView& block, Index row, const Vec3<>& r, const Vec4<>& p) {
  double* d = block.data + row;
  const long n = block.stride;
  d[0] = r.x, d[n] = r.y, d[2 * n] = r.z;
  d[3 * n] = p.e0, d[4 * n] = p.e.x, d[5 * n] = p.e.y, d[6 * n] = p.e.z;
}

TRAMMEL_INLINE void write_row(const MatrixView& block, Index row, const Vec2<>& r, double phi) {
  double* d = block.data + row;
  const long n = block.stride;
  d[0] = r.x, d[n] = r.y, d[2 * n] = phi;
}

/// Three rows [sign * I or 0, scale * B]: the derivative of sign * (r + A s) with B = B(p, s), or of its p part only.
TRAMMEL_INLINE void write_point_rows(const MatrixView& block, Index row, double identity, double scale,
                                     const BTerm<double>& B) {
  double* d = block.data + row;
  const long n = block.stride;
  d[0] = identity, d[1] = 0, d[2] = 0;
  d += n;
  d[0] = 0, d[1] = identity, d[2] = 0;
  d += n;
  d[0] = 0, d[1] = 0, d[2] = identity;
  const double k = 2 * scale, x = k * B.u.x, y = k * B.u.y, z = k * B.u.z, w = k * B.w;
  d += n;
  d[0] = x, d[1] = y, d[2] = z;
  d += n;
  d[0] = w, d[1] = -z, d[2] = y;
  d += n;
  d[0] = z, d[1] = w, d[2] = -x;
  d += n;
  d[0] = -y, d[1] = x, d[2] = w;
}

/// Adds scale * a b^T to a block; rows and columns at (row, column).
TRAMMEL_INLINE void add_outer(const MatrixView& block, Index row, Index column, double scale, const Vec4<>& a,
                              const Vec4<>& b) {
  double left[4], right[4];
  store(a, left), store(b, right);
  for (Index j = 0; j < 4; ++j) {
    double* d = block.data + row + static_cast<long>(column + j) * block.stride;
    const double k = scale * right[j];
    d[0] += k * left[0], d[1] += k * left[1], d[2] += k * left[2], d[3] += k * left[3];
  }
}

/// Adds scale * B^T C to the p rows and p columns of a 7x7 block.
TRAMMEL_INLINE void add_B_product(const MatrixView& block, double scale, const BTerm<double>& B,
                                  const BTerm<double>& C) {
  for (Index k = 0; k < 4; ++k) {
    double unit[4] = {0, 0, 0, 0}, column[4];
    unit[k] = scale;
    store(b_transpose(B, b_apply(C, vec4(unit))), column);
    for (Index n = 0; n < 4; ++n) block(3 + n, 3 + k) += column[n];
  }
}

/// Sets every entry of a block to zero, column by column.
TRAMMEL_INLINE void set_zero(const MatrixView& block) {
  for (Index j = 0; j < block.cols; ++j) {
    double* d = block.data + static_cast<long>(j) * block.stride;
    for (Index i = 0; i < block.rows; ++i) d[i] = 0;
  }
}

}  // namespace trammel::sdk
