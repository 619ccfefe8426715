// Plugin: compliant one-sided stop between a plane and a point, spatial and planar.
#include <algorithm>
#include <cmath>

#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/event.h"
#include "trammel/sdk/elements/contact_drawn.h"
#include "trammel/sdk/elements/contact_gap.h"
#include "trammel/sdk/elements/coordinate_row.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/elements/scalar_channels.h"
#include "trammel/sdk/elements/two_body_force.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// Hunt and Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975)
// 440-445. With the gap g of contact_gap.h, the depth d = -g and d' = -g':
//   F = k d^n max(0, 1 + c d') where d > 0, else 0;  Q = F g_q                                                     (1)
//   F_g = -k n d^(n-1) (1 + c d'),  F_g' = -k c d^n                                                                (2)
//   V = k d^(n+1) / (n+1),  dissipation (F - k d^n) d'                                                             (3)
namespace trammel::stop {

struct Parameters {
  sdk::ContactKeys keys;
  double stiffness;
  double exponent;
  double dissipation;
};

template <const char* zero>
constexpr auto stop_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, keys, sdk::contact_fields<zero>),
    TRAMMEL_FIELD(Parameters, stiffness, "N/m^n", "Stiffness k of the power law k d^n.").above(0),
    TRAMMEL_FIELD(Parameters, exponent, "1", "Exponent n; 1.5 is Hertz' for spheres.").at_least(1).otherwise("1.5"),
    TRAMMEL_FIELD(Parameters, dissipation, "s/m", "Hunt and Crossley's damping c: force times (1 + c d').")
        .at_least(0)
        .otherwise("0"));

template <class State>
class Stop final : public sdk::TwoBodyForce, ElementChannels, StateLaws {
 public:
  using Parameters = stop::Parameters;
  using Row = sdk::CoordinateRow<State>;
  static constexpr auto parameters = stop_table < State::coordinates == 3 ? sdk::zero_planar : sdk::zero_spatial > ;

  Stop(const Parameters& p, const ModelInfo&)
      : TwoBodyForce(p.keys.two.bodies[0], p.keys.two.bodies[1]),
        gap_(p.keys),
        row_(gap_),
        k_(p.stiffness),
        n_(p.exponent),
        c_(p.dissipation),
        drawn_(sdk::Drawn(Symbol::nothing).at(0, gap_.s_i()).at(1, gap_.s_j()), 0, gap_.n_i()) {
    if (c_ > 0) switches_.add("release");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, StateLaws, EventSource, LawSwitches, Drawing>(
        id, this, &channel_gradients_, this, &touch_, &switches_, &drawn_);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    if (status && x.value < 0) sdk::add_scalar_force(x, -push(x).F, Q);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    typename Row::Terms x;
    Status status = row_.evaluate_gradient(s, x);
    if (!status || x.value >= 0) return status;
    const Push at = push(x);
    sdk::add_scalar_gradients(x, -at.F_g, -at.F_rate, Q_q, Q_v);
    return Q_q != nullptr ? row_.add_hessian(s, at.F, Q_q) : status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    if (!status || x.value >= 0) return status;
    const double d = -x.value;
    energy.potential += k_ * std::pow(d, n_ + 1) / (n_ + 1);  // (3)
    energy.dissipation += (push(x).F - k_ * std::pow(d, n_)) * -x.rate;
    return status;
  }

 private:
  /// The law has a kink where the bodies touch and part.
  class Touch final : public EventSource {
   public:
    explicit Touch(const Row& row) : row_(row) {}
    Index event_count() const override { return 1; }
    const char* event_name(Index) const override { return "contact"; }
    EventDirection event_direction(Index) const override { return EventDirection::both; }
    EventAction event_action(Index) const override { return EventAction::restart; }
    Status event_values(const ElementState& s, VectorView out) const override {
      typename Row::Terms x;
      const Status status = row_.evaluate(s, x);
      out[0] = x.value;
      return status;
    }

   private:
    const Row& row_;
  };

  /// (1) is cut off where the bodies part faster than the damping lets them.
  Status switch_values(const ElementState& s, double* out) const {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    if (c_ > 0 && status && x.value < 0) out[0] = 1 - c_ * x.rate;
    return status;
  }

  struct Push {
    double F = 0, F_g = 0, F_rate = 0;
  };
  Push push(const typename Row::Terms& x) const {
    const double d = -x.value, damping = 1 - c_ * x.rate;
    if (damping <= 0) return {};
    const double lower = std::pow(d, n_ - 1), full = lower * d;
    return {k_ * full * damping, -k_ * n_ * lower * damping, -k_ * c_ * full};  // (1), (2)
  }

  // The gap: a point may dip into the stop and be out again before a step ends.
  Index law_count() const override { return 1; }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    typename Row::Terms gap;
    const Status status = row_.evaluate(s, gap);
    x[0] = gap.value, rate[0] = gap.rate;
    return status;
  }
  Status law(Index, const double* x, const double* rate, double, double* force) const override {
    *force = pressure(-*x, *rate);
    return Status::success();
  }
  Status law_bounds(Index, const Box& box, double* force) const override {
    force[0] = pressure(-*box.x[1], *box.rate[1]), force[1] = pressure(-*box.x[0], *box.rate[0]);
    return Status::success();
  }
  /// (1): rises with the depth and falls with the gap's rate.
  double pressure(double depth, double rate) const {
    return depth > 0 ? k_ * std::pow(depth, n_) * std::max(0.0, 1 - c_ * rate) : 0;
  }

  Index channel_count() const override { return 3; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"gap", "rate", "force"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status terms(const ElementState& s, typename Row::Terms& x, sdk::LawTerms& force) const {
    const Status status = row_.evaluate_gradient(s, x);
    if (!status || x.value >= 0) return status;
    const Push at = push(x);
    force = {at.F, at.F_g, at.F_rate, 0};
    return status;
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    out[0] = x.value, out[1] = x.rate, out[2] = x.value < 0 ? push(x).F : 0;
    return status;
  }

  sdk::GapRow<State> gap_;
  Row row_;
  double k_, n_, c_;
  sdk::ContactDrawn drawn_;
  Touch touch_{row_};
  sdk::ScalarChannels<Stop, State::coordinates> channel_gradients_{*this, &Stop::terms, 3};
  sdk::OwnSwitches<Stop> switches_{*this, &Stop::switch_values};
};

}  // namespace trammel::stop

TRAMMEL_PLUGIN("stop", "1.0.0", "BSD-3-Clause",
               component<trammel::stop::Stop<SpatialBodyState>>(
                   Host::spatial, "stop", "Compliant one-sided stop: a plane of one body, a point of another.",
                   "Hunt and Crossley, J. Appl. Mech. 42 (1975) 440-445"),
               component<trammel::stop::Stop<PlanarBodyState>>(
                   Host::planar, "stop", "Compliant one-sided stop: a line of one body, a point of another.",
                   "Hunt and Crossley, J. Appl. Mech. 42 (1975) 440-445"));
