// Plugin `bump`: a smooth rise and fall with two continuous derivatives.
//
//   u = (x - begin) / (end - begin),  w = u (1 - u),  f = 64 height w^3 for 0 <= u <= 1, else 0                    (1)
//   w' = 1 - 2 u, w'' = -2:  f' = 192 height w^2 w',  f'' = 384 height w (w'^2 - w),
//   f''' = 384 height w' (w'^2 - 6 w)                                                                              (2)
//   integral of w^3: W(u) = u^4 (1/4 - 3/5 u + 1/2 u^2 - 1/7 u^3), W(1) = 1/140                                    (3)
//
// The third derivative jumps at both ends, which are therefore break points.
#include "trammel/error.h"
#include "trammel/function.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Bump final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    double begin;
    double end;
    double height;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, begin, "1", "Argument at which it begins."),
                             TRAMMEL_FIELD(Parameters, end, "1", "Argument at which it ends, greater than begin."),
                             TRAMMEL_FIELD(Parameters, height, "1", "Value in the middle."));

  explicit Bump(const Parameters& p) : begin_(p.begin), width_(p.end - p.begin), height_(p.height) {
    if (!(width_ > 0)) throw Error::parameter("end", "'end' must be greater than 'begin'");
  }

  Status evaluate(double x, int order, double* value) const override {
    const double u = (x - begin_) / width_, w = u * (1 - u), w1 = 1 - 2 * u;
    double f[4] = {0, 0, 0, 0};
    if (u >= 0 && u <= 1) {
      f[0] = 64 * w * w * w;                                                                         // (1)
      f[1] = 192 * w * w * w1, f[2] = 384 * w * (w1 * w1 - w), f[3] = 384 * w1 * (w1 * w1 - 6 * w);  // (2)
    }
    double scale = height_;
    for (int k = 0; k <= order; ++k) value[k] = scale * f[k], scale /= width_;
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    const double both[2] = {begin_, begin_ + width_};
    for (Index k = 0; k < capacity && k < 2; ++k) x[k] = both[k];
    return 2;
  }
  Status antiderivative(double x, double* value) const override {
    const double u = (x - begin_) / width_;
    const double W = u <= 0 ? 0 : u >= 1 ? 1.0 / 140 : u * u * u * u * (0.25 - u * (0.6 - u * (0.5 - u / 7)));  // (3)
    *value = 64 * height_ * width_ * W;
    return Status::success();
  }
  /// Largest in the middle, falling on both sides.
  Status bounds(double from, double to, double* range) const override {
    const double middle = begin_ + 0.5 * width_;
    double f[3] = {0, 0, 0};
    evaluate(from, 0, f), evaluate(to, 0, f + 1), evaluate(from > middle ? from : to < middle ? to : middle, 0, f + 2);
    return sdk::write_bounds(sdk::hull(f[2], sdk::hull(f[0], f[1])), range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  double begin_, width_, height_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("bump", "1.0.0", "BSD-3-Clause",
               component<Bump>(Host::any, "bump", "Smooth rise and fall over an interval."));
