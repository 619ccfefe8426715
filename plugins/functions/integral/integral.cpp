// Plugin `integral`: f(x) = initial + integral of another function from `from` to x, its derivatives those of the
// other.
//
// A driver of a velocity is a driver of the position that the velocity integrates to. Position, rate and acceleration
// of a driver must agree to rounding, or the constraint drifts against its own derivatives; so the integral is exact:
//
//   - functions that know their antiderivative F give  f(x) = initial + F(x) - F(from);
//   - others are integrated once, when the model is built, up to `until`: panels [x_k, x_{k+1}] are halved, between the
//     function's break points, until Gauss' rule with 10 points does not change when a panel is halved, and
//     f(x) = initial + I_k + rule on [x_k, x]. On part of a panel the rule is at least as exact as on all of it.   (1)
//     Before a panel is taken, equidistant samples look for what the rule's points passed over: nothing wider than 1e-5
//     of the range is missed.
//
// Nothing is stored while a run goes on, so f is the same function at every stage, rejected step and restart.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "trammel/error.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/math/quadrature.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Integral final : public Function, public FunctionBounds {
 public:
  struct Parameters {
    FunctionRef of;
    double from;
    double initial;
    double until;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, of, "1", "The function that is integrated."),
      TRAMMEL_FIELD(Parameters, from, "1", "Argument at which the integral is zero.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, initial, "1", "Value there.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, until, "1",
                    "Largest argument that will be asked for; needed if the function does not know its integral.")
          .optional());

  explicit Integral(const Parameters& p)
      : f_(*p.of), closed_(find_extension<FunctionIntegral>(f_)), from_(p.from), initial_(p.initial) {
    if (closed_ != nullptr) {
      double start = 0;
      if (!closed_->antiderivative(from_, &start)) {
        throw Error::parameter("from", "the function is not defined at 'from'");
      }
      initial_ -= start;
      return;
    }
    if (!given(p.until)) {
      throw Error::parameter("until",
                             "this function does not know its integral in closed form: 'until', the largest "
                             "argument that will be asked for, is needed");
    }
    if (!(p.until > from_)) throw Error::parameter("until", "'until' must be greater than 'from'");
    end_ = p.until;
    tabulate();
  }

  int max_order() const override { return 3; }
  Status evaluate(double x, int order, double* value) const override {
    double integral = 0;
    const Status status = closed_ != nullptr ? closed_->antiderivative(x, &integral) : from_table(x, integral);
    if (!status) return status;
    value[0] = initial_ + integral;
    return order > 0 ? f_.evaluate(x, order - 1, value + 1) : status;
  }
  Index break_points(double* x, Index capacity) const override { return f_.break_points(x, capacity); }
  /// From its value at one end it cannot get farther than the steepest rate takes it.
  Status bounds(double from, double to, double* range) const override {
    double start = 0;
    const Status status = evaluate(from, 0, &start);
    if (!status) return status;
    const Interval way = Interval(0, to - from) * sdk::bounds_of(f_, from, to);
    return sdk::write_bounds(way + start, range);
  }
  const void* extension(const char* id) const override {
    const bool bounded = find_extension<FunctionBounds>(f_) != nullptr;
    return bounded ? sdk::offer_extensions<FunctionBounds>(id, this) : nullptr;
  }

 private:
  struct Panel {
    double x, integral;  ///< left end, integral up to it
  };

  Status rule(double a, double b, sdk::PanelSums& sums) const {
    return sdk::gauss_rule([this](double x, double& y) { return f_.evaluate(x, 0, &y); }, a, b, sums);
  }

  void tabulate() {
    std::vector<double> ends{from_};
    for (const double x : sdk::break_points_of(f_)) {
      if (x > ends.back() && x < end_) ends.push_back(x);
    }
    ends.push_back(end_);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) size_ += samples(ends[k], ends[k + 1]).magnitude;
    sdk::PanelSums total;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      halve(ends[k], ends[k + 1], whole(ends[k], ends[k + 1]), 0, total);
  }

  sdk::PanelSums whole(double a, double b) const {
    sdk::PanelSums sums;
    if (!rule(a, b, sums)) {
      throw Error::parameter(
          "of", "the function is not defined everywhere between " + std::to_string(a) + " and " + std::to_string(b));
    }
    return sums;
  }

  /// How many samples of [a, b] are at least as dense as 1e-5 of the range.
  double count(double a, double b) const { return std::ceil(std::max(32.0, 131072 * (b - a) / (end_ - from_))); }

  /// The midpoint rule with them.
  sdk::PanelSums samples(double a, double b) const {
    const double n = count(a, b), h = (b - a) / n;
    sdk::PanelSums sums;
    for (double k = 0.5; k < n; ++k) {
      double f = 0;
      if (!f_.evaluate(a + k * h, 0, &f)) continue;
      sums.value += h * f, sums.magnitude += h * std::abs(f);
    }
    return sums;
  }

  /// Whether samples over [a, b] give the same integral: the midpoint rule with n
  /// points is off by f'' h^3 n / 24, so that a panel whose rule is exact - three periods at most - leaves (6 pi / n)^2
  /// / 24 of the integral of |f|.
  bool seen(double a, double b, const sdk::PanelSums& sums) const {
    const double n = count(a, b);
    const sdk::PanelSums found = samples(a, b);
    return std::abs(found.value - sums.value) <=
           (40 / (n * n) + 1e-10) * (found.magnitude + sums.magnitude) + 1e-16 * size_;
  }

  /// What the rounding of the arguments alone does to the integral over [a, b]: steep functions far from zero feel it.
  double rounding(double a, double b) const {
    sdk::PanelSums slopes;
    const auto slope = [this](double x, double& y) {
      double value[2] = {0, 0};
      const Status status = f_.evaluate(x, 1, value);
      y = value[1];
      return status;
    };
    constexpr double unit = std::numeric_limits<double>::epsilon();
    return sdk::gauss_rule(slope, a, b, slopes) ? unit * std::max(std::abs(a), std::abs(b)) * slopes.magnitude : 0;
  }

  /// (1): appends the panels of [a, b], whose rule gives `sums`. Rounding of the rule's 10 terms is about 1e-15 of the
  /// integral of |f|.
  void halve(double a, double b, const sdk::PanelSums& sums, int depth, sdk::PanelSums& total) {
    const double middle = 0.5 * (a + b);
    const sdk::PanelSums left = whole(a, middle), right = whole(middle, b);
    const double change = std::abs(left.value + right.value - sums.value);
    const double magnitude = left.magnitude + right.magnitude;
    const bool settled = change <= 2e-15 * magnitude || change <= 1e-16 * size_ || change <= rounding(a, b);
    if (settled && seen(a, b, {left.value + right.value, magnitude})) {
      panels_.push_back({a, total.value});
      total.value += left.value + right.value;
      return;
    }
    if (depth == 30 || panels_.size() > 100000) {
      throw Error::parameter("of", "the integral does not converge near " + std::to_string(middle) +
                                       ": name the kinks and jumps of the function as its break points");
    }
    halve(a, middle, left, depth + 1, total);
    halve(middle, b, right, depth + 1, total);
  }

  Status from_table(double x, double& integral) const {
    const double slack =
        1e-9 * (end_ - from_);  // end times that are sums of steps; the last panel's rule reaches there
    if (!(x >= from_ - slack && x <= end_ + slack)) {
      return Status::failure(StatusCode::out_of_domain, "the integral is asked for beyond 'from' .. 'until'", -1, x);
    }
    auto panel = std::upper_bound(panels_.begin(), panels_.end(), x, [](double y, const Panel& p) { return y < p.x; });
    if (panel != panels_.begin()) --panel;
    sdk::PanelSums part;
    const Status status = rule(panel->x, x, part);
    integral = panel->integral + part.value;
    return status;
  }

  const Function& f_;
  const FunctionIntegral* closed_;
  double from_, initial_, end_ = 0;
  double size_ = 0;  ///< integral of |f|, roughly
  std::vector<Panel> panels_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("integral", "1.0.0", "BSD-3-Clause",
               component<Integral>(Host::any, "integral", "Integral of another function: a position from its rate."));
