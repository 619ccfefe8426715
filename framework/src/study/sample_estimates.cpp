// Metrics of a sample: estimates and Sobol's indices per group of cases, their convergence, and the best case.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "study/estimates.h"
#include "study/metric_types.h"
#include "study/study.h"

namespace trammel {
namespace {

/// The values of a metric at the points of one sample.
struct SampledGroup {
  std::string name;
  const StudyCase* first;
  std::vector<double> values;  ///< by point; NaN where there is none
  std::vector<char> failed;    ///< by point: the case has not computed it
};

constexpr double no_estimate = std::numeric_limits<double>::quiet_NaN();

std::vector<SampledGroup> groups_of(const StudyFile& study, const MetricSection& metric, const std::string& of,
                                    const std::vector<StudyJson>& records) {
  std::vector<SampledGroup> groups;
  for (std::size_t i = 0; i < study.cases.size(); ++i) {
    const StudyCase& c = study.cases[i];
    if (c.point == 1) groups.push_back({c.sampled_group(), &c, {}, {}});
    if (c.point == 0) continue;
    groups.back().values.push_back(metric_of(records[i], of));
    groups.back().failed.push_back(has_metric(records[i], of) ? 0 : 1);
  }
  std::erase_if(groups, [&](const SampledGroup& group) { return !metric.applies_to(*group.first); });
  return groups;
}

using Estimates = std::vector<std::pair<std::string, Estimate>>;

/// What an estimate is made of: independent points of the sample, as far as they are numbers.
struct UsedPoints {
  std::vector<double> values;            ///< of an estimate; of indices, of Saltelli's design
  std::size_t count = 0;                 ///< points that count
  std::size_t failed = 0, infinite = 0;  ///< points left out: not computed, or not finite
};

UsedPoints used_by_estimate(const SampledGroup& group, const SampleDesign& design) {
  UsedPoints used;
  // Of Saltelli's design A and B are independent; the other points are made of theirs.
  const std::size_t independent = design.base_points == 0 ? group.values.size() : 2 * design.base_points;
  for (std::size_t k = 0; k < independent; ++k) {
    if (group.failed[k] != 0)
      ++used.failed;
    else if (!std::isfinite(group.values[k]))
      ++used.infinite;
    else
      used.values.push_back(group.values[k]);
  }
  used.count = used.values.size();
  return used;
}

/// The design without points of which a case gave no number.
UsedPoints used_by_indices(const SampledGroup& group, const SampleDesign& design) {
  UsedPoints used;
  const std::size_t n = design.base_points, samples = group.values.size() / n;
  std::vector<std::size_t> points;
  for (std::size_t k = 0; k < n; ++k) {
    bool failed = false, finite = true;
    for (std::size_t j = 0; j < samples; ++j) {
      failed = failed || group.failed[j * n + k] != 0;
      finite = finite && std::isfinite(group.values[j * n + k]);
    }
    if (failed)
      ++used.failed;
    else if (!finite)
      ++used.infinite;
    else
      points.push_back(k);
  }
  used.count = points.size();
  for (std::size_t j = 0; j < samples; ++j) {
    for (const std::size_t k : points) used.values.push_back(group.values[j * n + k]);
  }
  return used;
}

void add_counts(const UsedPoints& used, std::size_t points, Estimates& found) {
  for (const auto& [name, count] : {std::pair{"count", points}, {"failed", used.failed}, {"not_finite", used.infinite}})
    found.emplace_back(name, Estimate{static_cast<double>(count), no_estimate, no_estimate});
}

Estimates estimates_of(const EstimateOptions& options, const UsedPoints& used, std::size_t points) {
  std::vector<double> known(used.values.begin(), used.values.begin() + static_cast<std::ptrdiff_t>(points));
  const double confidence = options.confidence;
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
  found.emplace_back("least", Estimate{known.empty() ? no_estimate : known.front(), no_estimate, no_estimate});
  found.emplace_back("largest", Estimate{known.empty() ? no_estimate : known.back(), no_estimate, no_estimate});
  add_counts(used, points, found);
  return found;
}

Estimates indices_of(const SobolOptions& options, const SampleDesign& design, const UsedPoints& used,
                     std::size_t points) {
  if (points == 0) {
    Estimates none;
    for (const char* index : {"first.", "total."}) {
      for (const std::string& path : design.paths)
        none.emplace_back(index + path, Estimate{no_estimate, no_estimate, no_estimate});
    }
    add_counts(used, points, none);
    return none;
  }
  std::vector<double> outputs;  // the first `points` of each of the design's samples
  for (std::size_t k = 0; k < used.values.size(); ++k) {
    if (k % used.count < points) outputs.push_back(used.values[k]);
  }
  const SobolEstimates indices = sobol_indices(outputs, points, options.confidence);
  Estimates found;
  for (std::size_t i = 0; i < design.paths.size(); ++i)
    found.emplace_back("first." + design.paths[i], indices.first[i]);
  for (std::size_t i = 0; i < design.paths.size(); ++i)
    found.emplace_back("total." + design.paths[i], indices.total[i]);
  add_counts(used, points, found);
  return found;
}

/// Numbers of points to look at: 8, 16, 32, ... and all.
std::vector<std::size_t> growing(std::size_t all) {
  constexpr std::size_t fewest = 8;
  std::vector<std::size_t> counts;
  for (std::size_t n = fewest; n < all; n *= 2) counts.push_back(n);
  counts.push_back(all);
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
      const UsedPoints used = indices ? used_by_indices(group, study.sample) : used_by_estimate(group, study.sample);
      const std::size_t all = used.count;
      for (const std::size_t points : growing(all)) {
        const Estimates found =
            indices ? indices_of(*MetricOptions<SobolOptions>(study, metric), study.sample, used, points)
                    : estimates_of(*MetricOptions<EstimateOptions>(study, metric), used, points);
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
    if (std::isfinite(value) && value < least) least = value, best = study.cases[i].name;
  }
  return best;
}

}  // namespace trammel
