// Seeds of automatic differentiation over the coordinates of an element's bodies.
#pragma once

#include "trammel/linalg.h"
#include "trammel/sdk/elements/auto_bodies.h"

namespace trammel::sdk {

/// K bodies of a host state: what AutoConstraint and AutoVelocityRows put into their functions.
template <class State, Index K>
struct AutoSeeds {
  static constexpr Index C = State::coordinates;
  template <class T>
  using Partial = Dual<T, K * C>;

  struct Coordinates {
    double q[K][C], v[K][C];
    explicit Coordinates(const ElementState& s) {
      for (Index b = 0; b < K; ++b) coordinates_of(s.body<State>(b), q[b], v[b]);
    }
  };

  /// 0 for the missing vector of ground.
  static double entry(ConstVectorView x, Index k) { return x.data != nullptr ? x[k] : 0; }
  template <class T>
  static T constant(const decltype(T::v)& value) {
    T x;
    x.v = value;
    return x;
  }
  /// Coordinate k of body b, as one of all K C directions.
  template <class T>
  static Partial<T> partial(const T& value, Index b, Index k) {
    Partial<T> x = constant<Partial<T>>(value);
    x.d[b * C + k] = T(1.0);
    return x;
  }
};

}  // namespace trammel::sdk
