// Plugin: compliant limits of a coordinate of a joint, spatial and planar.
#include <algorithm>
#include <cmath>

#include "trammel/extensions/event.h"
#include "trammel/sdk/elements/joint_force.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/plugin.h"

// Hunt and Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975)
// 440-445, on each side of a joint's coordinate x, with the depth d = lower - x or x - upper where it is positive:
//   F = k d^n max(0, 1 + c d') up from the lower limit, down from the upper one;  Q = F x_q^T                      (1)
//   F_x = -k n d^(n-1) (1 + c d'), F_x' = -k c d^n on both sides                                                   (2)
//   V = k d^(n+1) / (n+1),  dissipation (|F| - k d^n) d'                                                           (3)
namespace trammel::joint_limit {

struct Parameters {
  sdk::JointCoordinateKeys joint;
  double lower;
  double upper;
  double stiffness;
  double exponent;
  double dissipation;
};

template <class State>
class JointLimit final : public sdk::JointForce<JointLimit<State>, State>, StateLaws {
 public:
  using Parameters = joint_limit::Parameters;
  using Base = sdk::JointForce<JointLimit<State>, State>;
  using Terms = typename Base::Terms;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, joint, sdk::joint_coordinate_fields),
      TRAMMEL_FIELD(Parameters, lower, "rad or m", "Least value of the coordinate; none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, upper, "rad or m", "Largest value of the coordinate; none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, stiffness, "N m/rad^n or N/m^n", "Stiffness k of the power law k d^n.").above(0),
      TRAMMEL_FIELD(Parameters, exponent, "1", "Exponent n.").at_least(1).otherwise("1"),
      TRAMMEL_FIELD(Parameters, dissipation, "s/rad or s/m", "Hunt and Crossley's damping c: force times (1 + c d').")
          .at_least(0)
          .otherwise("0"));

  JointLimit(const Parameters& p, const ModelInfo& model)
      : Base(sdk::JointCoordinate(p.joint, model)), k_(p.stiffness), n_(p.exponent), c_(p.dissipation) {
    if (given(p.lower)) lower_ = p.lower;
    if (given(p.upper)) upper_ = p.upper;
    if (!given(p.lower) && !given(p.upper))
      throw Error::parameter("lower", "a limit needs a 'lower' value, an 'upper' one, or both");
    if (!(lower_ < upper_)) throw Error::parameter("upper", "the upper limit must be above the lower one");
    if (c_ > 0) switches_.add("release");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, CountedAngles, StateLaws, EventSource, LawSwitches>(
        id, this, Base::channel_gradients(), Base::angle(), this, &touch_, &switches_);
  }

  Status push(double x, double rate, double, sdk::LawTerms& out) const {
    out = {};
    const double side = x < lower_ ? 1 : x > upper_ ? -1 : 0;
    if (side == 0) return Status::success();
    const double d = side > 0 ? lower_ - x : x - upper_, damping = 1 - c_ * side * rate;
    if (damping <= 0) return Status::success();
    const double less = k_ * std::pow(d, n_ - 1), full = less * d;
    out = {side * full * damping, -n_ * less * damping, -c_ * full, 0};  // (1), (2)
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    sdk::LawTerms F;
    const Status status = Base::evaluate(s, x, F);
    const double d = std::max(lower_ - x.value, x.value - upper_);
    if (!status || d <= 0) return status;
    const double side = x.value < lower_ ? 1 : -1;
    energy.potential += k_ * std::pow(d, n_ + 1) / (n_ + 1);  // (3)
    energy.dissipation += (side * F.F - k_ * std::pow(d, n_)) * -side * x.rate;
    return status;
  }

 private:
  /// The law has kinks at the limits.
  class Touch final : public EventSource {
   public:
    explicit Touch(const JointLimit& limit) : limit_(limit) {}
    Index event_count() const override { return std::isfinite(limit_.lower_) + std::isfinite(limit_.upper_); }
    const char* event_name(Index i) const override { return lower(i) ? "lower" : "upper"; }
    EventDirection event_direction(Index) const override { return EventDirection::both; }
    EventAction event_action(Index) const override { return EventAction::restart; }
    Status event_values(const ElementState& s, VectorView out) const override {
      Terms x;
      const Status status = limit_.row().evaluate(s, x);
      for (Index i = 0; i < event_count(); ++i) out[i] = lower(i) ? x.value - limit_.lower_ : limit_.upper_ - x.value;
      return status;
    }

   private:
    bool lower(Index i) const { return i == 0 && std::isfinite(limit_.lower_); }
    const JointLimit& limit_;
  };

  /// (1) is cut off where the coordinate comes back faster than the damping lets it.
  Status switch_values(const ElementState& s, double* out) const {
    Terms x;
    const Status status = Base::row().evaluate(s, x);
    if (c_ == 0 || !status) return status;
    if (x.value < lower_) out[0] = 1 - c_ * x.rate;
    if (x.value > upper_) out[0] = 1 + c_ * x.rate;
    return status;
  }

  // The coordinate may dip into a limit and be out again before a step ends.
  Index law_count() const override { return 1; }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    Terms at;
    const Status status = Base::row().evaluate(s, at);
    x[0] = at.value, rate[0] = at.rate;
    return status;
  }
  Status law(Index, const double* x, const double* rate, double t, double* force) const override {
    sdk::LawTerms F;
    const Status status = push(*x, *rate, t, F);
    *force = F.F;
    return status;
  }
  /// (1) falls with the coordinate and with its rate.
  Status law_bounds(Index i, const Box& box, double* force) const override {
    const Status status = law(i, box.x[1], box.rate[1], box.t[0], force);
    return status ? law(i, box.x[0], box.rate[0], box.t[0], force + 1) : status;
  }

  double lower_ = -INFINITY, upper_ = INFINITY;
  double k_, n_, c_;
  Touch touch_{*this};
  sdk::OwnSwitches<JointLimit> switches_{*this, &JointLimit::switch_values};
};

}  // namespace trammel::joint_limit

TRAMMEL_PLUGIN("joint_limit", "1.0.0", "BSD-3-Clause",
               component<trammel::joint_limit::JointLimit<SpatialBodyState>>(
                   Host::spatial, "joint_limit", "Compliant limits of a coordinate of a joint.",
                   "Hunt and Crossley, J. Appl. Mech. 42 (1975) 440-445"),
               component<trammel::joint_limit::JointLimit<PlanarBodyState>>(
                   Host::planar, "joint_limit", "Compliant limits of the coordinate of a joint.",
                   "Hunt and Crossley, J. Appl. Mech. 42 (1975) 440-445"));
