// Work of explicit and implicit methods, from counts on the shipped benchmarks (docs/which_method.md).
#include "run/choice/work_estimate.h"

#include <algorithm>
#include <cmath>

namespace trammel {

WorkEstimate estimate_work(const MotionDemand& demand, double time, double rtol) {
  // dopri853 takes 16 evaluations per radian at 1e-4, 28 at 1e-6, 62 at 1e-9, and 2.5 per unit of h |lambda| where
  // stability rules; radau_iia 3.3, 5.2 and 12 times as much as the former, Jacobians and factorizations included.
  constexpr double least_radians = 6;  // one turn: what starts has to be resolved
  const double digits = std::log10(1e-4 / std::clamp(rtol, 1e-14, 1e-2));
  const double radians = std::max(demand.radians, least_radians);
  const double accurate = 16 * std::pow(10, 0.12 * digits) * radians, stable = 2.5 * demand.stable(time);
  WorkEstimate work;
  work.explicit_work = std::max(accurate, stable);
  work.implicit_work = 3.3 * std::pow(10, 0.11 * digits) * accurate;
  work.stability_rules = stable > accurate;
  return work;
}

}  // namespace trammel
