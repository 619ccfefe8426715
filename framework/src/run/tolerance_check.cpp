// The comparison of a run with the same run at other tolerances, and what it says about the error.
#include "run/tolerance_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {
namespace {

constexpr double noticed = 0.03;  // of the range of motion: an error that is reported
constexpr double factor = 10;     // between the tolerances of two runs
constexpr double loosest = 0.1;   // nothing is asked of steps with a larger rtol
constexpr double wanted_error = 1e-3;
constexpr double meaningful = 1e-3;  // of what moves: an atol that is some measure of it

}  // namespace

void ToleranceCheck::start(Plant& plant, double rtol, std::vector<double> atol) {
  rtol_ = rtol, atol_ = std::move(atol);
  samples_.start(plant);
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

void ToleranceCheck::tell(const MotionSamples::Difference& difference, double of_it) {
  result_.error = of_it * difference.size, result_.time = difference.time;
  if (difference.size > 0) result_.channel = samples_.name(difference);
}

void ToleranceCheck::finish_own_steps(const Maker& make, const std::vector<MotionSamples::Jump>& jumps,
                                      double mean_step) {
  const auto shorter = make(0.5);
  if (shorter == nullptr) return;
  const MotionSamples::Difference difference = compare(*shorter, jumps);
  if (!difference.complete && difference.size == 0) return;
  const double gain = std::pow(2.0, order_);  // of half the step
  tell(difference, gain / (gain - 1));
  result_.max_step = mean_step * std::pow(wanted_error / std::max(result_.error, wanted_error), 1.0 / order_);
}

void ToleranceCheck::finish(const Maker& make, const std::vector<MotionSamples::Jump>& jumps, double mean_step) {
  if (!wanted() || done_ || samples_.count() == 0) return;
  done_ = true;
  samples_.close();
  if (own_steps()) return finish_own_steps(make, jumps, mean_step);
  const MotionSamples::Share share = samples_.largest_share(atol_);
  loosest_atol_ = share.of, atol_share_ = share.size;
  const double looseness = rtol_ + atol_share_;
  if (looseness < loose) return;
  if (factor * looseness <= loosest) {
    if (const auto looser = make(factor); looser != nullptr) {
      const MotionSamples::Difference difference = compare(*looser, jumps);
      tell(difference, 1 / (factor - 1));
      if (difference.complete && difference.size < noticed) return;
      result_.error = 0;
    }
  }
  // Where atol allows anything, a tenth of it does so too, and both runs would be wrong alike.
  const double part = loose_in_atol() ? std::min(1 / factor, meaningful / atol_share_) : 1 / factor;
  const auto tighter = make(part);
  if (tighter == nullptr) return;
  const MotionSamples::Difference difference = compare(*tighter, jumps);
  if (!difference.complete && difference.size == 0) return;  // tolerances that cannot be had say nothing
  tell(difference, 1 / (1 - part));
  const double smaller = std::min(part, wanted_error / std::max(result_.error, wanted_error));
  if (loose_in_atol())
    result_.atol = loosest_atol_ * smaller;
  else
    result_.rtol = rtol_ * smaller;
}

std::string ToleranceCheck::warning(const std::string& method) const {
  if (!(result_.error > noticed) || result_.rtol + result_.atol + result_.max_step == 0) return "";
  const std::string size = result_.error < MotionSamples::beyond_doubt
                               ? fmt::format("about {:.2g} %", 100 * result_.error)
                               : fmt::format("{:.2g} % or more", 100 * result_.error);
  if (own_steps()) {
    return fmt::format(
        "the steps that '{}' chooses are too long for this motion: with half of them '{}' comes out otherwise at t = "
        "{:.6g}, which means an error of {} of the range of motion; try \"max_step\": {:.1e}",
        method, result_.channel, result_.time, size, result_.max_step);
  }
  if (result_.atol > 0) {
    return fmt::format(
        "\"atol\" {:g} is loose for this motion, {:.1g} of what moves: with smaller tolerances '{}' comes out "
        "otherwise at "
        "t = {:.6g} under '{}', which means an error of {} of the range of motion{}; try \"atol\": {:.0e}",
        loosest_atol_, atol_share_, result_.channel, result_.time, method, size, result_.grows ? " at the end" : "",
        result_.atol);
  }
  return fmt::format(
      "{}: with \"rtol\" and \"atol\" a tenth of the given ones (rtol {:g}, atol {:g}) '{}' comes out otherwise at t = "
      "{:.6g} under '{}', which means an error of {} of the range of motion{}; try \"rtol\": {:.0e} with an \"atol\" "
      "to "
      "match{}",
      result_.grows ? "errors add up in this run" : "this motion multiplies errors", rtol_, loosest_atol_,
      result_.channel, result_.time, method, size, result_.grows ? " at the end" : "", result_.rtol,
      result_.grows ? "" : "; only a chaotic motion differs with every tolerance");
}

void ToleranceCheck::remember(Archive& archive) {
  if (wanted()) samples_.remember(archive, "tolerance_check");
}

}  // namespace trammel
