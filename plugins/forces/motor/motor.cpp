// Plugin: motor with a torque-speed curve behind a gear, on a coordinate of a joint, spatial and planar.
#include <cmath>

#include "trammel/extensions/force_claims.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/joint_force.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/plugin.h"

// The shaft turns n times as far as the joint's coordinate x; its torque is the command times the curve's value at its
// speed:
//   F = n u(t) T(n x'),  u clamped to [minimum, maximum],  Q = F x_q^T, power F x'                                 (1)
//   F_x' = n^2 u T',  F_t = n u' T where u is not clamped                                                          (2)
namespace trammel::motor {

struct Parameters {
  sdk::JointCoordinateKeys joint;
  FunctionRef command;
  FunctionRef curve;
  double gear;
  double minimum;
  double maximum;
};

template <class State>
class Motor final : public sdk::JointForce<Motor<State>, State>, StateFunctions, ForceClaims {
 public:
  using Parameters = motor::Parameters;
  using Base = sdk::JointForce<Motor<State>, State>;
  using Terms = typename Base::Terms;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, joint, sdk::joint_coordinate_fields),
      TRAMMEL_FIELD(Parameters, command, "1 or N m or N over s",
                    "Command u over time: a share of the curve, or the torque without one."),
      TRAMMEL_FIELD(Parameters, curve, "N m or N over rad/s or m/s",
                    "Torque T of the shaft over its speed; 1 if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, gear, "1", "Ratio n: how far the shaft turns by the coordinate.").otherwise("1"),
      TRAMMEL_FIELD(Parameters, minimum, "1 or N m or N", "Least command, none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, maximum, "1 or N m or N", "Largest command, none if left out.").optional());

  Motor(const Parameters& p, const ModelInfo& model)
      : Base(sdk::JointCoordinate(p.joint, model)), command_(p.command), curve_(p.curve), n_(p.gear) {
    if (n_ == 0) throw Error::parameter("gear", "a ratio of zero moves nothing");
    if (given(p.minimum)) minimum_ = p.minimum;
    if (given(p.maximum)) maximum_ = p.maximum;
    if (!(minimum_ < maximum_)) throw Error::parameter("maximum", "the largest command must be above the least one");
    switches_.add("minimum"), switches_.add("maximum");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, CountedAngles, StateFunctions, LawSwitches,
                                 ForceClaims>(id, this, Base::channel_gradients(), Base::angle(), this, &switches_,
                                              this);
  }

  Status push(double, double rate, double t, sdk::LawTerms& out) const {
    double u[2] = {0, 0}, T[2] = {1, 0};
    Status status = command_->evaluate(t, 1, u);
    if (u[0] < minimum_) u[0] = minimum_, u[1] = 0;
    if (u[0] > maximum_) u[0] = maximum_, u[1] = 0;
    if (status && curve_ != nullptr) status = curve_->evaluate(n_ * rate, 1, T);
    out = {n_ * u[0] * T[0], 0, n_ * n_ * u[0] * T[1], n_ * u[1] * T[0]};  // (1), (2)
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
  bool passive() const override { return curve_ == nullptr; }  // a falling curve drives where the command is negative
  Index state_function_count() const override { return 1; }
  const Function* state_function(Index) const override { return curve_; }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override {
    Terms x;
    const Status status = Base::row().evaluate(s, x);
    value[0] = n_ * x.rate, rate[0] = 0;
    return status;
  }
  Status switch_values(const ElementState& s, double* out) const {
    double u = 0;
    const Status status = command_->evaluate(s.t, 0, &u);
    if (!status) return status;
    if (std::isfinite(minimum_)) out[0] = u - minimum_;
    if (std::isfinite(maximum_)) out[1] = maximum_ - u;
    return status;
  }

  FunctionRef command_, curve_;
  double n_;
  double minimum_ = -INFINITY, maximum_ = INFINITY;
  sdk::OwnSwitches<Motor> switches_{*this, &Motor::switch_values};
};

}  // namespace trammel::motor

TRAMMEL_PLUGIN("motor", "1.0.0", "BSD-3-Clause",
               component<trammel::motor::Motor<SpatialBodyState>>(
                   Host::spatial, "motor", "Motor with a torque-speed curve and a gear on a coordinate of a joint.",
                   "Fitzgerald, Kingsley and Umans, Electric Machinery (2003), chapter 11"),
               component<trammel::motor::Motor<PlanarBodyState>>(
                   Host::planar, "motor", "Motor with a torque-speed curve and a gear on the coordinate of a joint.",
                   "Fitzgerald, Kingsley and Umans, Electric Machinery (2003), chapter 11"));
