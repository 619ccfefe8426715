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
//
// Nothing is stored while a run goes on, so f is the same function at every stage, rejected step and restart.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trammel/error.h"
#include "trammel/sdk/function_parts.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Integral final : public Function {
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

 private:
  struct Panel {
    double x, integral;  ///< left end, integral up to it
  };

  struct Sums {
    double value = 0, magnitude = 0;  ///< of the integrals of f and |f|
  };

  /// Gauss-Legendre, 10 points: Abramowitz and Stegun, table 25.4.
  Status rule(double a, double b, Sums& sums) const {
    constexpr double node[5] = {0.1488743389816312108848260, 0.4333953941292471907992659, 0.6794095682990244062343274,
                                0.8650633666889845107320967, 0.9739065285171717200779640};
    constexpr double weight[5] = {0.2955242247147528701738930, 0.2692667193099963550912269, 0.2190863625159820439955349,
                                  0.1494513491505805931457763, 0.0666713443086881375935688};
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    sums = {};
    for (int k = 0; k < 5; ++k) {
      for (const double side : {-half, half}) {
        double value = 0;
        const Status status = f_.evaluate(middle + side * node[k], 0, &value);
        if (!status) return status;
        sums.value += weight[k] * half * value;
        sums.magnitude += weight[k] * half * std::abs(value);
      }
    }
    return Status::success();
  }

  void tabulate() {
    std::vector<double> ends{from_};
    for (const double x : sdk::break_points_of(f_)) {
      if (x > ends.back() && x < end_) ends.push_back(x);
    }
    ends.push_back(end_);
    Sums total;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      halve(ends[k], ends[k + 1], whole(ends[k], ends[k + 1]), 0, total);
  }

  Sums whole(double a, double b) const {
    Sums sums;
    if (!rule(a, b, sums)) {
      throw Error::parameter(
          "of", "the function is not defined everywhere between " + std::to_string(a) + " and " + std::to_string(b));
    }
    return sums;
  }

  /// (1): appends the panels of [a, b], whose rule gives `sums`. Rounding of the rule's 10 terms is about 1e-15 of the
  /// integral of |f|.
  void halve(double a, double b, const Sums& sums, int depth, Sums& total) {
    const double middle = 0.5 * (a + b);
    const Sums left = whole(a, middle), right = whole(middle, b);
    const double change = std::abs(left.value + right.value - sums.value);
    const double magnitude = left.magnitude + right.magnitude;
    if (change <= 2e-15 * magnitude || change <= 1e-16 * total.magnitude) {
      panels_.push_back({a, total.value});
      total.value += left.value + right.value, total.magnitude += magnitude;
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
    Sums part;
    const Status status = rule(panel->x, x, part);
    integral = panel->integral + part.value;
    return status;
  }

  const Function& f_;
  const FunctionIntegral* closed_;
  double from_, initial_, end_ = 0;
  std::vector<Panel> panels_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("integral", "1.0.0", "BSD-3-Clause",
               component<Integral>(Host::any, "integral", "Integral of another function: a position from its rate."));
