// Keys of `analysis` that mean nothing for the analysis, or the way, that was chosen.
#pragma once

#include "config/run_file.h"

namespace trammel {

/// Adds a problem for every one that is given: it would be ignored; and one where `duration` is missing. It may stand anywhere:
/// one --set shortens runs of every kind.
void refuse_idle_keys(const Node& analysis, const AnalysisOptions& options, Problems& problems);

/// The keys of the analyses' table that mean something in one type of the kernel, by some of its methods; without `type`.
std::vector<ParameterInfo> own_analysis_keys(const std::string& type);

}  // namespace trammel
