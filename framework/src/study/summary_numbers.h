// The numbers of summary.json that metrics of type `counter` read.
#pragma once

#include <string>
#include <vector>

#include "study/case_record.h"

namespace trammel {

/// As `of` of the metric names them: "steps" of the statistics, "equilibrium.iterations" of other parts.
std::vector<std::string> numbers_of(const StudyJson& summary);

/// Of all kinds of runs, modes being those of the first one ("modes.omega.1"); without what formulations count for
/// themselves.
std::vector<std::string> possible_numbers();

}  // namespace trammel
