// Tables of the study's own metrics.
#include "study/metric_types.h"

#include <cstddef>
#include <iterator>

#include "study/stability_metrics.h"

namespace trammel {
namespace {

constexpr ParameterRecord error_records[] = {
    {.name = "against",
     .type = ParameterType::text,
     .offset = offsetof(ErrorOptions, against),
     .unit = "1",
     .description = "A CSV file, or the name of a case."},
    {.name = "norm",
     .type = ParameterType::choice,
     .offset = offsetof(ErrorOptions, norm),
     .unit = "1",
     .description = "Largest error over time and columns, or root mean square.",
     .default_json = "\"max\"",
     .choices = "max|rms"},
    {.name = "grid",
     .type = ParameterType::choice,
     .offset = offsetof(ErrorOptions, grid),
     .unit = "1",
     .description =
         "Compare at the reference's times, or at the run's own steps with the reference interpolated by a local "
         "four-point cubic.",
     .default_json = "\"reference\"",
     .choices = "reference|own"},
    {.name = "threshold",
     .type = ParameterType::number,
     .offset = offsetof(ErrorOptions, threshold),
     .unit = "as the column",
     .description = "Makes errors relative: |y - y_ref| / max(|y_ref|, threshold).",
     .minimum = 0,
     .exclusive_minimum = true,
     .optional = true},
    {.name = "from",
     .type = ParameterType::number,
     .offset = offsetof(ErrorOptions, from),
     .unit = "s",
     .description = "Compare from this time on.",
     .optional = true},
    {.name = "until",
     .type = ParameterType::number,
     .offset = offsetof(ErrorOptions, until),
     .unit = "s",
     .description = "Compare up to this time.",
     .optional = true},
};
constexpr ParameterRecord counter_records[] = {
    {.name = "of",
     .type = ParameterType::text,
     .offset = offsetof(CounterOptions, of),
     .unit = "1",
     .description =
         "One of the statistics in summary.json (steps, evaluations, ...), or section.name of another number "
         "there: max.constraint_position."},
};
constexpr ParameterRecord cpu_time_records[] = {
    {.name = "repeat",
     .type = ParameterType::integer,
     .offset = offsetof(CpuTimeOptions, repeat),
     .unit = "1",
     .description = "Runs that are timed, without outputs and metrics, after the one that is recorded.",
     .default_json = "1",
     .minimum = 1,
     .maximum = 100000},
};
constexpr ParameterRecord order_records[] = {
    {.name = "of",
     .type = ParameterType::text,
     .offset = offsetof(OrderOptions, of),
     .unit = "1",
     .description = "Metric whose slope is taken."},
    {.name = "over",
     .type = ParameterType::text,
     .offset = offsetof(OrderOptions, over),
     .unit = "1",
     .description = "Varied path with a number, for example integrator.step."},
};
constexpr ParameterRecord ratio_records[] = {
    {.name = "of",
     .type = ParameterType::text,
     .offset = offsetof(RatioOptions, of),
     .unit = "1",
     .description = "Metric that is compared."},
    {.name = "to",
     .type = ParameterType::text,
     .offset = offsetof(RatioOptions, to),
     .unit = "1",
     .description = "Case whose value divides."},
};
constexpr ParameterRecord confidence_record(std::size_t offset) {
  return {.name = "confidence",
          .type = ParameterType::number,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = "Of the intervals.",
          .default_json = "0.95",
          .minimum = 0,
          .maximum = 1,
          .exclusive_minimum = true,
          .exclusive_maximum = true};
}
constexpr ParameterRecord estimate_records[] = {
    {.name = "of",
     .type = ParameterType::text,
     .offset = offsetof(EstimateOptions, of),
     .unit = "1",
     .description = "Metric whose distribution is estimated."},
    {.name = "quantiles",
     .type = ParameterType::numbers,
     .offset = offsetof(EstimateOptions, quantiles),
     .unit = "1",
     .description = "Shares of the cases below the quantiles that are given.",
     .default_json = "[0.05, 0.5, 0.95]",
     .minimum = 0,
     .maximum = 1,
     .exclusive_minimum = true,
     .exclusive_maximum = true},
    {.name = "below",
     .type = ParameterType::number,
     .offset = offsetof(EstimateOptions, below),
     .unit = "as the metric",
     .description = "Gives the probability of values below this one.",
     .optional = true},
    {.name = "above",
     .type = ParameterType::number,
     .offset = offsetof(EstimateOptions, above),
     .unit = "as the metric",
     .description = "Gives the probability of values above this one.",
     .optional = true},
    confidence_record(offsetof(EstimateOptions, confidence)),
};
constexpr ParameterRecord sobol_records[] = {
    {.name = "of",
     .type = ParameterType::text,
     .offset = offsetof(SobolOptions, of),
     .unit = "1",
     .description = "Metric whose variance is shared out among the sampled parameters."},
    confidence_record(offsetof(SobolOptions, confidence)),
};
constexpr ParameterRecord sampling_records[] = {
    {.name = "on",
     .type = ParameterType::choice,
     .offset = offsetof(SamplingOptions, on),
     .unit = "1",
     .description = "Accumulate over the motion, steps and what lies between them; at accepted steps alone, as tables "
                    "of papers do; or at output times.",
     .default_json = "\"motion\"",
     .choices = "motion|steps|output"},
};

template <class Options, std::size_t n>
ParameterTable table_of(const ParameterRecord (&records)[n]) {
  return {records, static_cast<std::int32_t>(n), sizeof(Options), alignof(Options)};
}

struct NoOptions {};
ParameterTable no_parameters() { return {nullptr, 0, sizeof(NoOptions), alignof(NoOptions)}; }

}  // namespace

const std::vector<OwnMetricType>& own_metric_types() {
  static const std::vector<OwnMetricType> types = {
      {.kind = OwnMetric::error,
       .type = "error",
       .summary = "Difference from a reference: largest, when, root mean square, percent.",
       .table = table_of<ErrorOptions>(error_records)},
      {.kind = OwnMetric::counter,
       .type = "counter",
       .summary = "A number of the run's summary.",
       .table = table_of<CounterOptions>(counter_records)},
      {.kind = OwnMetric::cpu_time,
       .type = "cpu_time",
       .summary = "Processor time of the solution, s: median and minimum of repeated runs.",
       .table = table_of<CpuTimeOptions>(cpu_time_records)},
      {.kind = OwnMetric::order,
       .type = "order",
       .summary = "Slope of log(metric) over log(varied value), by least squares.",
       .table = table_of<OrderOptions>(order_records),
       .of_several_cases = true,
       .of_groups = true},
      {.kind = OwnMetric::ratio,
       .type = "ratio",
       .summary = "A metric divided by its value in another case.",
       .table = table_of<RatioOptions>(ratio_records),
       .of_several_cases = true},
      {.kind = OwnMetric::spectral_radius,
       .type = "spectral_radius",
       .summary = "Spectral radius of the integrator at one h lambda.",
       .table = spectral_radius_table()},
      {.kind = OwnMetric::stability_limit,
       .type = "stability_limit",
       .summary = "Largest |h lambda| up to which the integrator is stable, with the curve of its spectral radius.",
       .table = stability_limit_table(),
       .needs_files = true},
      {.kind = OwnMetric::verify,
       .type = "verify",
       .summary = "Digits that hold in all channels when the case is run in another way, as 'trammel verify' does.",
       .table = no_parameters(),
       .needs_files = true},
      {.kind = OwnMetric::stability_region,
       .type = "stability_region",
       .summary = "Area of the integrator's stability region in a window, with its boundary.",
       .table = stability_region_table(),
       .needs_files = true},
      {.kind = OwnMetric::estimate,
       .type = "estimate",
       .summary = "Mean, deviation, quantiles and probabilities of a metric over a sample, with their confidence.",
       .table = table_of<EstimateOptions>(estimate_records),
       .of_several_cases = true,
       .of_groups = true,
       .of_sample = true},
      {.kind = OwnMetric::sobol_indices,
       .type = "sobol_indices",
       .summary = "Shares of a metric's variance that single parameters explain, alone and with others, by Saltelli.",
       .table = table_of<SobolOptions>(sobol_records),
       .of_several_cases = true,
       .of_groups = true,
       .of_sample = true},
  };
  return types;
}

const OwnMetricType* find_own_metric(const std::string& type) {
  for (const OwnMetricType& own : own_metric_types()) {
    if (type == own.type) return &own;
  }
  return nullptr;
}

ParameterTable sampling_table() { return table_of<SamplingOptions>(sampling_records); }

BindContext metric_context(const StudyFile& study, const MetricSection& metric) {
  BindContext context;
  context.path = metric.path;
  context.subject = "a metric of type '" + metric.type + "'";
  context.folder = study.folder;
  context.other_keys = {"type", "cases"};
  if (metric.type == "error") context.other_keys.push_back("columns");
  return context;
}

ColumnPairs read_columns(const MetricSection& metric, Problems& problems) {
  ColumnPairs pairs;
  const Node* columns = metric.node->find("columns");
  const std::string path = metric.path + "/columns";
  if (columns == nullptr) return pairs;
  if (!columns->is_object() || columns->members.empty()) {
    problems.add(columns->place, path,
                 "must be an object {\"rod.x\": \"x\", ...} of the run's and the reference's columns, "
                 "not " +
                     describe(*columns));
    return pairs;
  }
  for (const Member& member : columns->members) {
    if (!member.value.is_text()) {
      problems.add(member.value.place, path + "/" + member.key, "must be a column, not " + describe(member.value));
      continue;
    }
    for (const std::string& text : {member.key, member.value.text}) {
      try {
        ColumnSet any;
        const ColumnExpression compiled(text, any);
      } catch (const Error& error) {
        problems.add(member.place, path + "/" + member.key, error.what());
      }
    }
    pairs.emplace_back(member.key, member.value.text);
  }
  return pairs;
}

}  // namespace trammel
