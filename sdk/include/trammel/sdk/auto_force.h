// AutoForce: write the force once as a template, get its gradients.
#pragma once

#include <utility>

#include "trammel/force.h"
#include "trammel/sdk/auto_bodies.h"

namespace trammel::sdk {

/// Derive as `class Drag final : public AutoForce<Drag, SpatialBodyState, 1>` (host state, bodies) and write
///
///   template <class T>
///   void force(const T& t, const Motion<SpatialBodyState, T>* bodies, Load<SpatialBodyState, T>* loads) const;
///
/// which adds forces and torques to the loads (all zero on entry). Override `energy` where there is a potential or
/// a damper; without it all power counts as external work.
template <class Derived, class State, Index bodies_>
class AutoForce : public ForceElement {
 public:
  static constexpr Index K = bodies_, C = State::coordinates;

  template <class... Bodies>
  explicit AutoForce(Bodies... bodies) : attached_{bodies...} {
    static_assert(sizeof...(Bodies) == K, "one BodyRef per attached body");
  }

  Index body_count() const final { return K; }
  BodyRef body(Index i) const final { return attached_[i]; }

  Status force(const ElementState& s, const VectorView* Q) const final {
    const Coordinates x(s);
    Load<State, double> loads[K];
    call<double>(s.t, x, -1, loads);
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; Q[b].data != nullptr && k < C; ++k) Q[b].data[k] += loads[b].Q[k];
    }
    return Status::success();
  }

  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const final {
    const Coordinates x(s);
    for (Index part = 0; part < 2; ++part) {
      const MatrixView* out = part == 0 ? Q_q : Q_v;
      for (Index j = 0; out != nullptr && j < K; ++j) {
        Load<State, Dual<double, C>> loads[K];
        call<Dual<double, C>>(s.t, x, part * K + j, loads);
        for (Index i = 0; i < K; ++i) {
          const MatrixView& block = out[i * K + j];
          for (Index k = 0; block && k < C; ++k) {
            for (Index m = 0; m < C; ++m) block(m, k) += loads[i].Q[m].d[k];
          }
        }
      }
    }
    return Status::success();
  }

  Status time_gradient(const ElementState& s, const VectorView* Q_t) const final {
    const Coordinates x(s);
    Dual<double, 1> t(s.t);
    t.d[0] = 1;
    Load<State, Dual<double, 1>> loads[K];
    call<Dual<double, 1>>(t, x, -1, loads);
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; Q_t[b].data != nullptr && k < C; ++k) Q_t[b].data[k] += loads[b].Q[k].d[0];
    }
    return Status::success();
  }

 protected:
  ~AutoForce() = default;

 private:
  struct Coordinates {
    double x[2][K][C];  ///< q, v
    explicit Coordinates(const ElementState& s) {
      for (Index b = 0; b < K; ++b) coordinates_of(s.body<State>(b), x[0][b], x[1][b]);
    }
  };

  /// `active`: index of the group of coordinates that carries partial derivatives: q of body b is b, v is K + b.
  template <class T>
  void call(const T& t, const Coordinates& at, Index active, Load<State, T>* loads) const {
    T x[2][K][C];
    for (Index part = 0; part < 2; ++part) {
      for (Index b = 0; b < K; ++b) {
        for (Index k = 0; k < C; ++k) {
          x[part][b][k] = T(at.x[part][b][k]);
          if constexpr (requires { x[part][b][k].d; }) {
            if (part * K + b == active) x[part][b][k].d[k] = 1;
          }
        }
      }
    }
    call_with(t, x, loads, std::make_integer_sequence<Index, K>());
  }
  template <class T, Index... b>
  void call_with(const T& t, const T (&x)[2][K][C], Load<State, T>* loads, std::integer_sequence<Index, b...>) const {
    const Motion<State, T> bodies[K] = {Motion<State, T>(x[0][b], x[1][b])...};
    static_cast<const Derived*>(this)->force(t, bodies, loads);
  }

  BodyRef attached_[K];
};

}  // namespace trammel::sdk
