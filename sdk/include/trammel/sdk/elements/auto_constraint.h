// AutoConstraint: write phi once as a template, get the Jacobian, right-hand sides and every contraction.
#pragma once

#include <cmath>
#include <utility>

#include "trammel/constraint.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_bodies.h"
#include "trammel/sdk/elements/auto_seeds.h"

namespace trammel::sdk {

/// Derive as `class Rod final : public AutoConstraint<Rod, SpatialBodyState, 2, 1>` (host state, bodies, rows) and
/// write
///
///   template <class T>
///   void phi(const T& t, const Pose<SpatialBodyState, T>* bodies, T* out) const;   // out[0 .. rows - 1]
///
/// with the vectors of vec.h and the functions of dual.h; a last argument `const ElementState&` may follow (for the
/// references of counted angles, see `counted`). Time-dependent rows also override `rheonomic`. If there is a
/// `Status admissible(const ElementState&) const`, it is asked first: states at which the rows do not exist. Directions are
/// nested dual numbers: `Along` carries the motion q + v eps, `Partial` all partial derivatives with respect to q.
template <class Derived, class State, Index bodies_, Index rows_>
class AutoConstraint : public Constraint {
 public:
  static constexpr Index K = bodies_, M = rows_, C = State::coordinates;

  template <class... Bodies>
  explicit AutoConstraint(Bodies... bodies) : attached_{bodies...} {
    static_assert(sizeof...(Bodies) == K, "one BodyRef per attached body");
  }

  Index rows() const final { return M; }
  Index body_count() const final { return K; }
  BodyRef body(Index i) const final { return attached_[i]; }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const final {
    if constexpr (requires(const Derived& d) { d.admissible(s); }) {
      if (const Status status = static_cast<const Derived*>(this)->admissible(s); !status) return status;
    }
    const Coordinates x(s);
    if (out.Phi.data != nullptr) {
      double phi[M];
      call<double>(
          s, s.t, [&](Index b, Index k) { return x.q[b][k]; }, phi);
      for (Index m = 0; m < M; ++m) out.Phi[m] = phi[m];
    }
    if (out.Phi_q != nullptr) {
      Partial<double> phi[M];
      call<Partial<double>>(
          s, s.t, [&](Index b, Index k) { return Seeds::partial(x.q[b][k], b, k); }, phi);
      for_blocks(out.Phi_q, [&](Index m, Index n) { return phi[m].d[n]; });
    }
    if (out.nu.data != nullptr) {
      Along<double> t(s.t), phi[M];
      t.d[0] = 1;
      call<Along<double>>(
          s, t, [&](Index b, Index k) { return Along<double>(x.q[b][k]); }, phi);
      for (Index m = 0; m < M; ++m) out.nu[m] = -phi[m].d[0];
    }
    if (out.gamma.data != nullptr) {
      // Second derivative along (1, v): (Phi_q v)_q v + 2 Phi_qt v + Phi_tt = -gamma.
      using T = Along<Along<double>>;
      T phi[M];
      call<T>(
          s, second<T>(s.t, 1, 0), [&](Index b, Index k) { return second<T>(x.q[b][k], x.v[b][k], 0); }, phi);
      for (Index m = 0; m < M; ++m) out.gamma[m] = -phi[m].d[0].d[0];
    }
    return Status::success();
  }

  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const final {
    using T = Partial<Along<double>>;
    const Coordinates at(s);
    T phi[M];
    call<T>(
        s, s.t,
        [&](Index b, Index k) {
          T q = Seeds::partial(Along<double>(at.q[b][k]), b, k);
          q.v.d[0] = Seeds::entry(x[b], k);
          return q;
        },
        phi);
    for_blocks(out, [&](Index m, Index n) { return phi[m].d[n].d[0]; });
    return Status::success();
  }

  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const final {
    using T = Partial<Along<double>>;
    const Coordinates at(s);
    for (Index column = 0; column < K * C; ++column) {
      T phi[M];
      call<T>(
          s, s.t,
          [&](Index b, Index k) {
            T q = Seeds::partial(Along<double>(at.q[b][k]), b, k);
            q.v.d[0] = b * C + k == column ? 1 : 0;
            return q;
          },
          phi);
      for (Index i = 0; i < K; ++i) {
        const MatrixView& block = out[i * K + column / C];
        for (Index k = 0; block && k < C; ++k) {
          double sum = 0;
          for (Index m = 0; m < M; ++m) sum += lambda[m] * phi[m].d[i * C + k].d[0];
          block(k, column % C) = sum;
        }
      }
    }
    return Status::success();
  }

  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const final {
    // Phi_q a - gamma is the coefficient of eps1 eps2 at q + v (eps1 + eps2) + a eps1 eps2.
    using S = Along<Along<double>>;
    using T = Partial<S>;
    const Coordinates x(s);
    T phi[M];
    const T t(Seeds::template constant<T>(second<S>(s.t, 1, 0)));
    const auto motion = [&](Index b, Index k) { return second<S>(x.q[b][k], x.v[b][k], Seeds::entry(a[b], k)); };
    call<T>(
        s, t, [&](Index b, Index k) { return Seeds::partial(motion(b, k), b, k); }, phi);
    for_blocks(out_q, [&](Index m, Index n) { return phi[m].d[n].d[0].d[0]; });
    call<T>(
        s, t,
        [&](Index b, Index k) {
          T q = Seeds::template constant<T>(motion(b, k));
          q.d[b * C + k].d[0].v = q.d[b * C + k].v.d[0] = 1;
          return q;
        },
        phi);
    for_blocks(out_v, [&](Index m, Index n) { return phi[m].d[n].d[0].d[0]; });
    return Status::success();
  }

  Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                          const ConstraintTimeDerivatives& out) const final {
    const Coordinates x(s);
    if (out.Phi_tq != nullptr) {
      using T = Partial<Along<double>>;
      T phi[M], t(s.t);
      t.v.d[0] = 1;
      call<T>(
          s, t, [&](Index b, Index k) { return Seeds::partial(Along<double>(x.q[b][k]), b, k); }, phi);
      for_blocks(out.Phi_tq, [&](Index m, Index n) { return phi[m].d[n].d[0]; });
    }
    if (out.Phi_tt.data != nullptr) {
      using T = Along<Along<double>>;
      T phi[M];
      call<T>(
          s, second<T>(s.t, 1, 0), [&](Index b, Index k) { return T(x.q[b][k]); }, phi);
      for (Index m = 0; m < M; ++m) out.Phi_tt[m] = phi[m].d[0].d[0];
    }
    if (out.acceleration_t.data != nullptr) {
      using S = Along<Along<double>>;
      using T = Along<S>;
      T phi[M], t = Seeds::template constant<T>(second<S>(s.t, 1, 0));
      t.d[0].v.v = 1;
      call<T>(
          s, t,
          [&](Index b, Index k) {
            return Seeds::template constant<T>(second<S>(x.q[b][k], x.v[b][k], Seeds::entry(a[b], k)));
          },
          phi);
      for (Index m = 0; m < M; ++m) {
        out.acceleration_t[m] = phi[m].d[0].d[0].d[0];
        if (std::isnan(out.acceleration_t[m])) {
          return Status::failure(StatusCode::unsupported, "a function has no third derivative", m);
        }
      }
    }
    return Status::success();
  }

 protected:
  ~AutoConstraint() = default;

 private:
  template <class T>
  using Along = Dual<T, 1>;
  using Seeds = AutoSeeds<State, K>;
  using Coordinates = typename Seeds::Coordinates;
  template <class T>
  using Partial = typename Seeds::template Partial<T>;

  /// value + first (eps1 + eps2) + mixed eps1 eps2.
  template <class T>
  static T second(double value, double first, double mixed) {
    T x(value);
    x.v.d[0] = first, x.d[0].v = first, x.d[0].d[0] = mixed;
    return x;
  }

  template <class T, class Coordinate>
  void call(const ElementState& s, const T& t, const Coordinate& coordinate, T* phi) const {
    T q[K][C];
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; k < C; ++k) q[b][k] = coordinate(b, k);
    }
    call_with(s, t, q, phi, std::make_integer_sequence<Index, K>());
  }
  template <class T, Index... b>
  void call_with(const ElementState& s, const T& t, const T (&q)[K][C], T* phi,
                 std::integer_sequence<Index, b...>) const {
    const Pose<State, T> poses[K] = {Pose<State, T>(q[b])...};
    const Derived& derived = *static_cast<const Derived*>(this);
    if constexpr (requires { derived.phi(t, poses, phi, s); })
      derived.phi(t, poses, phi, s);
    else
      derived.phi(t, poses, phi);
  }

  template <class Entry>
  static void for_blocks(const MatrixView* out, const Entry& entry_at) {
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; out[b] && k < C; ++k) {
        for (Index m = 0; m < M; ++m) out[b](m, k) = entry_at(m, b * C + k);
      }
    }
  }

  BodyRef attached_[K];
};

/// An angle known modulo 2 pi on the branch of reference number k of the element, with its derivatives.
template <class T>
T counted(const T& principal, const ElementState& s, Index k = 0) {
  if (s.angle_references == nullptr) return principal;
  const double value = base_value(principal);
  return principal + (counted_angle(value, s.angle_references[k]) - value);
}

}  // namespace trammel::sdk
