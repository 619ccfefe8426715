// Time until the next break point.
#include "model/break_point_forecast.h"

#include <algorithm>
#include <limits>

#include "model/constrained_model.h"
#include "trammel/function.h"

namespace trammel {
namespace {

// Kinks nearer than this (relative to the argument) count as passed, and steps go this far beyond a kink: no step ends
// just short of one for rounding, to be followed by a tiny one.
constexpr double passed = 1e-9;

}  // namespace

BreakPointForecast::BreakPointForecast(const Assembly& assembly) {
  std::size_t most = 0;
  for (const ForceSlot& slot : assembly.forces) {
    const StateFunctions* functions = find_extension<StateFunctions>(*slot.force);
    if (functions == nullptr) continue;
    Source source{&slot, functions, {}};
    bool any = false;
    for (Index i = 0; i < functions->state_function_count(); ++i) {
      const Function* function = functions->state_function(i);
      std::vector<double> points(function != nullptr ? static_cast<std::size_t>(function->break_points(nullptr, 0))
                                                     : 0);
      if (!points.empty()) function->break_points(points.data(), static_cast<Index>(points.size()));
      any = any || !points.empty();
      source.break_points.push_back(std::move(points));
    }
    most = std::max(most, source.break_points.size());
    if (any) sources_.push_back(std::move(source));
  }
  value_.assign(most, 0.0);
  rate_.assign(most, 0.0);
}

double BreakPointForecast::time_ahead(const ConstrainedModel& model) const {
  double ahead = std::numeric_limits<double>::infinity();
  for (const Source& source : sources_) {
    const auto count = static_cast<Index>(source.break_points.size());
    if (!source.functions->state_function_arguments(model.point().element_state(*source.slot), {value_.data(), count},
                                                    {rate_.data(), count}))
      continue;
    for (std::size_t i = 0; i < source.break_points.size(); ++i) {
      const double margin = passed * (1 + std::abs(value_[i]));
      for (const double point : source.break_points[i]) {
        const double way = rate_[i] > 0 ? point - value_[i] : value_[i] - point;
        if (way > margin && rate_[i] != 0) ahead = std::min(ahead, (way + margin) / std::abs(rate_[i]));
      }
    }
  }
  return ahead;
}

}  // namespace trammel
