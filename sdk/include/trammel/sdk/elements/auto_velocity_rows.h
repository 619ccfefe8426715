// AutoVelocityRows: write B v - b once as a template, get B, b, right-hand sides and every contraction.
#pragma once

#include <cmath>
#include <utility>

#include "trammel/constraint.h"
#include "trammel/extensions/velocity_rows.h"
#include "trammel/sdk/elements/auto_bodies.h"
#include "trammel/sdk/elements/auto_seeds.h"

// With g(t, q, v) = B(t, q) v - b(t, q), which is affine in v, all that VelocityRows asks for is a derivative of g:
//   B = g_v,  b = -g(v = 0),  (B x)_q = (g_v x)_q,  B a - gamma = d/ds g(t + s, q + s v, v + s a) at s = 0           (1)
namespace trammel::sdk {

/// Derive beside AutoConstraint (or VelocityOnlyConstraint, if there are no position rows) with the same bodies, as
/// `class Disc final : public AutoConstraint<Disc, SpatialBodyState, 2, 1>, public AutoVelocityRows<Disc,
/// SpatialBodyState, 2, 2>`, offer VelocityRows as an extension, and write
///
///   template <class T>
///   void velocity_residual(const T& t, const Motion<SpatialBodyState, T>* bodies, T* out) const;   // B v - b, rows_
///
/// with the vectors of vec.h and the functions of dual.h. Rows with b or with an explicit time also override
/// `velocity_rows_driven`. If there is a `Status admissible(const ElementState&) const`, it is asked before rows are
/// evaluated: states at which they do not exist.
template <class Derived, class State, Index bodies_, Index rows_>
class AutoVelocityRows : public VelocityRows {
  static constexpr Index K = bodies_, M = rows_, C = State::coordinates;
  template <class T>
  using Along = Dual<T, 1>;
  using Seeds = AutoSeeds<State, K>;
  using Coordinates = typename Seeds::Coordinates;
  template <class T>
  using Partial = typename Seeds::template Partial<T>;

 public:
  Index velocity_row_count() const final { return M; }

  Status velocity_rows(const ElementState& s, const VelocityRowOutput& out) const final {
    if constexpr (requires(const Derived& d) { d.admissible(s); }) {
      if (const Status status = derived().admissible(s); !status) return status;
    }
    const Coordinates x(s);
    if (out.B != nullptr || out.b.data != nullptr) {
      Partial<double> g[M];
      call<Partial<double>>(
          s.t, [&](Index b, Index k) { return Partial<double>(x.q[b][k]); },
          [&](Index b, Index k) { return Seeds::partial(0.0, b, k); }, g);
      if (out.B != nullptr) for_blocks(out.B, [&](Index m, Index n) { return g[m].d[n]; });
      for (Index m = 0; out.b.data != nullptr && m < M; ++m) out.b[m] = -g[m].v;
    }
    if (out.gamma.data != nullptr) {
      Along<double> t(s.t), g[M];
      t.d[0] = 1;
      call<Along<double>>(
          t, [&](Index b, Index k) { return along(x.q[b][k], x.v[b][k]); },
          [&](Index b, Index k) { return Along<double>(x.v[b][k]); }, g);
      for (Index m = 0; m < M; ++m) out.gamma[m] = -g[m].d[0];
    }
    return Status::success();
  }

  Status velocity_row_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const final {
    using T = Partial<Along<double>>;
    const Coordinates at(s);
    T g[M];
    call<T>(
        s.t, [&](Index b, Index k) { return Seeds::partial(Along<double>(at.q[b][k]), b, k); },
        [&](Index b, Index k) { return Seeds::template constant<T>(along(0, Seeds::entry(x[b], k))); }, g);
    for_blocks(out, [&](Index m, Index n) { return g[m].d[n].d[0]; });
    return Status::success();
  }

  Status velocity_multiplier_gradient(const ElementState& s, ConstVectorView lambda,
                                      const MatrixView* out) const final {
    using T = Partial<Along<double>>;
    const Coordinates at(s);
    for (Index row = 0; row < K * C; ++row) {  // sum of lambda_m B_m,row, and its gradient
      if (!out[row / C * K + row / C]) continue;
      T g[M];
      call<T>(
          s.t, [&](Index b, Index k) { return Seeds::partial(Along<double>(at.q[b][k]), b, k); },
          [&](Index b, Index k) { return Seeds::template constant<T>(along(0, b * C + k == row ? 1 : 0)); }, g);
      for (Index j = 0; j < K; ++j) {
        const MatrixView& block = out[row / C * K + j];
        for (Index k = 0; block && k < C; ++k) {
          double sum = 0;
          for (Index m = 0; m < M; ++m) sum += lambda[m] * g[m].d[j * C + k].d[0];
          block(row % C, k) = sum;
        }
      }
    }
    return Status::success();
  }

  Status velocity_acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                                        const MatrixView* out_v) const final {
    using T = Partial<Along<double>>;
    const Coordinates x(s);
    const T t(Seeds::template constant<T>(along(s.t, 1)));
    T g[M];
    const auto position = [&](Index b, Index k) { return along(x.q[b][k], x.v[b][k]); };
    const auto velocity = [&](Index b, Index k) { return along(x.v[b][k], Seeds::entry(a[b], k)); };
    call<T>(
        t, [&](Index b, Index k) { return Seeds::partial(position(b, k), b, k); },
        [&](Index b, Index k) { return Seeds::template constant<T>(velocity(b, k)); }, g);
    for_blocks(out_q, [&](Index m, Index n) { return g[m].d[n].d[0]; });
    call<T>(
        t,
        [&](Index b, Index k) {
          T q = Seeds::template constant<T>(position(b, k));
          q.d[b * C + k].d[0] = 1;
          return q;
        },
        [&](Index b, Index k) { return Seeds::partial(velocity(b, k), b, k); }, g);
    for_blocks(out_v, [&](Index m, Index n) { return g[m].d[n].d[0]; });
    return Status::success();
  }

  Status velocity_time_derivatives(const ElementState& s, const ConstVectorView* a,
                                   const VelocityRowTimeDerivatives& out) const final {
    const Coordinates x(s);
    if (out.b_q != nullptr) {
      Partial<double> g[M];
      call<Partial<double>>(
          s.t, [&](Index b, Index k) { return Seeds::partial(x.q[b][k], b, k); },
          [](Index, Index) { return Partial<double>(0.0); }, g);
      for_blocks(out.b_q, [&](Index m, Index n) { return -g[m].d[n]; });
    }
    if (out.drift.data != nullptr) {  // g_t - (g(v = 0))_q v
      Along<double> t(s.t), by_time[M], by_motion[M];
      t.d[0] = 1;
      call<Along<double>>(
          t, [&](Index b, Index k) { return Along<double>(x.q[b][k]); },
          [&](Index b, Index k) { return Along<double>(x.v[b][k]); }, by_time);
      call<Along<double>>(
          s.t, [&](Index b, Index k) { return along(x.q[b][k], x.v[b][k]); },
          [](Index, Index) { return Along<double>(0.0); }, by_motion);
      for (Index m = 0; m < M; ++m) out.drift[m] = by_time[m].d[0] - by_motion[m].d[0];
    }
    if (out.acceleration_t.data != nullptr) {
      using T = Along<Along<double>>;
      T g[M], t = Seeds::template constant<T>(along(s.t, 1));
      t.d[0].v = 1;
      call<T>(
          t, [&](Index b, Index k) { return Seeds::template constant<T>(along(x.q[b][k], x.v[b][k])); },
          [&](Index b, Index k) { return Seeds::template constant<T>(along(x.v[b][k], Seeds::entry(a[b], k))); }, g);
      for (Index m = 0; m < M; ++m) {
        out.acceleration_t[m] = g[m].d[0].d[0];
        if (std::isnan(out.acceleration_t[m]))
          return Status::failure(StatusCode::unsupported, "a function lacks a derivative", m);
      }
    }
    return Status::success();
  }

 protected:
  ~AutoVelocityRows() = default;

 private:
  const Derived& derived() const { return *static_cast<const Derived*>(this); }
  static Along<double> along(double value, double rate) {
    Along<double> x(value);
    x.d[0] = rate;
    return x;
  }

  template <class T, class Position, class Velocity>
  void call(const T& t, const Position& position, const Velocity& velocity, T* g) const {
    T q[K][C], v[K][C];
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; k < C; ++k) q[b][k] = position(b, k), v[b][k] = velocity(b, k);
    }
    call_with(t, q, v, g, std::make_integer_sequence<Index, K>());
  }
  template <class T, Index... b>
  void call_with(const T& t, const T (&q)[K][C], const T (&v)[K][C], T* g, std::integer_sequence<Index, b...>) const {
    const Motion<State, T> motions[K] = {Motion<State, T>(q[b], v[b])...};
    derived().velocity_residual(t, motions, g);
  }

  template <class Entry>
  static void for_blocks(const MatrixView* out, const Entry& entry_at) {
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; out[b] && k < C; ++k) {
        for (Index m = 0; m < M; ++m) out[b](m, k) = entry_at(m, b * C + k);
      }
    }
  }
};

/// A constraint without position rows: all it demands is in its VelocityRows.
template <Index bodies_>
class VelocityOnlyConstraint : public Constraint {
 public:
  template <class... Bodies>
  explicit VelocityOnlyConstraint(Bodies... bodies) : attached_{bodies...} {
    static_assert(sizeof...(Bodies) == bodies_, "one BodyRef per attached body");
  }

  Index rows() const final { return 0; }
  Index body_count() const final { return bodies_; }
  BodyRef body(Index i) const final { return attached_[i]; }
  Status evaluate(const ElementState&, const ConstraintOutput&) const final { return Status::success(); }
  Status jacobian_gradient(const ElementState&, const ConstVectorView*, const MatrixView*) const final {
    return Status::success();
  }
  Status multiplier_gradient(const ElementState&, ConstVectorView, const MatrixView* out) const final {
    for (Index i = 0; i < bodies_ * bodies_; ++i) {
      if (out[i]) out[i].map().setZero();
    }
    return Status::success();
  }
  Status acceleration_gradient(const ElementState&, const ConstVectorView*, const MatrixView*,
                               const MatrixView*) const final {
    return Status::success();
  }

 protected:
  ~VelocityOnlyConstraint() = default;

 private:
  BodyRef attached_[bodies_];
};

}  // namespace trammel::sdk
