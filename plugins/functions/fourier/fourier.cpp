// Plugin `fourier`: a finite Fourier series.
//
//   f(x) = offset + sum_k (a_k cos(k omega x) + b_k sin(k omega x)),  k = 1, 2, ...,  omega = 2 pi frequency      (1)
#include <cmath>

#include "trammel/error.h"
#include "trammel/function.h"
#include "trammel/math/two_pi.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Fourier final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    Numbers cosines;
    Numbers sines;
    double offset;
    double frequency;
    double omega;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, cosines, "1", "Coefficients a_1, a_2, ... of the cosines.").optional(),
      TRAMMEL_FIELD(Parameters, sines, "1", "Coefficients b_1, b_2, ... of the sines.").optional(),
      TRAMMEL_FIELD(Parameters, offset, "1", "Mean value.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, frequency, "Hz", "Frequency of the fundamental; give this or omega.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, omega, "rad/s", "Angular frequency of the fundamental; give this or frequency.")
          .above(0)
          .optional());

  explicit Fourier(const Parameters& p) : a_(p.cosines), b_(p.sines), offset_(p.offset) {
    constexpr const char* choice = "a Fourier series takes either 'frequency' (Hz) or 'omega' (rad/s)";
    if (given(p.frequency) && given(p.omega)) throw Error::parameter("omega", choice);
    if (!given(p.frequency) && !given(p.omega)) throw Error(ErrorKind::input, choice);
    if (a_.size == 0 && b_.size == 0)
      throw Error(ErrorKind::input, "a Fourier series needs 'cosines', 'sines' or both");
    omega_ = given(p.omega) ? p.omega : two_pi * p.frequency;
  }

  Status evaluate(double x, int order, double* value) const override {
    double all[4] = {offset_, 0, 0, 0};
    each_term(x, [&](double w, double a, double b, double c, double s) {
      const double f = a * c + b * s, g = w * (b * c - a * s);
      all[0] += f, all[1] += g, all[2] -= w * w * f, all[3] -= w * w * g;
    });
    for (int k = 0; k <= order; ++k) value[k] = all[k];
    return Status::success();
  }
  Status antiderivative(double x, double* value) const override {
    double sum = offset_ * x;
    each_term(x, [&](double w, double a, double b, double c, double s) { sum += (a * s - b * c) / w; });
    *value = sum;
    return Status::success();
  }
  /// a cos + b sin is one wave of the height sqrt(a^2 + b^2).
  Status bounds(double from, double to, double* range) const override {
    Interval sum(offset_);
    each_term(0, [&](double w, double a, double b, double, double) {
      const Interval angle = Interval(w) * Interval(from, to) - std::atan2(b, a);
      sum = sum + Interval(std::hypot(a, b)) * cos(angle);
    });
    return sdk::write_bounds(sum, range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  /// action(k omega, a_k, b_k, cos, sin) for every term; each with its own sine, as recurrences lose digits.
  template <class Action>
  void each_term(double x, const Action& action) const {
    const std::int64_t count = a_.size > b_.size ? a_.size : b_.size;
    for (std::int64_t k = 0; k < count; ++k) {
      const double w = static_cast<double>(k + 1) * omega_;
      action(w, k < a_.size ? a_[k] : 0.0, k < b_.size ? b_[k] : 0.0, std::cos(w * x), std::sin(w * x));
    }
  }

  Numbers a_, b_;
  double offset_, omega_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("fourier", "1.0.0", "BSD-3-Clause", component<Fourier>(Host::any, "fourier", "Finite Fourier series."));
