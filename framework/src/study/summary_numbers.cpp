// Names of the summary's numbers.
#include "study/summary_numbers.h"

#include <nlohmann/json.hpp>

#include "results/run_maxima.h"
#include "results/run_outcome.h"
#include "results/run_subject.h"
#include "results/run_work.h"
#include "results/static_report.h"

namespace trammel {

std::vector<std::string> numbers_of(const StudyJson& summary) {
  std::vector<std::string> known;
  for (const char* part : {"statistics", "max", "dimensions", "timing", "equilibrium", "modes"}) {
    if (!summary.contains(part)) continue;
    for (const auto& entry : summary[part].items()) {
      if (!entry.value().is_number() && !entry.value().is_null()) continue;
      known.push_back(std::string(part) == "statistics" ? entry.key() : std::string(part) + "." + entry.key());
    }
  }
  return known;
}

std::vector<std::string> possible_numbers() {
  StaticReport statics;
  statics.equilibrium_sought = statics.potential_known = statics.stability_known = statics.modes_taken = true;
  statics.settling_time = statics.search.condition = 1;
  statics.modes.push_back({1, Eigen::VectorXcd::Zero(1)});
  StudyJson summary;
  RunWork().add_to(summary);
  RunMaxima().add_to(summary);
  Dimensions().add_to(summary);
  RunTiming().add_to(summary);
  statics.add_to(summary);
  return numbers_of(summary);
}

}  // namespace trammel
