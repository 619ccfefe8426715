// AutoForce: write the force, or its potential, once as a template; get all gradients and the energy account.
#pragma once

#include <utility>

#include "trammel/force.h"
#include "trammel/sdk/elements/auto_bodies.h"

namespace trammel::sdk {

/// Derive as `class Drag final : public AutoForce<Drag, SpatialBodyState, 1>` (host state, bodies; then the number of
/// internal states z, if any) and write whichever of these the element has, as const templates:
///
///   void force(const T& t, const Motion<State, T>* bodies, Load<State, T>* loads)     adds forces and torques
///   T potential(const T& t, const Pose<State, T>* bodies)                             J; adds Q = -V_q
///   void rate(const T& t, const Motion<State, T>* bodies, const T* z, T* z_rate)      z', with internal states
///
/// With internal states, `force` has `const T* z` before `loads`. `force` and `rate` may return Status instead of void.
///
/// The power of `force` counts as external work, or, if the class says `static constexpr bool dissipative = true`, as
/// dissipation; V_t counts as work. Override `energy` where power goes both ways. `initial_internal_states` sets z(0),
/// zero if left out.
template <class Derived, class State, Index bodies_, Index internal_ = 0>
class AutoForce : public ForceElement {
 public:
  static constexpr Index K = bodies_, C = State::coordinates, Z = internal_;
  static constexpr bool dissipative = false;

  template <class... Bodies>
  explicit AutoForce(Bodies... bodies) : attached_{bodies...} {
    static_assert(sizeof...(Bodies) == K, "one BodyRef per attached body");
  }

  Index body_count() const final { return K; }
  BodyRef body(Index i) const final { return attached_[i]; }

  Status force(const ElementState& s, const VectorView* Q) const final {
    Load<State, double> loads[K];
    const Status status = all_loads(Point<double>(s), loads);
    for_entries(Q, [&](Index b, Index k) { return loads[b].Q[k]; });
    return status;
  }

  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const final {
    for (Index part = 0; part < 2; ++part) {
      const MatrixView* out = part == 0 ? Q_q : Q_v;
      for (Index j = 0; out != nullptr && j < K; ++j) {
        Load<State, Dual<double, C>> loads[K];
        const Status status = all_loads(active<C>(
                                            s, [&](auto& at, Index k) -> auto& { return at.x[part][j][k]; }),
                                        loads);
        if (!status) return status;
        for (Index i = 0; i < K; ++i) add_columns(out[i * K + j], C, loads[i].Q);
      }
    }
    return Status::success();
  }

  Status time_gradient(const ElementState& s, const VectorView* Q_t) const final {
    Load<State, Dual<double, 1>> loads[K];
    const Status status = all_loads(active<1>(
                                        s, [](auto& at, Index) -> auto& { return at.t; }),
                                    loads);
    for_entries(Q_t, [&](Index b, Index k) { return loads[b].Q[k].d[0]; });
    return status;
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const Point<double> at(s);
    Load<State, double> loads[K];
    const Status status = own_loads(at, loads);
    double power = 0;
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; k < C; ++k) power += loads[b].Q[k] * at.x[1][b][k];
    }
    (Derived::dissipative ? energy.dissipation : energy.work) += Derived::dissipative ? -power : power;
    if constexpr (requires { has_potential(static_cast<const Derived*>(this)); }) {
      const Dual<double, 1> V = potential_at(active<1>(
          s, [](auto& p, Index) -> auto& { return p.t; }));
      energy.potential += V.v;
      energy.work += V.d[0];
    }
    return status;
  }

  Index internal_states() const final { return Z; }
  void initial_internal_states(VectorView z) const override { z.map().setZero(); }

  Status internal_rate(const ElementState& s, VectorView z_rate) const final {
    double rates[Z + 1];
    const Status status = rates_at(Point<double>(s), rates);
    for (Index i = 0; i < Z; ++i) z_rate[i] = rates[i];
    return status;
  }

  Status internal_gradients(const ElementState& s, const InternalGradients& out) const final {
    for (Index part = 0; part < 2; ++part) {
      const MatrixView* blocks = part == 0 ? out.rate_q : out.rate_v;
      for (Index j = 0; blocks != nullptr && j < K; ++j) {
        Dual<double, C> rates[Z + 1];
        const Status status = rates_at(active<C>(
                                           s, [&](auto& at, Index k) -> auto& { return at.x[part][j][k]; }),
                                       rates);
        if (!status) return status;
        add_columns(blocks[j], Z, rates);
      }
    }
    if constexpr (Z > 0) {
      const auto at = active<Z>(
          s, [](auto& p, Index k) -> auto& { return p.z[k]; });
      Dual<double, Z> rates[Z + 1];
      Load<State, Dual<double, Z>> loads[K];
      Status status = rates_at(at, rates);
      if (status) status = all_loads(at, loads);
      if (!status) return status;
      add_columns(out.rate_z, Z, rates);
      for (Index b = 0; out.Q_z != nullptr && b < K; ++b) add_columns(out.Q_z[b], C, loads[b].Q);
    }
    Dual<double, 1> rates[Z + 1];
    const Status status = rates_at(active<1>(
                                       s, [](auto& at, Index) -> auto& { return at.t; }),
                                   rates);
    for (Index i = 0; out.rate_t.data != nullptr && i < Z; ++i) out.rate_t[i] += rates[i].d[0];
    return status;
  }

 protected:
  ~AutoForce() = default;

  /// Body k at s, for `energy` and channels.
  static Motion<State, double> motion(const ElementState& s, Index k) {
    double q[C], v[C];
    coordinates_of(s.body<State>(k), q, v);
    return Motion<State, double>(q, v);
  }

 private:
  /// Where everything is evaluated: x[0] = q, x[1] = v of the bodies.
  template <class T>
  struct Point {
    T t, x[2][K][C], z[Z + 1];

    explicit Point(const ElementState& s) : t(s.t), z{} {
      for (Index b = 0; b < K; ++b) {
        double q[C], v[C];
        coordinates_of(s.body<State>(b), q, v);
        for (Index k = 0; k < C; ++k) x[0][b][k] = T(q[k]), x[1][b][k] = T(v[k]);
      }
      for (Index i = 0; i < Z; ++i) z[i] = T(s.z[i]);
    }
  };

  /// The point with N partial derivatives, with respect to select(point, 0 .. N - 1).
  template <Index N, class Select>
  static Point<Dual<double, N>> active(const ElementState& s, const Select& select) {
    Point<Dual<double, N>> at(s);
    for (Index k = 0; k < N; ++k) select(at, k).d[k] = 1;
    return at;
  }

  template <class Value>
  static void for_entries(const VectorView* out, const Value& value) {
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; out[b].data != nullptr && k < C; ++k) out[b].data[k] += value(b, k);
    }
  }
  template <int N>
  static void add_columns(const MatrixView& block, Index rows, const Dual<double, N>* values) {
    for (Index k = 0; block && k < N; ++k) {
      for (Index m = 0; m < rows; ++m) block(m, k) += values[m].d[k];
    }
  }

  // What Derived has; declared only.
  template <class D>
  static auto has_potential(const D* d)
      -> decltype(d->potential(double(), static_cast<const Pose<State, double>*>(nullptr)));
  template <class D>
  static auto has_force(const D* d) -> decltype(d->force(double(), static_cast<const Motion<State, double>*>(nullptr),
                                                         static_cast<Load<State, double>*>(nullptr)));

  /// The result of a call that returns void or Status.
  template <class Call>
  static Status status_of(const Call& call) {
    if constexpr (std::is_same_v<decltype(call()), Status>) {
      return call();
    } else {
      call();
      return Status::success();
    }
  }

  /// Calls use(array of Body<State, T>) with the bodies at the point.
  template <template <class, class> class Body, class T, class Use>
  static auto with_bodies(const T (&q)[K][C], const T (&v)[K][C], const Use& use) {
    return with_bodies<Body>(q, v, use, std::make_integer_sequence<Index, K>());
  }
  template <template <class, class> class Body, class T, class Use, Index... b>
  static auto with_bodies(const T (&q)[K][C], const T (&v)[K][C], const Use& use, std::integer_sequence<Index, b...>) {
    if constexpr (std::is_same_v<Body<State, T>, Pose<State, T>>) {
      (void)v;
      const Pose<State, T> bodies[K] = {Pose<State, T>(q[b])...};
      return use(bodies);
    } else {
      const Motion<State, T> bodies[K] = {Motion<State, T>(q[b], v[b])...};
      return use(bodies);
    }
  }

  template <class T>
  Status own_loads(const Point<T>& at, Load<State, T>* loads) const {
    const Derived& element = *static_cast<const Derived*>(this);
    return with_bodies<Motion>(at.x[0], at.x[1], [&](const Motion<State, T>* bodies) {
      (void)bodies, (void)loads;
      if constexpr (Z > 0) {
        return status_of([&] { return element.force(at.t, bodies, at.z, loads); });
      } else if constexpr (requires { has_force(&element); }) {
        return status_of([&] { return element.force(at.t, bodies, loads); });
      } else {
        return Status::success();
      }
    });
  }

  template <class T>
  T potential_at(const Point<T>& at) const {
    return with_bodies<Pose>(at.x[0], at.x[1], [&](const Pose<State, T>* bodies) {
      return static_cast<const Derived*>(this)->potential(at.t, bodies);
    });
  }

  template <class T>
  Status all_loads(const Point<T>& at, Load<State, T>* loads) const {
    if constexpr (requires { has_potential(static_cast<const Derived*>(this)); }) {
      for (Index active_body = 0; active_body < K; ++active_body) {
        using D = Dual<T, C>;
        D t, q[K][C];
        t.v = at.t;
        for (Index b = 0; b < K; ++b) {
          for (Index k = 0; k < C; ++k) {
            q[b][k].v = at.x[0][b][k];
            if (b == active_body) q[b][k].d[k] = T(1.0);
          }
        }
        const D V = with_bodies<Pose>(q, q, [&](const Pose<State, D>* bodies) {
          return static_cast<const Derived*>(this)->potential(t, bodies);
        });
        for (Index k = 0; k < C; ++k) loads[active_body].Q[k] -= V.d[k];
      }
    }
    return own_loads(at, loads);
  }

  template <class T>
  Status rates_at(const Point<T>& at, T* rates) const {
    (void)at, (void)rates;
    if constexpr (Z == 0) {
      return Status::success();
    } else {
      return with_bodies<Motion>(at.x[0], at.x[1], [&](const Motion<State, T>* bodies) {
        return status_of([&] { return static_cast<const Derived*>(this)->rate(at.t, bodies, at.z, rates); });
      });
    }
  }

  BodyRef attached_[K];
};

}  // namespace trammel::sdk
