// References to numbers of metrics.
#include "study/metric_numbers.h"

#include <algorithm>
#include <optional>

#include "study/metric_types.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

std::string metric_part(const std::string& name) { return name.substr(0, name.find('.')); }

void add_of_estimate(const StudyFile& study, const MetricSection& metric, std::vector<std::string>& names) {
  const MetricOptions<EstimateOptions> options(study, metric);
  names.insert(names.end(), {"mean", "deviation"});
  for (std::int64_t i = 0; i < options->quantiles.size; ++i)
    names.push_back("quantile." + number_text(options->quantiles[i]));
  if (given(options->below)) names.emplace_back("below");
  if (given(options->above)) names.emplace_back("above");
  names.insert(names.end(), {"least", "largest"});
}

/// The numbers of a metric by their full names; none: a plugin knows them.
std::optional<std::vector<std::string>> numbers_of_metric(const StudyFile& study, const MetricSection& metric) {
  const OwnMetricType* own = find_own_metric(metric.type);
  if (own == nullptr) return std::nullopt;
  std::vector<std::string> names;
  switch (own->kind) {
    case OwnMetric::error: names = {"", "max", "time", "rms", "percent"}; break;
    case OwnMetric::cpu_time: names = {"", "minimum"}; break;
    case OwnMetric::verify: names = {"", "error", "until", "good"}; break;
    case OwnMetric::spectral_radius: names = {"", "excess", "growth_exponent"}; break;
    case OwnMetric::stability_limit: names = {"", "growth", "growth_power"}; break;
    case OwnMetric::estimate: add_of_estimate(study, metric, names); break;
    case OwnMetric::sobol_indices:
      for (const char* index : {"first.", "total."}) {
        for (const std::string& path : study.sample.paths) names.push_back(index + path);
      }
      break;
    case OwnMetric::counter:
    case OwnMetric::order:
    case OwnMetric::ratio:
    case OwnMetric::stability_region: names = {""}; break;
  }
  if (own->of_sample) names.insert(names.end(), {"count", "failed", "not_finite"});
  for (std::string& name : names) name = metric.name + (name.empty() ? "" : "." + name);
  return names;
}

std::string no_number(const std::string& name, const std::string& metric, const std::vector<std::string>& known) {
  std::string text = name == metric ? "the metric '" + metric + "' has several numbers and none of its own name"
                                    : "the metric '" + metric + "' has no number '" + name + "'";
  const std::string hint = did_you_mean(name, known);
  if (!hint.empty()) return text + hint;
  constexpr std::size_t most_listed = 8;
  text += "; it has ";
  for (std::size_t i = 0; i < std::min(known.size(), most_listed); ++i) text += (i == 0 ? "'" : ", '") + known[i] + "'";
  return text + (known.size() > most_listed ? " and more" : "");
}

}  // namespace

std::vector<MetricReference> metric_references(const StudyFile& study) {
  std::vector<MetricReference> all;
  for (const Expectation& e : study.expect) {
    if (!e.metric.empty()) all.push_back({e.metric, e.node->find("metric")->place, e.path + "/metric", false});
  }
  if (!study.best.metric.empty())
    all.push_back({study.best.metric, study.document->find("best")->find("metric")->place, "/best/metric", true});
  for (std::size_t i = 0; i < study.table_columns.size(); ++i) {
    const Node& column = study.document->find("table")->find("columns")->items[i];
    all.push_back({study.table_columns[i], column.place, "/table/columns/" + std::to_string(i), true});
  }
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    const Node* of = own != nullptr && own->of_several_cases ? metric.node->find("of") : nullptr;
    if (of != nullptr && of->is_text()) all.push_back({of->text, of->place, metric.path + "/of", true});
  }
  return all;
}

std::string wrong_reference(const StudyFile& study, const MetricReference& reference) {
  const std::string own_name = metric_part(reference.name);
  const MetricSection* metric = study.find_metric(own_name);
  if (metric == nullptr) {
    std::vector<std::string> known;
    for (const MetricSection& other : study.metrics) known.push_back(other.name);
    return "there is no metric '" + own_name + "'" + did_you_mean(own_name, known);
  }
  const OwnMetricType* own = find_own_metric(metric->type);
  if (reference.path == metric->path + "/of") return "a metric cannot be made of itself";
  if (reference.of_cases && own != nullptr && own->of_groups) {
    return "must be a metric of each case; '" + reference.name + "' (type '" + metric->type +
           "') is a number of several cases together";
  }
  const auto known = numbers_of_metric(study, *metric);
  if (!known || std::find(known->begin(), known->end(), reference.name) != known->end()) return "";
  return no_number(reference.name, own_name, *known);
}

NumbersOfMetrics::NumbersOfMetrics(const StudyFile& study) : study_(study) {
  for (MetricReference& reference : metric_references(study)) {
    const MetricSection* metric = study.find_metric(metric_part(reference.name));
    if (metric != nullptr && find_own_metric(metric->type) == nullptr) open_.push_back(std::move(reference));
  }
}

void NumbersOfMetrics::require(std::size_t i, const StudyJson& record) {
  if (open_.empty() || record.value("status", "") != "completed") return;
  const auto metrics = record.find("metrics");
  std::erase_if(open_, [&](const MetricReference& reference) {
    const std::string own = metric_part(reference.name);
    if (!study_.find_metric(own)->applies_to(study_.cases[i])) return false;
    if (metrics != record.end() && metrics->contains(reference.name)) return true;
    std::vector<std::string> known;
    if (metrics != record.end()) {
      for (const auto& entry : metrics->items()) {
        if (metric_part(entry.key()) == own) known.push_back(entry.key());
      }
    }
    if (known.empty()) return false;
    throw Error(ErrorKind::input, message_at(reference.place, reference.path, no_number(reference.name, own, known)));
  });
}

std::string kind_of(const StudyCase& c) {
  std::string kind = c.base.string();
  for (const Setting& setting : c.set) {
    kind += '\n';
    kind += setting.value.is_number() ? setting.path : setting_text(setting);
  }
  return kind;
}

bool of_one_kind(const StudyFile& study) {
  const std::string first = study.cases.empty() ? "" : kind_of(study.cases.front());
  return std::all_of(study.cases.begin(), study.cases.end(), [&](const StudyCase& c) { return kind_of(c) == first; });
}

}  // namespace trammel
