// The comparison of a run with the same run at other tolerances, and what it says about the error.
#include "run/tolerance_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double noticed = 0.03;  // of the range of motion: an error that is reported
constexpr double factor = 10;     // between the tolerances of two runs
constexpr double loosest = 0.1;   // nothing is asked of steps with a larger rtol
constexpr double wanted_error = 1e-3;

}  // namespace

void ToleranceCheck::start(Plant& plant, double rtol) {
  rtol_ = rtol >= loose ? rtol : 0;
  if (wanted()) samples_.start(plant);
}

void ToleranceCheck::start_own_steps(Plant& plant, int order) {
  order_ = std::max(1, order);
  samples_.start(plant);
}

void ToleranceCheck::step(const Observation& now) {
  if (!wanted()) return;
  samples_.make_room(now.t);
  samples_.step(now);
}

MotionSamples::Difference ToleranceCheck::compare(MotionSamples::Rerun& rerun,
                                                  const std::vector<MotionSamples::Jump>& jumps) {
  const long before = rerun.evaluations();
  const double until = samples_.cheap_until();
  MotionSamples::Difference difference = samples_.compare(rerun, jumps, until);
  const double growth = difference.growth(until, samples_.end());
  difference.size *= growth, result_.grows = growth > 1.05;
  result_.evaluations += rerun.evaluations() - before;
  ++result_.reruns;
  return difference;
}

void ToleranceCheck::finish(const Maker& make, const std::vector<MotionSamples::Jump>& jumps, double mean_step) {
  if (!wanted() || done_ || samples_.count() == 0) return;
  done_ = true;
  samples_.close();
  const auto tell = [&](const MotionSamples::Difference& difference, double of_it) {
    result_.error = of_it * difference.size, result_.time = difference.time;
    if (difference.size > 0) result_.channel = samples_.name(difference);
  };
  if (own_steps()) {
    const auto shorter = make(0.5);
    if (shorter == nullptr) return;
    const MotionSamples::Difference difference = compare(*shorter, jumps);
    if (!difference.complete && difference.size == 0) return;
    const double gain = std::pow(2.0, order_);  // of half the step
    tell(difference, gain / (gain - 1));
    result_.max_step = mean_step * std::pow(wanted_error / std::max(result_.error, wanted_error), 1.0 / order_);
    return;
  }
  if (factor * rtol_ <= loosest) {
    if (const auto looser = make(factor); looser != nullptr) {
      const MotionSamples::Difference difference = compare(*looser, jumps);
      tell(difference, 1 / (factor - 1));
      if (difference.complete && difference.size < noticed) return;
      result_.error = 0;
    }
  }
  const auto tighter = make(1 / factor);
  if (tighter == nullptr) return;
  const MotionSamples::Difference difference = compare(*tighter, jumps);
  if (!difference.complete && difference.size == 0) return;  // tolerances that cannot be had say nothing
  tell(difference, factor / (factor - 1));
  result_.rtol = rtol_ * std::min(1 / factor, wanted_error / std::max(result_.error, wanted_error));
}

std::string ToleranceCheck::warning(const std::string& method) const {
  if (!(result_.error > noticed) || result_.rtol + result_.max_step == 0) return "";
  const std::string size = result_.error < MotionSamples::beyond_doubt
                               ? fmt::format("about {:.2g} %", 100 * result_.error)
                               : fmt::format("{:.2g} % or more", 100 * result_.error);
  if (own_steps()) {
    return fmt::format(
        "the steps that '{}' chooses are too long for this motion: with half of them '{}' comes out otherwise at t = "
        "{:.6g}, which means an error of {} of the range of motion; try \"max_step\": {:.1e}",
        method, result_.channel, result_.time, size, result_.max_step);
  }
  return fmt::format(
      "{}: with \"rtol\" and \"atol\" a tenth of the given ones (rtol {:g}) '{}' comes out otherwise at t = {:.6g} "
      "under "
      "'{}', which means an error of {} of the range of motion{}; try \"rtol\": {:.0e} with an \"atol\" to match{}",
      result_.grows ? "errors add up in this run" : "this motion multiplies errors", rtol_, result_.channel,
      result_.time, method, size, result_.grows ? " at the end" : "", result_.rtol,
      result_.grows ? "" : "; only a chaotic motion differs with every tolerance");
}

void ToleranceCheck::remember(Archive& archive) {
  if (wanted()) samples_.remember(archive, "tolerance_check");
}

}  // namespace trammel
