// Plugin `polynomial`: f(x) = c_0 + c_1 x + c_2 x^2 + ..., by Horner's scheme with derivatives.
//
//   p <- p x + c_i,  p' <- p' x + p,  p'' / 2 <- (p'' / 2) x + p',  p''' / 6 <- (p''' / 6) x + p'' / 2            (1)
#include "trammel/function.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Polynomial final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    Numbers coefficients;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, coefficients, "1", "Coefficients of x^0, x^1, x^2, ... (ascending).").count(1, 64));

  explicit Polynomial(const Parameters& p) : c_(p.coefficients) {}

  Status evaluate(double x, int order, double* value) const override {
    double taylor[4] = {0, 0, 0, 0};  // f^(k) / k!
    for (std::int64_t i = c_.size - 1; i >= 0; --i) {
      for (int k = 3; k >= 1; --k) taylor[k] = taylor[k] * x + taylor[k - 1];  // (1)
      taylor[0] = taylor[0] * x + c_[i];
    }
    constexpr double factorial[4] = {1, 1, 2, 6};
    for (int k = 0; k <= order; ++k) value[k] = factorial[k] * taylor[k];
    return Status::success();
  }

  Status antiderivative(double x, double* value) const override {
    *value = 0;
    for (std::int64_t i = c_.size - 1; i >= 0; --i) *value = (*value + c_[i] / static_cast<double>(i + 1)) * x;
    return Status::success();
  }
  Status bounds(double from, double to, double* range) const override {
    return sdk::write_bounds(sdk::polynomial_bounds(c_.data, c_.size, from, to), range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  Numbers c_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("polynomial", "1.0.0", "BSD-3-Clause",
               component<Polynomial>(Host::any, "polynomial", "Polynomial with ascending coefficients."));
