// Plugin: position and velocity servo on a coordinate of a joint, spatial and planar.
#include <algorithm>
#include <cmath>

#include "trammel/function.h"
#include "trammel/sdk/elements/joint_force.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/plugin.h"

// A motor behind a gear, whose shaft turns n times as far as the joint's coordinate x, follows a position u and a rate w:
//   F = clamp(n (k (u(t) - n x) + c (w(t) - n x'))),  Q = F x_q^T, power F x'                                      (1)
//   F_x = -n^2 k, F_x' = -n^2 c, F_t = n (k u' + c w') where it is not clamped                                     (2)
namespace trammel::servo {

struct Parameters {
  sdk::JointCoordinateKeys joint;
  FunctionRef position;
  FunctionRef rate;
  double stiffness;
  double damping;
  double gear;
  double minimum;
  double maximum;
};

template <class State>
class Servo final : public sdk::JointForce<Servo<State>, State> {
 public:
  using Parameters = servo::Parameters;
  using Base = sdk::JointForce<Servo<State>, State>;
  using Terms = typename Base::Terms;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, joint, sdk::joint_coordinate_fields),
      TRAMMEL_FIELD(Parameters, position, "rad or m over s", "Wanted position u of the shaft over time; 0 if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, rate, "rad/s or m/s over s", "Wanted rate w of the shaft over time; 0 if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, stiffness, "N m/rad or N/m", "Gain k of the position, at the shaft.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, damping, "N m s/rad or N s/m", "Gain c of the rate, at the shaft.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, gear, "1", "Ratio n: how far the shaft turns by the coordinate.").otherwise("1"),
      TRAMMEL_FIELD(Parameters, minimum, "N m or N", "Least force on the joint, none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, maximum, "N m or N", "Largest force on the joint, none if left out.").optional());

  Servo(const Parameters& p, const ModelInfo& model)
      : Base(sdk::JointCoordinate(p.joint, model)),
        position_(p.position),
        rate_(p.rate),
        k_(p.stiffness),
        c_(p.damping),
        n_(p.gear) {
    if (!(k_ > 0 || c_ > 0))
      throw Error::parameter("stiffness", "a servo needs a gain: 'stiffness', 'damping' or both");
    if (n_ == 0) throw Error::parameter("gear", "a ratio of zero moves nothing");
    if (position_ != nullptr && !(k_ > 0))
      throw Error::parameter("position", "a wanted position needs a 'stiffness' above 0");
    if (rate_ != nullptr && !(c_ > 0)) throw Error::parameter("rate", "a wanted rate needs a 'damping' above 0");
    if (given(p.minimum)) minimum_ = p.minimum;
    if (given(p.maximum)) maximum_ = p.maximum;
    if (!(minimum_ < maximum_)) throw Error::parameter("maximum", "the largest force must be above the least one");
    switches_.add("minimum"), switches_.add("maximum");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, CountedAngles, LawSwitches>(
        id, this, Base::channel_gradients(), Base::angle(), &switches_);
  }

  Status push(double x, double rate, double t, sdk::LawTerms& out) const {
    const Status status = unlimited(x, rate, t, out);
    if (out.F < minimum_) out = {minimum_, 0, 0, 0};
    if (out.F > maximum_) out = {maximum_, 0, 0, 0};
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    sdk::LawTerms F;
    const Status status = Base::evaluate(s, x, F);
    energy.work += F.F * x.rate;
    return status;
  }

 private:
  Status unlimited(double x, double rate, double t, sdk::LawTerms& out) const {
    double u[2] = {0, 0}, w[2] = {0, 0};
    Status status = position_ != nullptr ? position_->evaluate(t, 1, u) : Status::success();
    if (status && rate_ != nullptr) status = rate_->evaluate(t, 1, w);
    out = {n_ * (k_ * (u[0] - n_ * x) + c_ * (w[0] - n_ * rate)), -n_ * n_ * k_, -n_ * n_ * c_,
           n_ * (k_ * u[1] + c_ * w[1])};  // (1), (2)
    return status;
  }
  Status switch_values(const ElementState& s, double* out) const {
    Terms x;
    sdk::LawTerms F;
    Status status = Base::row().evaluate(s, x);
    if (status) status = unlimited(x.value, x.rate, s.t, F);
    if (!status) return status;
    if (std::isfinite(minimum_)) out[0] = F.F - minimum_;
    if (std::isfinite(maximum_)) out[1] = maximum_ - F.F;
    return status;
  }

  FunctionRef position_, rate_;
  double k_, c_, n_;
  double minimum_ = -INFINITY, maximum_ = INFINITY;
  sdk::OwnSwitches<Servo> switches_{*this, &Servo::switch_values};
};

}  // namespace trammel::servo

TRAMMEL_PLUGIN("servo", "1.0.0", "BSD-3-Clause",
               component<trammel::servo::Servo<SpatialBodyState>>(
                   Host::spatial, "servo", "Position or velocity servo on a coordinate of a joint, through a gear.",
                   "Craig, Introduction to Robotics: Mechanics and Control (2005), section 9.2"),
               component<trammel::servo::Servo<PlanarBodyState>>(
                   Host::planar, "servo", "Position or velocity servo on the coordinate of a joint, through a gear.",
                   "Craig, Introduction to Robotics: Mechanics and Control (2005), section 9.2"));
