// Metrics of a case's integrator instead of its run: spectral radius, limit and region of stability; their pictures.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "config/run_file.h"
#include "plugin/host.h"
#include "study/metric_types.h"

namespace trammel {

ParameterTable spectral_radius_table();
ParameterTable stability_limit_table();
ParameterTable stability_region_table();

bool is_stability_metric(OwnMetric kind);

/// The metric ("") and its further numbers for the integrator of `run`, with its fixed step. Curves and boundaries go
/// to NAME.csv in `folder`, the case's. Throws Error (input): a method that chooses its own steps.
std::vector<std::pair<std::string, double>> stability_results(const StudyFile& study, const MetricSection& metric,
                                                              const RunFile& run, PluginHost& host,
                                                              const std::filesystem::path& folder);

/// Draws what the cases left in NAME.csv as NAME.svg in the study's folder. Returns the names of the files.
std::vector<std::string> draw_stability(const StudyFile& study, const std::filesystem::path& folder);

}  // namespace trammel
