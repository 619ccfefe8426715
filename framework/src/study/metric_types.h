// The metric types that are the study's own: they need a table, another case, several cases, or how the run was timed.
#pragma once

#include <string>
#include <vector>

#include "config/binder.h"
#include "study/error_metric.h"
#include "study/study_file.h"

namespace trammel {

enum class OwnMetric {
  error,
  counter,
  cpu_time,
  order,
  ratio,
  spectral_radius,
  stability_limit,
  stability_region,
  verify,
  estimate,
  sobol_indices
};

struct CounterOptions {
  Text of;  ///< "evaluations", or "max.constraint_position": a number of summary.json
};
struct CpuTimeOptions {
  std::int64_t repeat;
};
struct OrderOptions {
  Text of, over;  ///< a metric; the path that is varied
};
struct RatioOptions {
  Text of, to;  ///< a metric; the case that divides
};
struct EstimateOptions {
  Text of;  ///< a metric
  Numbers quantiles;
  double below, above;  ///< NaN: left out
  double confidence;
};
struct SobolOptions {
  Text of;
  double confidence;
};
/// Keys of metrics that are plugins, beside their own.
struct SamplingOptions {
  enum class On : std::int32_t { motion, steps, output } on;
};

struct OwnMetricType {
  OwnMetric kind;
  const char* type;
  const char* summary;
  ParameterTable table;
  bool of_several_cases = false;  ///< computed when all cases are there
  bool of_groups = false;         ///< a number of several cases together, not of each
  bool of_sample = false;         ///< of all points of a sample
  bool needs_files = false;       ///< leaves or reads files in folders of cases
};

const std::vector<OwnMetricType>& own_metric_types();
/// nullptr: the type is a plugin's.
const OwnMetricType* find_own_metric(const std::string& type);

ParameterTable sampling_table();

/// Where the metric's node stands, for bind and check.
BindContext metric_context(const StudyFile& study, const MetricSection& metric);

/// The `columns` of an error metric; empty: not given. Wrong entries are added to `problems`.
ColumnPairs read_columns(const MetricSection& metric, Problems& problems);

/// Bound options of an own metric; the study has been validated.
template <class Options>
class MetricOptions {
 public:
  MetricOptions(const StudyFile& study, const MetricSection& metric)
      : bound_(bind(find_own_metric(metric.type)->table, *metric.node, metric_context(study, metric))) {}
  const Options* operator->() const { return &bound_.as<Options>(); }
  const Options& operator*() const { return bound_.as<Options>(); }

 private:
  BoundParameters bound_;
};

}  // namespace trammel
