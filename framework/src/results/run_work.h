// RunWork: what a run took - its counters, and those of the runs that checked its steps.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "record/check_results.h"
#include "record/statistics.h"

namespace trammel {

/// "statistics", "tolerance_check" and "fixed_step_check" of summary.json.
struct RunWork {
  Statistics statistics;
  double work = 0;                                               ///< evaluations, everything else in units of one
  std::vector<std::pair<std::string, long>> formulation_counts;  ///< beside `statistics`
  const ToleranceResult* tolerance_check = nullptr;              ///< of a finished run with loose tolerances
  const FixedStepResult* fixed_step_check = nullptr;             ///< of a finished run with fixed steps

  void add_to(nlohmann::ordered_json& summary) const;
  /// A line for people.
  std::string to_text(double solve_s) const;
};

}  // namespace trammel
