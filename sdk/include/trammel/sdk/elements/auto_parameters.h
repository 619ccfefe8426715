// AutoRowParameters: derivatives of rows with respect to their numbers, from one template of rows and numbers.
#pragma once

#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/sdk/elements/auto_bodies.h"

namespace trammel::sdk {

/// Derive as `class RodNumbers final : public AutoRowParameters<RodNumbers, SpatialBodyState, 2, 1, 7>` (host state,
/// bodies, rows, most numbers) and write
///
///   template <class T>
///   void phi(const T& t, const Pose<SpatialBodyState, T>* bodies, const T* p, T* out) const;   // out[0 .. rows - 1]
///
/// the rows as a function of the numbers p too. Its values at the numbers that `add` was told are the element's rows.
/// Directions are nested dual numbers: the outer one is along p, the inner ones are the motion q + v e1 (+ a e1 e2) or
/// the partial derivatives with respect to q.
template <class Derived, class State, Index bodies_, Index rows_, Index most>
class AutoRowParameters : public ConstraintParameterDerivatives {
 public:
  static constexpr Index K = bodies_, M = rows_, C = State::coordinates;

  Index parameter_count() const final { return count_; }
  const char* parameter_name(Index i) const final { return names_[i]; }

  Status parameter_derivatives(Index i, const ElementState& s, const ConstVectorView* a, ConstVectorView lambda,
                               const RowDerivatives& out) const final {
    double q[K][C], v[K][C];
    for (Index b = 0; b < K; ++b) coordinates_of(s.body<State>(b), q[b], v[b]);
    if (out.Phi.data != nullptr) {
      Along<double> phi[M];
      call(
          i, s.t, [&](Index b, Index k) { return q[b][k]; }, phi);
      for (Index m = 0; m < M; ++m) out.Phi[m] = phi[m].d[0];
    }
    if (out.velocity.data != nullptr) {
      using S = Along<double>;
      Along<S> phi[M];
      call(
          i, first(s.t, 1), [&](Index b, Index k) { return first(q[b][k], v[b][k]); }, phi);
      for (Index m = 0; m < M; ++m) out.velocity[m] = phi[m].d[0].d[0];
    }
    if (out.acceleration.data != nullptr) {
      using S = Along<Along<double>>;
      Along<S> phi[M];
      const auto motion = [&](Index b, Index k) {
        return second(q[b][k], v[b][k], a[b].data != nullptr ? a[b][k] : 0.0);
      };
      call(i, second(s.t, 1, 0), motion, phi);
      for (Index m = 0; m < M; ++m) out.acceleration[m] = phi[m].d[0].d[0].d[0];
    }
    if (out.force != nullptr) {
      using S = Dual<double, K * C>;
      Along<S> phi[M];
      const auto place = [&](Index b, Index k) {
        S x(q[b][k]);
        x.d[b * C + k] = 1;
        return x;
      };
      call(i, S(s.t), place, phi);
      for (Index b = 0; b < K; ++b) {
        for (Index k = 0; out.force[b].data != nullptr && k < C; ++k) {
          double sum = 0;
          for (Index m = 0; m < M; ++m) sum += lambda[m] * phi[m].d[0].d[b * C + k];
          out.force[b].data[k] = sum;
        }
      }
    }
    return Status::success();
  }

 protected:
  ~AutoRowParameters() = default;

  /// [setup] One number more: its name, a literal, and its value.
  void add(const char* name, double value) { names_[count_] = name, p_[count_++] = value; }
  /// [setup] Entries of a vector; `names` are theirs.
  template <Index n>
  void add(const char* const (&names)[n], const double* values) {
    for (Index k = 0; k < n; ++k) add(names[k], values[k]);
  }

 private:
  template <class T>
  using Along = Dual<T, 1>;

  /// value + rate e1.
  static Along<double> first(double value, double rate) {
    Along<double> x(value);
    x.d[0] = rate;
    return x;
  }
  /// value + rate (e1 + e2) + mixed e1 e2.
  static Along<Along<double>> second(double value, double rate, double mixed) {
    Along<Along<double>> x(value);
    x.v.d[0] = rate, x.d[0].v = rate, x.d[0].d[0] = mixed;
    return x;
  }

  template <class S, class Coordinate>
  void call(Index i, const S& t, const Coordinate& coordinate, Along<S>* phi) const {
    using T = Along<S>;
    T q[K][C], p[most], time;
    for (Index b = 0; b < K; ++b) {
      for (Index k = 0; k < C; ++k) q[b][k].v = coordinate(b, k);
    }
    for (Index k = 0; k < count_; ++k) p[k] = T(p_[k]);
    p[i].d[0] = S(1.0);
    time.v = t;
    call_with(time, q, p, phi, std::make_integer_sequence<Index, K>());
  }
  template <class T, Index... b>
  void call_with(const T& t, const T (&q)[K][C], const T* p, T* phi, std::integer_sequence<Index, b...>) const {
    const Pose<State, T> poses[K] = {Pose<State, T>(q[b])...};
    static_cast<const Derived*>(this)->phi(t, poses, p, phi);
  }

  const char* names_[most] = {};
  double p_[most] = {};
  Index count_ = 0;
};

}  // namespace trammel::sdk
