// Plugin `sum`: f(x) = offset + sum of w_k f_k(x).
#include <string>

#include "trammel/error.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Sum final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  struct Parameters {
    FunctionRefs of;
    Numbers weights;
    double offset;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, of, "1", "The functions that are added.").count(1, 64),
      TRAMMEL_FIELD(Parameters, weights, "1", "One factor per function; all 1 if left out.").optional(),
      TRAMMEL_FIELD(Parameters, offset, "1", "Constant term.").otherwise("0"));

  explicit Sum(const Parameters& p) : parts_(p.of), weights_(p.weights), offset_(p.offset) {
    if (weights_.size != 0 && weights_.size != parts_.size()) {
      throw Error::parameter("weights", "there are " + std::to_string(parts_.size()) + " functions in 'of' but " +
                                            std::to_string(weights_.size) + " weights");
    }
  }

  int max_order() const override { return parts_.max_order(); }
  Status evaluate(double x, int order, double* value) const override {
    double sum[4] = {offset_, 0, 0, 0}, part[4];
    for (std::int64_t k = 0; k < parts_.size(); ++k) {
      const Status status = parts_[k].evaluate(x, order, part);
      if (!status) return status;
      for (int n = 0; n <= order; ++n) sum[n] += weight(k) * part[n];
    }
    for (int n = 0; n <= order; ++n) value[n] = sum[n];
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    return sdk::write_points(parts_.break_points(), x, capacity);
  }
  Status antiderivative(double x, double* value) const override {
    *value = offset_ * x;
    for (std::int64_t k = 0; k < parts_.size(); ++k) {
      double part = 0;
      const Status status = parts_.integral(k).antiderivative(x, &part);
      if (!status) return status;
      *value += weight(k) * part;
    }
    return Status::success();
  }
  Status bounds(double from, double to, double* range) const override {
    Interval sum(offset_);
    for (std::int64_t k = 0; k < parts_.size(); ++k) {
      sum = sum + Interval(weight(k)) * sdk::bounds_of(parts_[k], from, to);
    }
    return sdk::write_bounds(sum, range);
  }
  const void* extension(const char* id) const override {
    const void* own = parts_.integrable() ? sdk::offer_extensions<FunctionIntegral>(id, this) : nullptr;
    if (own == nullptr && parts_.bounded()) own = sdk::offer_extensions<FunctionBounds>(id, this);
    return own != nullptr ? own : sdk::offer_extensions<FunctionSwitches>(id, &parts_);
  }

 private:
  double weight(std::int64_t k) const { return weights_.size == 0 ? 1 : weights_[k]; }

  sdk::FunctionParts parts_;
  Numbers weights_;
  double offset_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("sum", "1.0.0", "BSD-3-Clause", component<Sum>(Host::any, "sum", "Weighted sum of other functions."));
