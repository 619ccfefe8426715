// Metrics of several cases: orders and ratios.
#include <cmath>
#include <limits>
#include <map>

#include "study/metric_types.h"
#include "study/study.h"

namespace trammel {
namespace {

/// Least-squares slope of log y over log x; NaN with fewer than two points or values that have no logarithm.
double log_slope(const std::vector<std::pair<double, double>>& points) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const auto& [x, y] : points) mean_x += std::log(x) / n, mean_y += std::log(y) / n;
  for (const auto& [x, y] : points) {
    xx += (std::log(x) - mean_x) * (std::log(x) - mean_x);
    xy += (std::log(x) - mean_x) * (std::log(y) - mean_y);
  }
  const double slope = xy / xx;
  return points.size() >= 2 && std::isfinite(slope) ? slope : std::numeric_limits<double>::quiet_NaN();
}

void add_orders(const StudyFile& study, const MetricSection& metric, const std::vector<StudyJson>& records,
                std::vector<GroupResult>& results) {
  const MetricOptions<OrderOptions> options(study, metric);
  const std::string of(options->of.view()), over(options->over.view());
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::pair<double, double>>> points;
  for (std::size_t i = 0; i < study.cases.size(); ++i) {
    const Node* value = study.cases[i].find(over);
    if (value == nullptr || !value->is_number() || !metric.applies_to(study.cases[i])) continue;
    const std::string name = study.cases[i].name_without(over);
    if (points.find(name) == points.end()) names.push_back(name);
    points[name].emplace_back(value->number, metric_of(records[i], of));
  }
  for (const std::string& name : names)
    results.push_back({.name = name, .metric = metric.name, .value = log_slope(points[name])});
}

void add_ratios(const StudyFile& study, const MetricSection& metric, std::vector<StudyJson>& records) {
  const MetricOptions<RatioOptions> options(study, metric);
  const std::string of(options->of.view());
  const StudyCase* to = study.find_case(std::string(options->to.view()));
  const double divisor = metric_of(records[static_cast<std::size_t>(to - study.cases.data())], of);
  for (std::size_t i = 0; i < records.size(); ++i) {
    StudyJson& record = records[i];
    if (!metric.applies_to(study.cases[i])) continue;
    const double ratio = metric_of(record, of) / divisor;
    if (record.contains("metrics")) record["metrics"][metric.name] = metric_number(ratio);
  }
}

}  // namespace

double metric_of(const StudyJson& record, const std::string& metric) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (!record.contains("metrics") || !record["metrics"].contains(metric)) return nothing;
  return number_of(record["metrics"][metric]);
}

bool has_metric(const StudyJson& record, const std::string& metric) {
  const auto metrics = record.find("metrics");
  return metrics != record.end() && metrics->contains(metric);
}

std::vector<GroupResult> evaluate_groups(const StudyFile& study, std::vector<StudyJson>& records) {
  std::vector<GroupResult> results;
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if (own == nullptr) continue;
    if (own->kind == OwnMetric::order) add_orders(study, metric, records, results);
    if (own->kind == OwnMetric::ratio) add_ratios(study, metric, records);
  }
  return results;
}

}  // namespace trammel
