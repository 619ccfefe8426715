// Channels of coordinates written once as a template: value and rate by automatic differentiation along the motion.
#pragma once

#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_bodies.h"

namespace trammel::sdk {

/// Owner has, for K bodies and N coordinates,
///   static constexpr const char* channel_names[2 * N], channel_units[2 * N];   // value, rate, value, rate, ...
///   template <class T> void coordinates(const Pose<State, T>* bodies, T* out, const ElementState&) const;
template <class Owner, class State, Index K, Index N>
class AutoChannels final : public ElementChannels {
 public:
  explicit AutoChannels(const Owner& owner) : owner_(owner) {}

  Index channel_count() const override { return 2 * N; }
  const char* channel_name(Index i) const override { return Owner::channel_names[i]; }
  const char* channel_unit(Index i) const override { return Owner::channel_units[i]; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    return channel_values(s, out, std::make_integer_sequence<Index, K>());
  }

 private:
  using T = Dual<double, 1>;

  template <Index... b>
  Status channel_values(const ElementState& s, VectorView out, std::integer_sequence<Index, b...>) const {
    T q[K][State::coordinates], x[N];
    (fill(s.body<State>(b), q[b]), ...);
    const Pose<State, T> poses[K] = {Pose<State, T>(q[b])...};
    owner_.coordinates(poses, x, s);
    for (Index k = 0; k < N; ++k) out[2 * k] = x[k].v, out[2 * k + 1] = x[k].d[0];
    return Status::success();
  }
  static void fill(const State& body, T* q) {
    double value[State::coordinates], rate[State::coordinates];
    coordinates_of(body, value, rate);
    for (Index k = 0; k < State::coordinates; ++k) q[k].v = value[k], q[k].d[0] = rate[k];
  }

  const Owner& owner_;
};

}  // namespace trammel::sdk
