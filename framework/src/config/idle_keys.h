// Keys of `analysis`: those that the analysis, or the way that was chosen, needs or gives no meaning.
#pragma once

#include "config/run_file.h"

namespace trammel {

/// Adds a problem for every such key that is given, which would be ignored, and one where `duration` is missing. That
/// key may stand anywhere: one --set shortens runs of every kind.
void check_analysis_keys(const Node& analysis, const AnalysisOptions& options, Problems& problems);

/// The keys of the analyses' table that mean something in one type of the kernel, by some of its methods; without `type`.
std::vector<ParameterInfo> own_analysis_keys(const std::string& type);

}  // namespace trammel
