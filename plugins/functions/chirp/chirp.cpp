// Plugin `chirp`: a sine sweep whose frequency changes linearly or exponentially, and stays constant outside.
//
//   f(x) = offset + amplitude sin(theta(x)),  theta' = 2 pi nu(x),  theta(begin) = phase                          (1)
//   linear       nu = f0 + (f1 - f0) u / T,    u = x - begin,  T = end - begin
//                theta = phase + 2 pi (f0 u + (f1 - f0) u^2 / (2 T))                                              (2)
//   exponential  nu = f0 r^(u / T),  r = f1 / f0,   theta = phase + 2 pi f0 T (r^(u / T) - 1) / ln r              (3)
//
// The rate of the frequency jumps at begin and end: both are break points.
#include <cmath>

#include "trammel/error.h"
#include "trammel/function.h"
#include "trammel/math/two_pi.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/math/jet.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Chirp final : public Function, public FunctionBounds {
 public:
  enum class Sweep : std::int32_t { linear, exponential };
  struct Parameters {
    double amplitude;
    double begin;
    double end;
    double begin_frequency;
    double end_frequency;
    double phase;
    double offset;
    Sweep sweep;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, amplitude, "1", "Half the difference between largest and smallest value.")
          .otherwise("1"),
      TRAMMEL_FIELD(Parameters, begin, "1", "Argument up to which begin_frequency holds.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, end, "1", "Argument from which end_frequency holds, greater than begin."),
      TRAMMEL_FIELD(Parameters, begin_frequency, "Hz", "Frequency at begin.").at_least(0),
      TRAMMEL_FIELD(Parameters, end_frequency, "Hz", "Frequency at end.").at_least(0),
      TRAMMEL_FIELD(Parameters, phase, "rad", "Angle at begin.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, offset, "1", "Mean value.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, sweep, "1", "How the frequency goes from one to the other.")
          .choices("linear|exponential")
          .otherwise("\"linear\""));

  explicit Chirp(const Parameters& p)
      : p_(p), T_(p.end - p.begin), w0_(two_pi * p.begin_frequency), w1_(two_pi * p.end_frequency) {
    if (!(T_ > 0)) throw Error::parameter("end", "'end' must be greater than 'begin'");
    if (p.sweep == Sweep::exponential) {
      if (!(w0_ > 0)) throw Error::parameter("begin_frequency", "an exponential sweep needs frequencies above zero");
      if (!(w1_ > 0)) throw Error::parameter("end_frequency", "an exponential sweep needs frequencies above zero");
    }
    growth_ = p.sweep == Sweep::exponential ? std::log(w1_ / w0_) / T_ : 0;
    end_angle_ = angle(T_).d[0];
  }

  Status evaluate(double x, int order, double* value) const override {
    const sdk::Jet wave = sin(angle_at(x));
    for (int k = 0; k <= order; ++k) value[k] = p_.amplitude * wave.d[k];
    value[0] += p_.offset;
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    const double both[2] = {p_.begin, p_.end};
    for (Index k = 0; k < capacity && k < 2; ++k) x[k] = both[k];
    return 2;
  }
  /// The angle never falls.
  Status bounds(double from, double to, double* range) const override {
    const Interval angle(angle_at(from).d[0], angle_at(to).d[0]);
    return sdk::write_bounds(Interval(p_.amplitude) * sin(angle) + p_.offset, range);
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<FunctionBounds>(id, this); }

 private:
  sdk::Jet angle_at(double x) const {
    const double u = x - p_.begin;
    return u < 0    ? sdk::Jet{p_.phase + w0_ * u, w0_, 0, 0}
           : u > T_ ? sdk::Jet{end_angle_ + w1_ * (u - T_), w1_, 0, 0}
                    : angle(u);
  }

  /// theta inside the sweep: (2), (3). Equal frequencies make (3) the same as (2).
  sdk::Jet angle(double u) const {
    if (growth_ == 0) {
      const double c = (w1_ - w0_) / T_;
      return {p_.phase + u * (w0_ + 0.5 * c * u), w0_ + c * u, c, 0};
    }
    const double w = w0_ * std::exp(growth_ * u);
    return {p_.phase + w0_ * std::expm1(growth_ * u) / growth_, w, growth_ * w, growth_ * growth_ * w};
  }

  Parameters p_;
  double T_, w0_, w1_, growth_ = 0, end_angle_ = 0;
};

}  // namespace trammel

TRAMMEL_PLUGIN("chirp", "1.0.0", "BSD-3-Clause",
               component<Chirp>(Host::any, "chirp", "Sine sweep between two frequencies."));
