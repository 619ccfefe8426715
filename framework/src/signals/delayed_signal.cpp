// Values, break points, switches and bounds of delayed signals of time.
#include "signals/delayed_signal.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace trammel {

template <class Visit>
void DelayedSignal::visit_parts(const Visit& visit) const {
  if (before_) visit(*before_, true);
  visit(f_, false);
}

DelayedSignal::DelayedSignal(TimeSignal f, std::optional<TimeSignal> before, double delay)
    : f_(std::move(f)), before_(std::move(before)), delay_(delay) {
  visit_parts([&](const TimeSignal& part, bool early) {
    std::vector<double> points(static_cast<std::size_t>(part.break_points(nullptr, 0)));
    part.break_points(points.data(), static_cast<Index>(points.size()));
    for (const double t : points) {
      if (!before_ || (t < 0) == early) break_points_.push_back(t + delay_);
    }
    if (early) break_points_.push_back(delay_);
  });
}

std::string DelayedSignal::unknown_before() const {
  constexpr int looks = 16;
  for (int k = 0; k <= looks; ++k) {
    double value = 0;
    const Status status = evaluate(delay_ * k / looks, 0, &value);
    if (!status) return status.what;
  }
  return "";
}

Status DelayedSignal::evaluate(double t, int order, double* value) const {
  return (is_before(t) ? *before_ : f_).evaluate(t - delay_, order, value);
}

int DelayedSignal::max_order() const {
  return before_ ? std::min(f_.max_order(), before_->max_order()) : f_.max_order();
}

Index DelayedSignal::break_points(double* t, Index capacity) const {
  const auto count = static_cast<Index>(break_points_.size());
  if (t != nullptr) std::copy_n(break_points_.begin(), std::min(count, capacity), t);
  return count;
}

Index DelayedSignal::switch_count() const {
  Index count = 0;
  visit_parts([&](const TimeSignal& part, bool) { count += part.switch_count(); });
  return count;
}

// Those of the part that does not act do not matter.
void DelayedSignal::switch_values(double t, double* out) const {
  visit_parts([&](const TimeSignal& part, bool early) {
    if (is_before(t) == early)
      part.switch_values(t - delay_, out);
    else
      std::fill_n(out, part.switch_count(), std::numeric_limits<double>::quiet_NaN());
    out += part.switch_count();
  });
}

Status DelayedSignal::bounds(double from, double to, double* range) const {
  if (!is_before(from)) return f_.bounds(from - delay_, to - delay_, range);
  Status status = before_->bounds(from - delay_, std::min(to - delay_, 0.0), range);
  if (!status || to < delay_) return status;
  double later[2];
  status = f_.bounds(0, to - delay_, later);
  range[0] = std::min(range[0], later[0]), range[1] = std::max(range[1], later[1]);
  return status;
}

const void* DelayedSignal::extension(const char* id) const {
  if (std::strcmp(id, FunctionSwitches::id) == 0) return static_cast<const FunctionSwitches*>(this);
  if (std::strcmp(id, FunctionBounds::id) == 0) return static_cast<const FunctionBounds*>(this);
  return nullptr;
}

}  // namespace trammel
