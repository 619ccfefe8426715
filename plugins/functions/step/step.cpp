// Plugin `step`: a smooth change from one value to another with zero rate and acceleration at both ends.
//
//   u = (x - begin) / (end - begin),  s(u) = u^3 (10 - 15 u + 6 u^2),  f = from + (to - from) s(u)                (1)
//   s' = 30 u^2 (1 - u)^2,  s'' = 60 u (1 - u) (1 - 2 u),  s''' = 60 (1 - 6 u + 6 u^2)                            (2)
//   integral of s: S(u) = u^4 (5/2 - 3 u + u^2), S(1) = 1/2                                                       (3)
//
// The third derivative jumps at both ends, which are therefore break points.
#include "trammel/error.h"
#include "trammel/function.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Step final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    double begin;
    double end;
    double from;
    double to;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, begin, "1", "Argument at which the change begins."),
                             TRAMMEL_FIELD(Parameters, end, "1", "Argument at which it ends, greater than begin."),
                             TRAMMEL_FIELD(Parameters, from, "1", "Value up to begin.").otherwise("0"),
                             TRAMMEL_FIELD(Parameters, to, "1", "Value from end on.").otherwise("1"));

  explicit Step(const Parameters& p) : begin_(p.begin), width_(p.end - p.begin), from_(p.from), rise_(p.to - p.from) {
    if (!(width_ > 0)) throw Error::parameter("end", "'end' must be greater than 'begin'");
  }

  Status evaluate(double x, int order, double* value) const override {
    const double u = (x - begin_) / width_;
    double s[4] = {u < 0 ? 0.0 : 1.0, 0, 0, 0};
    if (u >= 0 && u <= 1) {  // (1), (2)
      s[0] = u * u * u * (10 + u * (6 * u - 15));
      s[1] = 30 * u * u * (1 - u) * (1 - u), s[2] = 60 * u * (1 - u) * (1 - 2 * u), s[3] = 60 * (1 + 6 * u * (u - 1));
    }
    double scale = rise_;
    for (int k = 0; k <= order; ++k) value[k] = scale * s[k], scale /= width_;
    value[0] += from_;
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    const double both[2] = {begin_, begin_ + width_};
    for (Index k = 0; k < capacity && k < 2; ++k) x[k] = both[k];
    return 2;
  }
  Status antiderivative(double x, double* value) const override {
    const double u = (x - begin_) / width_;
    const double S = u <= 0 ? 0 : u >= 1 ? u - 0.5 : u * u * u * u * (2.5 + u * (u - 3));  // (3)
    *value = from_ * x + rise_ * width_ * S;
    return Status::success();
  }
  Status bounds(double from, double to, double* range) const override {
    double f[2] = {0, 0};
    evaluate(from, 0, f), evaluate(to, 0, f + 1);
    return sdk::write_bounds(sdk::hull(f[0], f[1]), range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  double begin_, width_, from_, rise_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("step", "1.0.0", "BSD-3-Clause",
               component<Step>(Host::any, "step", "Smooth change (quintic) from one value to another."));
