// Names of the summary's numbers.
#include "study/summary_numbers.h"

#include "results/static_report.h"
#include "results/summary.h"

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
  Summary summary;
  summary.run_json = "{}";
  summary.statics = &statics;
  return numbers_of(StudyJson::parse(summary.to_json()));
}

}  // namespace trammel
