// Plugin `scaled`: f(x) = A g(a x), a function in other units.
#include <algorithm>

#include "trammel/error.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class ScaledFunction final : public Function, public FunctionIntegral, public FunctionBounds, public FunctionSwitches {
 public:
  struct Parameters {
    FunctionRef of;
    double factor, argument_factor;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, of, "1", "The function that is scaled."),
      TRAMMEL_FIELD(Parameters, factor, "1", "Factor A of its value.").otherwise("1"),
      TRAMMEL_FIELD(Parameters, argument_factor, "1", "Factor a of its argument, not zero.").otherwise("1"));

  explicit ScaledFunction(const Parameters& p)
      : part_(p.of), parts_({&part_, 1}), factor_(p.factor), a_(p.argument_factor) {
    if (a_ == 0)
      throw Error::parameter("argument_factor", "must not be 0: the function would not depend on its argument");
    for (const double point : parts_.break_points()) break_points_.push_back(point / a_);
    std::sort(break_points_.begin(), break_points_.end());
  }

  int max_order() const override { return parts_.max_order(); }
  Status evaluate(double x, int order, double* value) const override {
    const Status status = part_->evaluate(a_ * x, order, value);
    double factor = factor_;
    for (int n = 0; status && n <= order; ++n) value[n] *= factor, factor *= a_;
    return status;
  }
  Index break_points(double* x, Index capacity) const override { return sdk::write_points(break_points_, x, capacity); }
  Status antiderivative(double x, double* value) const override {
    const Status status = parts_.integral(0).antiderivative(a_ * x, value);
    if (status) *value *= factor_ / a_;
    return status;
  }
  Status bounds(double from, double to, double* range) const override {
    const Interval inside = sdk::bounds_of(*part_, std::min(a_ * from, a_ * to), std::max(a_ * from, a_ * to));
    return sdk::write_bounds(Interval(factor_) * inside, range);
  }
  Index switch_count() const override { return parts_.switch_count(); }
  void switch_values(double x, double* out) const override { parts_.switch_values(a_ * x, out); }
  const void* extension(const char* id) const override {
    const void* own = parts_.integrable() ? sdk::offer_extensions<FunctionIntegral>(id, this) : nullptr;
    if (own == nullptr && parts_.bounded()) own = sdk::offer_extensions<FunctionBounds>(id, this);
    return own != nullptr ? own : sdk::offer_extensions<FunctionSwitches>(id, this);
  }

 private:
  FunctionRef part_;
  sdk::FunctionParts parts_;
  std::vector<double> break_points_;
  double factor_, a_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("scaled", "1.0.0", "BSD-3-Clause",
               component<ScaledFunction>(Host::any, "scaled",
                                         "Another function with its value and its argument scaled."));
