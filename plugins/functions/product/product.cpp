// Plugin `product`: f(x) = factor f_1(x) f_2(x) ..., derivatives by Leibniz' rule.
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Product final : public Function, public FunctionBounds {
 public:
  struct Parameters {
    FunctionRefs of;
    double factor;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, of, "1", "The functions that are multiplied.").count(1, 64),
                             TRAMMEL_FIELD(Parameters, factor, "1", "Constant factor.").otherwise("1"));

  explicit Product(const Parameters& p) : parts_(p.of), factor_(p.factor) {}

  int max_order() const override { return parts_.max_order(); }
  Status evaluate(double x, int order, double* value) const override {
    sdk::Jet product(factor_), part;
    for (std::int64_t k = 0; k < parts_.size(); ++k) {
      const Status status = sdk::evaluate_jet(parts_[k], x, order, part);
      if (!status) return status;
      product = product * part;
    }
    for (int n = 0; n <= order; ++n) value[n] = product.d[n];
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    return sdk::write_points(parts_.break_points(), x, capacity);
  }
  Status bounds(double from, double to, double* range) const override {
    Interval product(factor_);
    for (std::int64_t k = 0; k < parts_.size(); ++k) product = product * sdk::bounds_of(parts_[k], from, to);
    return sdk::write_bounds(product, range);
  }
  const void* extension(const char* id) const override {
    const void* own = parts_.bounded() ? sdk::offer_extensions<FunctionBounds>(id, this) : nullptr;
    return own != nullptr ? own : sdk::offer_extensions<FunctionSwitches>(id, &parts_);
  }

 private:
  sdk::FunctionParts parts_;
  double factor_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("product", "1.0.0", "BSD-3-Clause",
               component<Product>(Host::any, "product", "Product of other functions."));
