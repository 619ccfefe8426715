// Oracle of forces along one scalar coordinate: the coordinate and the law are written once, differentiated here.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "element_harness.h"
#include "oracle_pose.h"
#include "trammel/sdk/elements/auto_force.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {

using sdk::Load;
using sdk::Motion;
using sdk::Pose;

template <class State>
using LocalVector = std::conditional_t<State::coordinates == 7, Vec3<>, Vec2<>>;

template <class State>
LocalVector<State> random_local(Random& random) {
  if constexpr (State::coordinates == 7)
    return random_vec3(random);
  else
    return random_vec2(random);
}

/// Q += f * d(coordinate)/dq for a scalar coordinate `x(poses)`, differentiated here so that the oracle needs no
/// formula.
template <class State, class T, class Scalar>
void add_along(const Motion<State, T>* b, Load<State, T>* loads, const T& f, const Scalar& x) {
  constexpr Index C = State::coordinates;
  using D = sdk::Dual<T, C>;
  for (Index active = 0; active < 2; ++active) {
    D q[2][C];
    for (Index k = 0; k < 2; ++k) {
      T value[C];
      if constexpr (C == 7) {
        const T all[7] = {b[k].r.x, b[k].r.y, b[k].r.z, b[k].p.e0, b[k].p.e.x, b[k].p.e.y, b[k].p.e.z};
        std::copy(all, all + 7, value);
      } else {
        const T all[3] = {b[k].r.x, b[k].r.y, b[k].phi};
        std::copy(all, all + 3, value);
      }
      for (Index n = 0; n < C; ++n) {
        q[k][n].v = value[n];
        if (k == active) q[k][n].d[n] = T(1.0);
      }
    }
    const Pose<State, D> poses[2] = {Pose<State, D>(q[0]), Pose<State, D>(q[1])};
    const D value = x(poses);
    for (Index n = 0; n < C; ++n) loads[active].Q[n] += f * value.d[n];
  }
}

/// Adds Q = -F(x, x', t) x_q with `coordinate(poses)` and `law(x, rate, t)` over any scalar.
template <class State, class T, class Coordinate, class Law>
void add_scalar_law(const T& t, const Motion<State, T>* b, const Coordinate& coordinate, const Law& law,
                    Load<State, T>* loads) {
  constexpr Index C = State::coordinates;
  Load<State, T> gradient[2];
  add_along(b, gradient, T(1.0), coordinate);
  T rate(0.0);
  for (Index k = 0; k < 2; ++k) {
    const auto rates = [&] {
      if constexpr (C == 7) {
        return std::array<T, 7>{b[k].rdot.x,   b[k].rdot.y,   b[k].rdot.z,  b[k].pdot.e0,
                                b[k].pdot.e.x, b[k].pdot.e.y, b[k].pdot.e.z};
      } else {
        return std::array<T, 3>{b[k].rdot.x, b[k].rdot.y, b[k].omega};
      }
    }();
    for (std::size_t n = 0; n < rates.size(); ++n) rate += gradient[k].Q[n] * rates[n];
  }
  const Pose<State, T> poses[2] = {b[0], b[1]};
  const T F = law(coordinate(poses), rate, t);
  for (Index k = 0; k < 2; ++k) {
    for (Index n = 0; n < C; ++n) loads[k].Q[n] -= F * gradient[k].Q[n];
  }
}

/// The force of one such law.
template <class State, class Coordinate, class Law>
class ScalarOracle final : public sdk::AutoForce<ScalarOracle<State, Coordinate, Law>, State, 2> {
 public:
  ScalarOracle(BodyRef i, BodyRef j, const Coordinate& coordinate, const Law& law)
      : sdk::AutoForce<ScalarOracle, State, 2>(i, j), coordinate_(coordinate), law_(law) {}

  template <class T>
  void force(const T& t, const Motion<State, T>* b, Load<State, T>* loads) const {
    add_scalar_law(t, b, coordinate_, law_, loads);
  }

 private:
  Coordinate coordinate_;
  Law law_;
};

template <class State, class Coordinate, class Law>
auto scalar_oracle(BodyRef i, BodyRef j, const Coordinate& coordinate, const Law& law) {
  return std::make_unique<ScalarOracle<State, Coordinate, Law>>(i, j, coordinate, law);
}

/// |P_j - P_i|.
template <class V>
struct LengthBetween {
  V s_i, s_j;
  template <class Poses>
  auto operator()(const Poses* poses) const {
    return sdk::norm(between(poses[0], poses[1], s_i, s_j));
  }
};

/// The angle of the second body about the first one's axis, modulo 2 pi, not counted.
struct RelativeAngle {
  sdk::SpatialAxes axes;
  template <class Poses>
  auto operator()(const Poses* poses) const {
    using std::atan2;
    const auto F = turned(poses[1], axes.f_j);
    return atan2(sdk::dot(F, turned(poses[0], axes.g_i)), sdk::dot(F, turned(poses[0], axes.f_i)));
  }
};

struct AngleBetween {
  template <class Poses>
  auto operator()(const Poses* poses) const {
    return poses[1].phi - poses[0].phi;
  }
};

}  // namespace conformance
