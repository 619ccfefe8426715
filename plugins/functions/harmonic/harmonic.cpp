// Plugin `harmonic`: f(x) = offset + amplitude sin(omega x + phase), omega = 2 pi frequency.
#include <cmath>

#include "trammel/function.h"
#include "trammel/math/two_pi.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Harmonic final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    double amplitude;
    double frequency;
    double omega;
    double phase;
    double offset;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, amplitude, "1", "Half the difference between largest and smallest value.")
          .otherwise("1"),
      TRAMMEL_FIELD(Parameters, frequency, "Hz", "Periods per unit of the argument; give this or omega.").optional(),
      TRAMMEL_FIELD(Parameters, omega, "rad/s", "Angular frequency; give this or frequency.").optional(),
      TRAMMEL_FIELD(Parameters, phase, "rad", "Angle at x = 0.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, offset, "1", "Mean value.").otherwise("0"));

  explicit Harmonic(const Parameters& p) : amplitude_(p.amplitude), phase_(p.phase), offset_(p.offset) {
    constexpr const char* choice = "a harmonic function takes either 'frequency' (Hz) or 'omega' (rad/s)";
    if (given(p.frequency) && given(p.omega)) throw Error::parameter("omega", choice);
    if (!given(p.frequency) && !given(p.omega)) throw Error(ErrorKind::input, choice);
    omega_ = given(p.omega) ? p.omega : two_pi * p.frequency;
  }

  Status evaluate(double x, int order, double* value) const override {
    const double s = std::sin(omega_ * x + phase_), c = std::cos(omega_ * x + phase_);
    const double w = omega_, a = amplitude_;
    const double all[4] = {offset_ + a * s, a * w * c, -a * w * w * s, -a * w * w * w * c};
    for (int k = 0; k <= order; ++k) value[k] = all[k];
    return Status::success();
  }

  Status antiderivative(double x, double* value) const override {
    const double wave = omega_ == 0 ? std::sin(phase_) * x : -std::cos(omega_ * x + phase_) / omega_;
    *value = offset_ * x + amplitude_ * wave;
    return Status::success();
  }
  Status bounds(double from, double to, double* range) const override {
    const Interval angle = Interval(omega_) * Interval(from, to) + phase_;
    return sdk::write_bounds(Interval(amplitude_) * sin(angle) + offset_, range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  double amplitude_, omega_, phase_, offset_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("harmonic", "1.0.0", "BSD-3-Clause",
               component<Harmonic>(Host::any, "harmonic", "Sine wave with amplitude, frequency, phase and offset."));
