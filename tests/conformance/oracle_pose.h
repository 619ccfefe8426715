// Rotation of the oracles, written independently of the SDK's kernels: A = E G^T entry by entry, times a vector.
#pragma once

#include "trammel/sdk/elements/auto_bodies.h"

namespace conformance {

using trammel::PlanarBodyState;
using trammel::SpatialBodyState;
using trammel::sdk::Vec2;
using trammel::sdk::Vec3;

template <class T>
Vec3<T> turned(const trammel::sdk::Pose<SpatialBodyState, T>& body, const Vec3<>& s) {
  const T e[4] = {body.p.e0, body.p.e.x, body.p.e.y, body.p.e.z};
  const T E[3][4] = {{-e[1], e[0], -e[3], e[2]}, {-e[2], e[3], e[0], -e[1]}, {-e[3], -e[2], e[1], e[0]}};
  const T G[3][4] = {{-e[1], e[0], e[3], -e[2]}, {-e[2], -e[3], e[0], e[1]}, {-e[3], e[2], -e[1], e[0]}};
  const double local[3] = {s.x, s.y, s.z};
  T a[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) a[i] = a[i] + E[i][k] * G[j][k] * local[j];
    }
  }
  return {a[0], a[1], a[2]};
}
template <>
inline Vec3<double> turned(const trammel::sdk::Pose<SpatialBodyState, double>& body, const Vec3<>& s) {
  const double p[4] = {body.p.e0, body.p.e.x, body.p.e.y, body.p.e.z};
  const double *e = p, c = e[0] * e[0] - e[1] * e[1] - e[2] * e[2] - e[3] * e[3];
  const double along = 2 * (e[1] * s.x + e[2] * s.y + e[3] * s.z);
  return {c * s.x + along * e[1] + 2 * e[0] * (e[2] * s.z - e[3] * s.y),
          c * s.y + along * e[2] + 2 * e[0] * (e[3] * s.x - e[1] * s.z),
          c * s.z + along * e[3] + 2 * e[0] * (e[1] * s.y - e[2] * s.x)};
}

template <class T>
Vec2<T> turned(const trammel::sdk::Pose<PlanarBodyState, T>& body, const Vec2<>& s) {
  using std::cos;
  using std::sin;
  return {cos(body.phi) * s.x - sin(body.phi) * s.y, sin(body.phi) * s.x + cos(body.phi) * s.y};
}

/// P_j - P_i.
template <class State, class T, class V>
auto between(const trammel::sdk::Pose<State, T>& i, const trammel::sdk::Pose<State, T>& j, const V& s_i, const V& s_j) {
  return (j.r + turned(j, s_j)) - (i.r + turned(i, s_i));
}

}  // namespace conformance
