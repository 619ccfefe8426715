// Creation and feeding of the metrics of one run.
#include "study/case_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/fence.h"
#include "model/declared_sizes.h"
#include "model/just_before.h"
#include "model/no_model.h"
#include "plugin/breadcrumb.h"
#include "plugin/readable_reason.h"
#include "results/readable_rows.h"
#include "study/case_record.h"
#include "study/metric_types.h"
#include "trammel/extensions/metric_curve.h"
#include "trammel/extensions/motion_metric.h"

namespace trammel {
namespace {

constexpr Index most_numbers = 10'000;      // channels or results of one metric
constexpr Index most_memory = 100'000'000;  // numbers
constexpr Index most_points = 100'000'000;  // of a curve

/// A name that a metric gives itself. Throws Error(plugin) if it is none.
std::string own_name(const char* name, const char* what, Index i, const std::string& whose) {
  if (name != nullptr) return name;
  throw Error(ErrorKind::plugin, fmt::format("{}: {}({}) is no text", whose, what, i));
}

}  // namespace

CaseMetrics::CaseMetrics(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
                         PluginHost& host) {
  for (const MetricSection& section : study.metrics) {
    if (!section.applies_to(c)) continue;
    const OwnMetricType* own = find_own_metric(section.type);
    if (own == nullptr)
      add_plugin(study, section, host);
    else if (own->kind == OwnMetric::error)
      add_error(study, c, folder, section);
    owner_.resize(columns_.names().size(), &section);
  }
}

void CaseMetrics::add_plugin(const StudyFile& study, const MetricSection& section, PluginHost& host) {
  const LoadedComponent loaded = host.find(ComponentKind::metric, Host::any, section.type);
  BindContext context = metric_context(study, section);
  context.other_keys.push_back("on");
  BoundParameters parameters =
      bind_component(loaded.record->parameters, loaded.info->parameters, *section.node, context);
  BindContext sampling_context = metric_context(study, section);
  for (const ParameterInfo& info : loaded.info->parameters) sampling_context.other_keys.push_back(info.name);
  const BoundParameters sampling = bind(sampling_table(), *section.node, sampling_context);
  plugins_.push_back({&section,
                      Component(loaded, std::move(parameters), no_model(), section.name, *section.node, section.path),
                      sampling.as<SamplingOptions>().on == SamplingOptions::On::output,
                      false,
                      {},
                      {},
                      {},
                      {},
                      {}});
  FromPlugin& added = plugins_.back();
  guarded(added.component.plugin_id(), section.name, "setup", [&] {
    const Metric& metric = added.component.as<Metric>();
    const std::string whose = added.name();
    const Index channels = declared(metric.channel_count(), most_numbers, "channel_count()", whose);
    for (Index i = 0; i < channels; ++i) {
      try {
        added.channels.emplace_back(own_name(metric.channel(i), "channel", i, whose), columns_);
      } catch (const Error& error) {
        throw locate(error, *section.node, section.path);
      }
    }
    added.of_motion = sampling.as<SamplingOptions>().on == SamplingOptions::On::motion &&
                      find_extension<MotionMetric>(metric) != nullptr;
    of_motion_ = of_motion_ || added.of_motion;
    of_steps_ = of_steps_ || added.of_steps();
    const MemorySize size = metric.memory();
    declared(std::max({size.state, size.scratch, size.cache}), most_memory, "memory()", whose);
    make_room(size, whose, {&added.state, &added.scratch, &added.cache});
    for (std::vector<double>* block : {&added.state, &added.scratch, &added.cache}) build_fence(*block);
  });
  added.values.resize(added.channels.size());
}

void CaseMetrics::add_error(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
                            const MetricSection& section) {
  const MetricOptions<ErrorOptions> options(study, section);
  const std::string against(options->against.view());
  const StudyCase* other = study.find_case(against);
  if (other != nullptr && is_reference(study, c)) return;
  std::filesystem::path file = study.folder / against;
  if (other != nullptr) {
    const StudyJson record = read_record(case_folder(folder, *other));
    if (!record.is_object() || record.value("status", "") != "completed") {
      throw Error(ErrorKind::compute,
                  "metric '" + section.name + "': the case '" + against + "' it compares with did not complete");
    }
    file = readable_rows(case_folder(folder, *other), "metric '" + section.name + "'");
  }
  const CsvTable reference = read_csv(file);
  Problems problems;
  ColumnPairs pairs = read_columns(section, problems);
  problems.raise();
  if (pairs.empty()) {  // all that the reference has, under the same names
    for (const std::string& column : reference.columns) {
      if (column != "t" && column != "step") pairs.emplace_back(column, column);
    }
  }
  try {
    errors_.push_back({&section, ErrorMetric(*options, pairs, reference, "'" + against + "'", columns_)});
  } catch (const Error& error) {
    throw locate(error, *section.node, section.path);
  }
}

void CaseMetrics::attach(Simulation& simulation) {
  std::vector<double> times;
  for (const FromReference& error : errors_) {
    times.insert(times.end(), error.metric.times().begin(), error.metric.times().end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  try {
    simulation.watch(columns_.names(), times, *this);
  } catch (const Error& error) {
    const auto found = std::find(columns_.names().begin(), columns_.names().end(), error.key());
    if (found == columns_.names().end()) throw;
    const MetricSection& section = *owner_[static_cast<std::size_t>(found - columns_.names().begin())];
    throw Error(ErrorKind::input, message_at(section.place, section.path, error.what()));
  }
}

void CaseMetrics::sample(At at, double t, double h, ConstVectorView values) {
  for (FromReference& error : errors_) error.metric.sample(at, t, values.data);
  const bool of_step = at == At::start || at == At::step;
  // What lies inside a step was seen when the step was taken.
  const bool seen = of_step && t < seen_until_;
  for (FromPlugin& plugin : plugins_) {
    if (plugin.of_motion && (!of_step || seen)) continue;
    plugin.evaluate(t, values.data);
    const bool counts = at == At::start || at == (plugin.at_output ? At::output : At::step);
    if (!counts) continue;
    const bool jump = at == At::step && plugin.of_steps() && t == step_end_ && plugin.jumps();
    if (jump) accumulate(plugin, plugin.before_jump, t, h);
    accumulate(plugin, t, jump || (plugin.of_motion && t == seen_until_) ? 0 : h);
  }
  if (of_motion_ && of_step && !seen) sampler_.begin(t, motion(t, values.data));
}

void CaseMetrics::inside(double from, double to, const Look& look) {
  // Of formulas, too, the end has the value before a jump.
  const double end = just_before(to);
  if (const double* const columns = of_steps_ ? look(to) : nullptr; columns != nullptr) {
    step_end_ = to;
    for (FromPlugin& plugin : plugins_) {
      if (!plugin.of_steps()) continue;
      plugin.evaluate(end, columns);
      plugin.before_jump = plugin.values;
    }
  }
  if (!of_motion_) return;
  const auto values_at = [&](double t, std::vector<double>& values) {
    const double* const columns = look(t);
    if (columns != nullptr) values = motion(std::min(t, end), columns);
    return columns != nullptr;
  };
  double before = from;
  for (const StepSampler::Point& point : sampler_.step(from, to, values_at)) {
    const double* value = point.values.data();
    for (FromPlugin& plugin : plugins_) {
      if (!plugin.of_motion) continue;
      for (double& own : plugin.values) own = *value++;
      accumulate(plugin, point.t, point.t - before);
    }
    before = seen_until_ = point.t;
  }
}

std::vector<double> CaseMetrics::motion(double t, const double* columns) {
  std::vector<double> all;
  for (FromPlugin& plugin : plugins_) {
    if (!plugin.of_motion) continue;
    plugin.evaluate(t, columns);
    all.insert(all.end(), plugin.values.begin(), plugin.values.end());
  }
  return all;
}

void CaseMetrics::accumulate(FromPlugin& plugin, const std::vector<double>& values, double t, double h) {
  if (!failure_.empty()) return;
  const MetricSample sample{t, h, {values.data(), static_cast<Index>(values.size())}};
  Status status = guarded(plugin.component.plugin_id(), plugin.section->name, "accumulate",
                          [&] { return plugin.component.as<Metric>().accumulate(sample, plugin.memory()); });
  plugin.require_fences();
  if (!status) {
    status = with_readable_reason(status);
    failure_ = "metric '" + plugin.section->name + "' at t = " + number_text(t) + ": " + status.what + " " +
               status_name(status.code);
  }
}

bool CaseMetrics::FromPlugin::jumps() const {
  constexpr double rounding = 1e-9;  // of two evaluations of one state
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double size = std::max(std::abs(values[i]), std::abs(before_jump[i]));
    if (std::abs(values[i] - before_jump[i]) > rounding * size) return true;
  }
  return false;
}

std::string CaseMetrics::FromPlugin::name() const {
  return fmt::format("metric '{}' (type '{}')", section->name, component.type());
}

void CaseMetrics::FromPlugin::require_fences() const {
  for (const std::vector<double>* block : {&state, &scratch, &cache}) {
    if (!fence_stands(*block))
      throw Error(ErrorKind::plugin, fmt::format("plugin '{}': {} wrote beyond the memory that memory() declares",
                                                 component.plugin_id(), name()));
  }
}

std::vector<std::pair<std::string, double>> CaseMetrics::results(const MetricSection& metric) {
  for (const FromReference& error : errors_) {
    if (error.section == &metric) return error.metric.results();
  }
  std::vector<std::pair<std::string, double>> results;
  for (FromPlugin& plugin : plugins_) {
    if (plugin.section != &metric) continue;
    guarded(plugin.component.plugin_id(), metric.name, "result", [&] {
      const Metric& taken = plugin.component.as<Metric>();
      const Index count = declared(taken.result_count(), most_numbers, "result_count()", plugin.name());
      for (Index i = 0; i < count; ++i) {
        results.emplace_back(own_name(taken.result_name(i), "result_name", i, plugin.name()),
                             taken.result(i, plugin.memory()));
      }
    });
    plugin.require_fences();
  }
  return results;
}

std::string CaseMetrics::curve(const MetricSection& metric) {
  std::string table;
  for (FromPlugin& plugin : plugins_) {
    if (plugin.section != &metric) continue;
    guarded(plugin.component.plugin_id(), metric.name, "curve", [&] {
      const auto* curve = find_extension<MetricCurve>(plugin.component.as<Metric>());
      if (curve == nullptr) return;
      const Index columns = declared(curve->columns(), most_numbers, "columns()", plugin.name());
      const Index points = declared(curve->points(plugin.memory()), most_points, "points()", plugin.name());
      for (Index j = 0; j < columns; ++j) {
        if (j > 0) table += ",";
        table += own_name(curve->column(j), "column", j, plugin.name());
      }
      table += "\n";
      for (Index i = 0; i < points; ++i) {
        for (Index j = 0; j < columns; ++j)
          table += fmt::format("{}{}", j > 0 ? "," : "", curve->value(i, j, plugin.memory()));
        table += "\n";
      }
    });
  }
  return table;
}

}  // namespace trammel
