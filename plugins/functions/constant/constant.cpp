// Plugin `constant`: f(x) = value.
#include "trammel/function.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Constant final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    double value;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, value, "1", "The value, in the unit its user expects."));

  explicit Constant(const Parameters& p) : value_(p.value) {}

  Status evaluate(double, int order, double* value) const override {
    value[0] = value_;
    for (int k = 1; k <= order; ++k) value[k] = 0;
    return Status::success();
  }

  Status antiderivative(double x, double* value) const override {
    *value = value_ * x;
    return Status::success();
  }
  Status bounds(double, double, double* range) const override { return sdk::write_bounds(value_, range); }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  double value_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("constant", "1.0.0", "BSD-3-Clause",
               component<Constant>(Host::any, "constant", "The same value everywhere."));
