// Plugin `piecewise`: one function up to the first break, another one up to the second, and so on.
//
// Piece k holds for breaks[k - 1] <= x < breaks[k]. With `continue_value` each later piece is shifted so that the value
// is continuous. A jump of the value is refused unless `jumps` is true: drivers and force laws rarely mean one, and an
// impulse belongs to a jump of a driver.
#include <algorithm>
#include <cmath>
#include <string>

#include "trammel/error.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Piecewise final : public Function, public FunctionIntegral, public FunctionSwitches, public FunctionBounds {
 public:
  struct Parameters {
    FunctionRefs pieces;
    Numbers breaks;
    bool continue_value;
    bool jumps;
    bool local_argument;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, pieces, "1", "The functions in the order in which they hold.").count(1, 256),
      TRAMMEL_FIELD(Parameters, breaks, "1", "Arguments at which the next piece begins, ascending, one fewer.")
          .count(0, 255),
      TRAMMEL_FIELD(Parameters, continue_value, "1", "Shift each piece so that the value is continuous.")
          .otherwise("false"),
      TRAMMEL_FIELD(Parameters, jumps, "1", "Allow jumps of the value.").otherwise("false"),
      TRAMMEL_FIELD(Parameters, local_argument, "1", "Pieces after the first count their argument from their break.")
          .otherwise("false"));

  explicit Piecewise(const Parameters& p) : parts_(p.pieces), breaks_(p.breaks), local_(p.local_argument) {
    if (breaks_.size != parts_.size() - 1) {
      throw Error::parameter("breaks", std::to_string(parts_.size()) + " pieces need " +
                                           std::to_string(parts_.size() - 1) + " breaks, not " +
                                           std::to_string(breaks_.size));
    }
    for (std::int64_t k = 1; k < breaks_.size; ++k) {
      if (!(breaks_[k] > breaks_[k - 1])) {
        throw Error::parameter("breaks", "breaks ascend; entry " + std::to_string(k + 1) + " does not");
      }
    }
    shifts_.assign(static_cast<std::size_t>(parts_.size()), 0.0);
    constants_ = shifts_;
    for (std::int64_t k = 0; k < breaks_.size; ++k) join(k, p.continue_value, p.jumps);
    collect_break_points();
  }

  int max_order() const override { return parts_.max_order(); }
  Status evaluate(double x, int order, double* value) const override {
    const std::int64_t k = piece(x);
    const Status status = parts_[k].evaluate(argument(k, x), order, value);
    if (status) value[0] += shift(k);
    return status;
  }
  Index break_points(double* x, Index capacity) const override { return sdk::write_points(points_, x, capacity); }
  Status antiderivative(double x, double* value) const override {
    const std::int64_t k = piece(x);
    const Status status = parts_.integral(k).antiderivative(argument(k, x), value);
    if (status) *value += shift(k) * argument(k, x) + constants_[static_cast<std::size_t>(k)];
    return status;
  }
  const void* extension(const char* id) const override {
    const void* own = parts_.integrable() ? sdk::offer_extensions<FunctionIntegral>(id, this) : nullptr;
    if (own == nullptr && parts_.bounded()) own = sdk::offer_extensions<FunctionBounds>(id, this);
    return own != nullptr ? own : sdk::offer_extensions<FunctionSwitches>(id, this);
  }
  Status bounds(double from, double to, double* range) const override {
    const std::int64_t first = piece(from), last = piece(to);
    Interval all = Interval::everything();
    for (std::int64_t k = first; k <= last; ++k) {
      const double a = k > first ? breaks_[k - 1] : from, b = k < last ? breaks_[k] : to;
      const Interval part = sdk::bounds_of(parts_[k], argument(k, a), argument(k, b)) + shift(k);
      all = k > first ? sdk::hull(all, part) : part;
    }
    return sdk::write_bounds(all, range);
  }
  Index switch_count() const override { return parts_.switch_count(); }
  void switch_values(double x, double* out) const override {
    const std::int64_t k = piece(x);
    parts_.switch_values(k, argument(k, x), out);
  }

 private:
  std::int64_t piece(double x) const {
    return std::upper_bound(breaks_.data, breaks_.data + breaks_.size, x) - breaks_.data;
  }
  double argument(std::int64_t k, double x) const { return local_ && k > 0 ? x - breaks_[k - 1] : x; }
  double shift(std::int64_t k) const { return shifts_[static_cast<std::size_t>(k)]; }

  /// Pieces k and k + 1 at the break between them: value, then the constant of the integral.
  void join(std::int64_t k, bool continuous, bool jumps) {
    const double at = breaks_[k], x[2] = {argument(k, at), argument(k + 1, at)};
    double side[2] = {0, 0};
    for (std::int64_t n = 0; n < 2; ++n) {
      if (!parts_[k + n].evaluate(x[n], 0, &side[n])) {
        throw Error::parameter(
            "pieces", "piece " + std::to_string(k + n + 1) + " is not defined at its end, " + std::to_string(at));
      }
    }
    side[0] += shift(k);
    const double jump = side[0] - side[1];
    if (continuous) {
      shifts_[static_cast<std::size_t>(k + 1)] = jump;
    } else if (!jumps && std::abs(jump) > 1e-9 * (1 + std::abs(side[0]))) {
      throw Error::parameter("pieces", "the value jumps by " + std::to_string(-jump) + " at " + std::to_string(at) +
                                           "; set 'continue_value' to join the pieces or 'jumps' to allow it");
    }
    if (!parts_.integrable()) return;
    double integral[2] = {0, 0};
    for (std::int64_t n = 0; n < 2; ++n) {
      parts_.integral(k + n).antiderivative(x[n], &integral[n]);
      integral[n] += shift(k + n) * x[n];
    }
    constants_[static_cast<std::size_t>(k + 1)] = constants_[static_cast<std::size_t>(k)] + integral[0] - integral[1];
  }

  /// The breaks, and of each piece its own points where it holds.
  void collect_break_points() {
    points_.assign(breaks_.data, breaks_.data + breaks_.size);
    for (std::int64_t k = 0; k < parts_.size(); ++k) {
      for (const double own : sdk::break_points_of(parts_[k])) {
        const double x = local_ && k > 0 ? own + breaks_[k - 1] : own;
        if (piece(x) == k) points_.push_back(x);
      }
    }
    sdk::merge_points(points_);
  }

  sdk::FunctionParts parts_;
  Numbers breaks_;
  bool local_;
  std::vector<double> shifts_;     ///< added to each piece's value
  std::vector<double> constants_;  ///< added to each piece's integral
  std::vector<double> points_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("piecewise", "1.0.0", "BSD-3-Clause",
               component<Piecewise>(Host::any, "piecewise", "Other functions, each on its own interval."));
