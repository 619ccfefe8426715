// Channels of forces along one scalar coordinate, with their gradients: coordinate, rate, force, power.
#pragma once

#include "trammel/extensions/channel_gradients.h"
#include "trammel/sdk/elements/scalar_force.h"
#include "trammel/sdk/elements/scalar_law.h"

//   y(x, x', t): y_q = y_x x_q + y_r x'_q, y_v = y_r x_q; of x: 1, 0; of x': 0, 1; of F: F_x, F_r, F_t; of F x'          (1)
namespace trammel::sdk {

/// Answers for an owner whose first channels are x, x', F and perhaps F x', in this order. It has
///   Status terms(const ElementState& s, ScalarTerms<N>& x, LawTerms& F) const;
/// which may be private, and fills in all of both, F with the sign of the channel.
template <class Owner, Index N>
class ScalarChannels final : public ChannelGradients {
 public:
  using Terms = Status (Owner::*)(const ElementState&, ScalarTerms<N>&, LawTerms&) const;
  ScalarChannels(const Owner& owner, Terms terms, Index count) : owner_(owner), terms_(terms), count_(count) {}

  ChannelGrade channel_grade(Index i) const override {
    return i >= count_ ? ChannelGrade::unknown : i == 0 ? ChannelGrade::coordinate : ChannelGrade::motion;
  }
  Status channel_gradient(Index i, const ElementState& s, double* value, const VectorView* by_q, const VectorView* by_v,
                          double* by_t) const override {
    ScalarTerms<N> x{};
    LawTerms F;
    const Status status = (owner_.*terms_)(s, x, F);
    if (!status) return status;
    const LawTerms own[] = {
        {x.value, 1, 0, 0}, {x.rate, 0, 1, 0}, F, {F.F * x.rate, F.F_x * x.rate, F.F_r * x.rate + F.F, F.F_t * x.rate}};
    const LawTerms& y = own[i];
    *value = y.F, *by_t += y.F_t;
    for (Index b = 0; b < 2; ++b) {  // (1)
      for (Index k = 0; k < N; ++k) {
        if (by_q[b].data != nullptr) by_q[b].data[k] += y.F_x * x.q[b][k] + y.F_r * x.q1[b][k];
        if (by_v[b].data != nullptr) by_v[b].data[k] += y.F_r * x.q[b][k];
      }
    }
    return status;
  }

 private:
  const Owner& owner_;
  Terms terms_;
  Index count_;
};

}  // namespace trammel::sdk
