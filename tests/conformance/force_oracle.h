// Generalized forces of the oracles: value and rate of scalar coordinates, forces at points, all by differentiation.
#pragma once

#include <algorithm>

#include "scalar_oracle.h"

namespace conformance {

using trammel::Index;

/// q of a body at any scalar.
template <class T>
void coordinates(const trammel::sdk::Pose<SpatialBodyState, T>& b, T* q) {
  const T all[7] = {b.r.x, b.r.y, b.r.z, b.p.e0, b.p.e.x, b.p.e.y, b.p.e.z};
  std::copy(all, all + 7, q);
}
template <class T>
void coordinates(const trammel::sdk::Pose<PlanarBodyState, T>& b, T* q) {
  const T all[3] = {b.r.x, b.r.y, b.phi};
  std::copy(all, all + 3, q);
}
template <class T>
void rates(const trammel::sdk::Motion<SpatialBodyState, T>& b, T* v) {
  const T all[7] = {b.rdot.x, b.rdot.y, b.rdot.z, b.pdot.e0, b.pdot.e.x, b.pdot.e.y, b.pdot.e.z};
  std::copy(all, all + 7, v);
}
template <class T>
void rates(const trammel::sdk::Motion<PlanarBodyState, T>& b, T* v) {
  const T all[3] = {b.rdot.x, b.rdot.y, b.omega};
  std::copy(all, all + 3, v);
}

/// Value and rate of a scalar coordinate of two bodies.
template <class State, class T, class Scalar>
void value_and_rate(const trammel::sdk::Motion<State, T>* b, const Scalar& x, T& value, T& rate) {
  trammel::sdk::Load<State, T> gradient[2];
  add_along(b, gradient, T(1.0), x);
  rate = T(0.0);
  for (Index k = 0; k < 2; ++k) {
    T v[State::coordinates];
    rates(b[k], v);
    for (Index n = 0; n < State::coordinates; ++n) rate += gradient[k].Q[n] * v[n];
  }
  const trammel::sdk::Pose<State, T> poses[2] = {b[0], b[1]};
  value = x(poses);
}

/// The point s of a body, its Jacobian column by column and its velocity.
template <class State, class T, class Local>
struct MovingPoint {
  static constexpr Index C = State::coordinates;
  decltype(turned(std::declval<trammel::sdk::Pose<State, T>>(), std::declval<Local>())) at, column[C], velocity;

  MovingPoint(const trammel::sdk::Motion<State, T>& b, const Local& s) : at(b.r + turned(b, s)) {
    using D = trammel::sdk::Dual<T, 1>;
    T value[C], v[C];
    coordinates(b, value), rates(b, v);
    velocity = T(0.0) * at;
    for (Index active = 0; active < C; ++active) {
      D q[C];
      for (Index n = 0; n < C; ++n) q[n].v = value[n];
      q[active].d[0] = T(1.0);
      const trammel::sdk::Pose<State, D> pose(q);
      const auto P = pose.r + turned(pose, s);
      if constexpr (C == 7)
        column[active] = {P.x.d[0], P.y.d[0], P.z.d[0]};
      else
        column[active] = {P.x.d[0], P.y.d[0]};
      velocity = velocity + v[active] * column[active];
    }
  }
  template <class V>
  void add_force(const V& F, trammel::sdk::Load<State, T>& load) const {
    for (Index n = 0; n < C; ++n) load.Q[n] += trammel::sdk::dot(F, column[n]);
  }
};

}  // namespace conformance
