// The values of event functions inside a step.
#include "run/stepping/event_samples.h"

namespace trammel {
namespace {

constexpr double turn_of_part = 0.4;    // rad
constexpr std::size_t most_parts = 66;  // of most_turn, and a pair for turns that quicken within the step
constexpr std::size_t most_inserted = 190;
constexpr std::size_t peaks_of_part = 12;

}  // namespace

void EventSamples::resize(std::size_t functions) {
  functions_ = functions;
  times_.reserve(most_parts + 1 + most_inserted);
  values_.reserve((most_parts + 1 + most_inserted) * functions);
  points_.reserve((most_parts + 1 + most_inserted) * (peaks_of_part + 1));
}

void EventSamples::divide(double from, double to, double rate) {
  const double pairs = std::ceil(0.5 * rate * (to - from) / turn_of_part);
  parts_ = 2 * static_cast<std::size_t>(std::clamp(pairs, 0.5 * static_cast<double>(least_parts_), 0.5 * most_parts));
  times_.resize(parts_ + 1);
  values_.resize((parts_ + 1) * functions_);
  for (std::size_t k = 0; k <= parts_; ++k)
    times_[k] = from + (to - from) * static_cast<double>(k) / static_cast<double>(parts_);
  times_[parts_ / 2] = 0.5 * (from + to);
  times_[parts_] = to;
}

void EventSamples::set(std::size_t k, const std::vector<double>& values) {
  std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(k * functions_));
}

bool EventSamples::insert(double t, const std::vector<double>& values) {
  if (times_.size() == times_.capacity()) return false;
  const auto behind = std::lower_bound(times_.begin(), times_.end(), t) - times_.begin();
  times_.insert(times_.begin() + behind, t);
  values_.insert(values_.begin() + behind * static_cast<std::ptrdiff_t>(functions_), values.begin(),
                 values.begin() + static_cast<std::ptrdiff_t>(functions_));
  return true;
}

std::vector<EventSamples::Point>& EventSamples::points_of(std::size_t function) {
  points_.clear();
  for (std::size_t k = 0; k < times_.size(); ++k) points_.push_back({times_[k], values_[k * functions_ + function]});
  return points_;
}

bool EventSamples::peak_over_zero(std::size_t at, double& t, double& shift) const {
  const Point left = points_[at - 1], here = points_[at], right = points_[at + 1];
  if (!(left.f * here.f > 0) || !(here.f * right.f > 0)) return false;
  const double f = here.f, width_left = here.t - left.t, width = right.t - left.t;
  const double rise = (f - left.f) / width_left;
  const double bend = ((right.f - f) / (right.t - here.t) - rise) / width;
  const double slope = rise + bend * width_left;
  shift = -0.5 * slope / bend;
  t = here.t + shift;
  const double height = f + 0.5 * slope * shift, scale = std::max(std::abs(left.f), std::abs(right.f));
  if (bend * f > 0 && t > left.t && t < right.t && reaches(height, f, scale)) return true;
  for (const std::size_t k : {at - 1, at}) {
    if (!tip_between(k, t) || f * points_[k].f < 0) continue;
    shift = t - here.t;
    return true;
  }
  return false;
}

// The lines through two points on either side of the interval behind point k meet at the tip.
bool EventSamples::tip_between(std::size_t k, double& t) const {
  if (k < 1 || k + 2 >= points_.size()) return false;
  const Point before = points_[k - 1], left = points_[k], right = points_[k + 1], behind = points_[k + 2];
  const double down = (left.f - before.f) / (left.t - before.t), up = (behind.f - right.f) / (behind.t - right.t);
  if (!((up - down) * left.f > 0) || !(left.f * right.f > 0)) return false;
  t = (left.f - right.f + up * right.t - down * left.t) / (up - down);
  const double height = left.f + down * (t - left.t), scale = std::max(std::abs(left.f), std::abs(right.f));
  return t > left.t && t < right.t && reaches(height, left.f, scale);
}

bool EventSamples::reaches(double at_peak, double f, double scale) {
  constexpr double near = 0.05;  // of the values around: what an estimate may be off
  return !(at_peak * f > 0 && std::abs(at_peak) > near * scale);
}

bool EventSamples::tip_at_edge(bool front, double& t) const {
  const std::size_t n = points_.size();
  if (n < 3) return false;
  const Point &outer = front ? points_[0] : points_[n - 1], &inner = front ? points_[1] : points_[n - 2],
              &next = front ? points_[2] : points_[n - 3];
  if (!(outer.f * inner.f > 0) || !(inner.f * next.f > 0)) return false;
  const double slope = (inner.f - next.f) / (inner.t - next.t);
  t = (outer.f - inner.f + slope * (inner.t + outer.t)) / (2 * slope);
  const double height = inner.f + slope * (t - inner.t);
  // A function that is at zero at the end itself has turned there, if anywhere.
  constexpr double apart = 1e-3;
  const double place = (t - outer.t) / (inner.t - outer.t);
  const bool inside = place > apart && place < 1;
  return inside && height * inner.f < inner.f * inner.f &&
         reaches(height, inner.f, std::max(std::abs(outer.f), std::abs(inner.f)));
}

double EventSamples::fastest(const ConstrainedModel* model, const double* v) {
  if (model == nullptr) return 0;
  const Assembly& assembly = model->assembly();
  const Index c = assembly.table.frame_columns();
  double fastest = 0;
  for (Index b = 0; b < assembly.bodies(); ++b) {
    if (assembly.table.width(b) < c) continue;  // a point mass does not turn
    const double* u = v + assembly.table.first(b);
    // Spatial: |omega| = 2 |p'| for Euler parameters of length 1.
    const double rate = c == 3 ? std::abs(u[2]) : 2 * std::sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5] + u[6] * u[6]);
    fastest = std::max(fastest, rate);
  }
  return fastest;
}

}  // namespace trammel
