// Plugin `expression`: a formula of t (or x), compiled once, with exact derivatives to third order, and bounds on
// intervals.
#include "trammel/text/expression.h"

#include <cmath>
#include <string>

#include "trammel/error.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/function.h"
#include "trammel/math/interval.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class ExpressionFunction final : public Function, public FunctionBounds, public FunctionSwitches {
 public:
  struct Parameters {
    Text formula;
    Numbers break_points;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, formula, "1", "Formula of the argument, which is called t or x.").expression(),
      TRAMMEL_FIELD(Parameters, break_points, "1", "Arguments at which a derivative up to the third jumps, ascending.")
          .optional());

  explicit ExpressionFunction(const Parameters& p) : formula_(compile(p.formula)) {
    for (std::int64_t k = 0; k < p.break_points.size; ++k) {
      if (k > 0 && !(p.break_points[k] > p.break_points[k - 1])) {
        throw Error::parameter("break_points", "break points ascend; entry " + std::to_string(k + 1) + " does not");
      }
      break_points_.push_back(p.break_points[k]);
    }
  }

  Status evaluate(double x, int order, double* value) const override {
    if (order == 0) {
      const double plain[2] = {x, x};
      value[0] = formula_.evaluate(plain);
      return std::isfinite(value[0]) ? Status::success() : sdk::write_jet(sdk::Jet(value[0]), order, value);
    }
    const sdk::Jet both[2] = {sdk::Jet::argument(x), sdk::Jet::argument(x)};
    return sdk::write_jet(formula_.evaluate(both), order, value);
  }
  Index break_points(double* x, Index capacity) const override { return sdk::write_points(break_points_, x, capacity); }
  Status bounds(double from, double to, double* range) const override {
    const Interval both[2] = {{from, to}, {from, to}};
    const Interval f = range_of(formula_, both);
    range[0] = f.low, range[1] = f.high;
    return Status::success();
  }
  Index switch_count() const override { return static_cast<Index>(formula_.switches()); }
  void switch_values(double x, double* out) const override {
    const double both[2] = {x, x};
    formula_.switches(both, out);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionBounds, FunctionSwitches>(id, this, this);
  }

 private:
  static Expression compile(const Text& formula) {
    try {
      return Expression::compile(formula.view(), {"t", "x"});
    } catch (const Error& error) {
      throw Error::parameter("formula", error.what());
    }
  }

  Expression formula_;
  std::vector<double> break_points_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("expression", "1.0.0", "BSD-3-Clause",
               component<ExpressionFunction>(Host::any, "expression", "A formula of the argument, t or x."));
