// Formulas of events as functions of time.
#include "run/event_of_time.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "run/stepping/force_of_time.h"
#include "trammel/error.h"

namespace trammel {

std::vector<EventOfTime> EventOfTime::of(const std::vector<RunEvent>& events) {
  std::vector<EventOfTime> found;
  for (const RunEvent& event : events) {
    if (mentions_time(event.when)) found.emplace_back(event.when);
  }
  return found;
}

// Columns as at rest at zero, and beside it: factors of t may be multiplied by zero there.
EventOfTime::EventOfTime(const std::string& formula) : formula_("=" + formula, columns_) {
  values_[0].assign(columns_.names().size(), 0.0);
  for (std::size_t k = 0; k < columns_.names().size(); ++k) values_[1].push_back(0.3 + 0.1 * std::sin(1.0 + k));
}

Status EventOfTime::evaluate(double t, int order, double* value) const {
  if (order > 0) return Status::failure(StatusCode::unsupported, "no derivative of an event's formula");
  value[0] = 0;
  bool known = false;
  for (const std::vector<double>& values : values_) {
    const double f = formula_.evaluate(t, values.data());
    // f/(1 + f^2) keeps zeros and jumps; a pole, which is no event, becomes smooth.
    if (std::isfinite(f)) value[0] += f / (1 + f * f), known = true;
  }
  return known ? Status::success() : Status::failure(StatusCode::out_of_domain, "an event's formula");
}

// Of f/(1 + f^2): it rises from -1/2 at -1 to 1/2 at 1, and falls outside.
Status EventOfTime::bounds(double from, double to, double* range) const {
  const auto of = [](double f) { return std::isfinite(f) ? f / (1 + f * f) : 0; };
  range[0] = range[1] = 0;
  for (const std::vector<double>& values : values_) {
    const Interval f = formula_.range({from, to}, values.data());
    range[0] += f.holds(-1) ? -0.5 : std::min(of(f.low), of(f.high));
    range[1] += f.holds(1) ? 0.5 : std::max(of(f.low), of(f.high));
  }
  return Status::success();
}

const void* EventOfTime::extension(const char* id) const {
  return std::strcmp(id, FunctionBounds::id) == 0 ? static_cast<const FunctionBounds*>(this) : nullptr;
}

}  // namespace trammel
