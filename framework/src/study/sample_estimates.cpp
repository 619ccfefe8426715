// Metrics of a sample: estimates and Sobol's indices per group of cases, their convergence, and the best case.
#include <algorithm>
#include <cmath>
#include <map>

#include "study/estimates.h"
#include "study/metric_types.h"
#include "study/study.h"

namespace trammel {
namespace {

/// The values of a metric at the points of one sample.
struct SampledGroup {
  std::string name;
  std::vector<double> values;  ///< by point; NaN: failed, or without the metric
};

std::vector<SampledGroup> groups_of(const StudyFile& study, const MetricSection& metric, const std::string& of,
                                    const std::vector<StudyJson>& records) {
  std::vector<SampledGroup> groups;
  for (std::size_t i = 0; i < study.cases.size(); ++i) {
    const StudyCase& c = study.cases[i];
    if (c.point == 1) groups.push_back({c.sampled_group(), {}});
    if (c.point != 0) groups.back().values.push_back(metric_of(records[i], of));
  }
  if (metric.cases.empty()) return groups;
  std::erase_if(groups, [&](const SampledGroup& group) {
    return std::find(metric.cases.begin(), metric.cases.end(), group.name) == metric.cases.end();
  });
  return groups;
}

using Estimates = std::vector<std::pair<std::string, Estimate>>;

Estimates estimates_of(const EstimateOptions& options, std::span<const double> values) {
  std::vector<double> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](double x) { return !std::isnan(x); });
  const double confidence = options.confidence, nothing = std::numeric_limits<double>::quiet_NaN();
  Estimates found;
  found.emplace_back("mean", estimate_mean(known, confidence));
  found.emplace_back("deviation", estimate_deviation(known, confidence));
  std::sort(known.begin(), known.end());
  for (std::int64_t i = 0; i < options.quantiles.size; ++i) {
    const double p = options.quantiles[i];
    found.emplace_back("quantile." + number_text(p), estimate_quantile(known, p, confidence));
  }
  const auto share = [&](const char* name, auto counts) {
    const auto hits = static_cast<std::size_t>(std::count_if(known.begin(), known.end(), counts));
    found.emplace_back(name, estimate_share(hits, known.size(), confidence));
  };
  if (given(options.below)) share("below", [&](double x) { return x < options.below; });
  if (given(options.above)) share("above", [&](double x) { return x > options.above; });
  found.emplace_back("least", Estimate{known.empty() ? nothing : known.front(), nothing, nothing});
  found.emplace_back("largest", Estimate{known.empty() ? nothing : known.back(), nothing, nothing});
  found.emplace_back("count", Estimate{static_cast<double>(known.size()), nothing, nothing});
  return found;
}

Estimates indices_of(const SobolOptions& options, const SampleDesign& design, std::span<const double> outputs,
                     std::size_t points) {
  std::vector<double> used;  // the first `points` of each of the design's samples
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (k % design.base_points < points) used.push_back(outputs[k]);
  }
  const SobolEstimates indices = sobol_indices(used, points, options.confidence);
  Estimates found;
  for (std::size_t i = 0; i < design.paths.size(); ++i)
    found.emplace_back("first." + design.paths[i], indices.first[i]);
  for (std::size_t i = 0; i < design.paths.size(); ++i)
    found.emplace_back("total." + design.paths[i], indices.total[i]);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  found.emplace_back("count", Estimate{static_cast<double>(indices.points), nothing, nothing});
  return found;
}

/// Numbers of points to look at: halves of the sample down to some ten.
std::vector<std::size_t> growing(std::size_t all) {
  constexpr std::size_t fewest = 8;
  std::vector<std::size_t> counts;
  for (std::size_t n = all; n >= fewest; n /= 2) counts.push_back(n);
  if (counts.empty()) counts.push_back(all);
  std::reverse(counts.begin(), counts.end());
  return counts;
}

}  // namespace

std::vector<GroupResult> evaluate_samples(const StudyFile& study, const std::vector<StudyJson>& records,
                                          std::vector<ConvergenceRow>& convergence) {
  std::vector<GroupResult> results;
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if (own == nullptr || !own->of_sample) continue;
    const bool indices = own->kind == OwnMetric::sobol_indices;
    for (const SampledGroup& group : groups_of(study, metric, metric.node->find("of")->text, records)) {
      const std::size_t all = indices ? study.sample.base_points : group.values.size();
      for (const std::size_t points : growing(all)) {
        const Estimates found =
            indices
                ? indices_of(*MetricOptions<SobolOptions>(study, metric), study.sample, group.values, points)
                : estimates_of(*MetricOptions<EstimateOptions>(study, metric), std::span(group.values).first(points));
        for (const auto& [name, e] : found) {
          const std::string number = metric.name + "." + name;
          if (!std::isnan(e.low) || !std::isnan(e.high))
            convergence.push_back({group.name, number, points, e.value, e.low, e.high});
          if (points == all) results.push_back({group.name, number, e.value, e.low, e.high, true});
        }
      }
    }
  }
  return results;
}

std::string best_case(const StudyFile& study, const std::vector<StudyJson>& records) {
  if (study.best.metric.empty()) return "";
  const double sign = study.best.goal == BestOptions::Goal::least ? 1 : -1;
  std::string best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const double value = sign * metric_of(records[i], study.best.metric);
    if (value < least) least = value, best = study.cases[i].name;
  }
  return best;
}

}  // namespace trammel
