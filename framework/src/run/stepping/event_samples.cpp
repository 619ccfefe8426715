// The values of event functions inside a step.
#include "run/stepping/event_samples.h"

namespace trammel {
namespace {

constexpr double turn_of_part = 0.4;    // rad
constexpr std::size_t most_parts = 66;  // of most_turn, and a pair for turns that quicken within the step
constexpr std::size_t peaks_of_part = 12;

}  // namespace

void EventSamples::resize(std::size_t functions) {
  functions_ = functions;
  times_.assign(most_parts + 1, 0.0);
  values_.assign((most_parts + 1) * functions, 0.0);
  points_.reserve((most_parts + 1) * (peaks_of_part + 1));
}

void EventSamples::divide(double from, double to, double rate) {
  const double pairs = std::ceil(0.5 * rate * (to - from) / turn_of_part);
  parts_ = 2 * static_cast<std::size_t>(std::clamp(pairs, 0.5 * static_cast<double>(least_parts_), 0.5 * most_parts));
  for (std::size_t k = 0; k <= parts_; ++k)
    times_[k] = from + (to - from) * static_cast<double>(k) / static_cast<double>(parts_);
  times_[parts_ / 2] = 0.5 * (from + to);
  times_[parts_] = to;
}

void EventSamples::set(std::size_t k, const std::vector<double>& values) {
  std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(k * functions_));
}

std::vector<EventSamples::Point>& EventSamples::points_of(std::size_t function) {
  points_.clear();
  for (std::size_t k = 0; k <= parts_; ++k) points_.push_back({times_[k], values_[k * functions_ + function]});
  return points_;
}

bool EventSamples::peak_over_zero(std::size_t at, double& t, double& shift) const {
  constexpr double near = 0.05;  // of the values at the ends: what a parabola may be off
  const Point left = points_[at - 1], here = points_[at], right = points_[at + 1];
  if (!(left.f * here.f > 0) || !(here.f * right.f > 0)) return false;
  const double f = here.f, width_left = here.t - left.t, width = right.t - left.t;
  const double rise = (f - left.f) / width_left;
  const double bend = ((right.f - f) / (right.t - here.t) - rise) / width;
  const double slope = rise + bend * width_left;
  shift = -0.5 * slope / bend;
  t = here.t + shift;
  const double height = f + 0.5 * slope * shift, scale = std::max(std::abs(left.f), std::abs(right.f));
  const auto reaches = [&](double at_peak) { return !(at_peak * f > 0 && std::abs(at_peak) > near * scale); };
  if (bend * f > 0 && t > left.t && t < right.t && reaches(height)) return true;
  if (at < 2 || at + 2 >= points_.size()) return false;
  const Point before = points_[at - 2], behind = points_[at + 2];
  const double down = (left.f - before.f) / (left.t - before.t), up = (behind.f - right.f) / (behind.t - right.t);
  if (!((up - down) * f > 0)) return false;
  t = (left.f - right.f + up * right.t - down * left.t) / (up - down);
  shift = t - here.t;
  return t > left.t && t < right.t && reaches(left.f + down * (t - left.t));
}

void EventSamples::take_kinks() {
  if (kinks_.empty()) return;
  points_.insert(points_.end(), kinks_.begin(), kinks_.end());
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.t < b.t; });
}

double EventSamples::fastest(const ConstrainedModel* model, const double* v) {
  if (model == nullptr) return 0;
  const Assembly& assembly = model->assembly();
  const Index c = assembly.body_coordinates();
  double fastest = 0;
  for (Index b = 0; b < assembly.bodies(); ++b) {
    const double* u = v + b * c;
    // Spatial: |omega| = 2 |p'| for Euler parameters of length 1.
    const double rate = c == 3 ? std::abs(u[2]) : 2 * std::sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5] + u[6] * u[6]);
    fastest = std::max(fastest, rate);
  }
  return fastest;
}

}  // namespace trammel
