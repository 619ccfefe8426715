// A case from its run file to case.json.
#include "study/case_run.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "compose/compose.h"
#include "config/parameter_use.h"
#include "config/validate.h"
#include "linalg/schur_program.h"
#include "plugin/found_plugins.h"
#include "results/atomic_file.h"
#include "results/run_figures.h"
#include "study/case_metrics.h"
#include "study/case_record.h"
#include "study/metric_numbers.h"
#include "study/metric_types.h"
#include "study/stability_metrics.h"
#include "study/summary_numbers.h"
#include "trammel/error.h"
#include "verify/verification.h"

namespace trammel {
namespace {

constexpr int exit_interrupted = 130;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Whether a message is about a disk without room, which the next case would meet as well.
bool tells_of_full_disk(const std::string& message) {
  for (const int reason : {ENOSPC, EDQUOT, EFBIG}) {
    if (message.find(std::strerror(reason)) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

struct CasePreparation {
  explicit CasePreparation(const StudyCase& c, const PluginSearch& plugins)
      : run(load_run_file(c.base, c.set, told_by_the_simulation)), folders(search_folders(run.plugin_search, plugins)) {
    const PluginHost host(folders);
    compose(run, host.catalogue(), told_by_the_simulation);
    validate(run, host.catalogue(), told_by_the_simulation);
    checked = run.integrator && run.analysis.integrates_motion();
    for (const Setting& setting : c.set)
      idle.push_back(right() && is_idle(setting, run.parameters) ? 1 : 0);  // of a wrong file nobody knows
  }
  /// Whether it is that of all cases that differ by numbers: what is wrong may be so with these numbers alone.
  bool right() const { return told_by_the_simulation.empty(); }

  Problems told_by_the_simulation;
  RunFile run;  ///< of the case that it was made for
  std::vector<SearchFolder> folders;
  bool checked;  ///< has an integrator whose steps are looked at twice
  /// By setting: a parameter without effect here, which has one in another case.
  std::vector<char> idle;
};

namespace {

class CaseRunner {
 public:
  CaseRunner(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
             const PluginSearch& plugins, RunObserver& observer)
      : study_(study),
        case_(c),
        folder_(folder),
        plugins_(plugins),
        observer_(&observer),
        files_(study.keep == Keep::files) {
    options_.plugin_path = plugins.plugin_path;
    options_.trust = plugins.trust;
  }

  /// `file`: the run file, once it was read; `prepared`: what is known of the case.
  CaseOutcome run(const std::string& key, std::unique_ptr<RunDescription>& file,
                  std::shared_ptr<CasePreparation>& prepared) {
    const std::filesystem::path own = case_folder(folder_, case_);
    std::error_code ignored;
    if (files_) {
      std::filesystem::create_directories(own);
      std::filesystem::remove(own / "case.json", ignored);
    }
    record_["name"] = case_.name;
    record_["key"] = key;
    record_["finished"] = false;
    record_["status"] = "failed";
    record_["message"] = "";
    record_["plugins"] = StudyJson::array();
    record_["kernels"] = block_kernels().name;
    int code = 0;
    const KnownPlugins those_of_cases_before;
    try {
      if (file == nullptr) file = std::make_unique<RunDescription>(RunDescription::from_file(case_.base));
      if (prepared == nullptr) prepared = std::make_shared<CasePreparation>(case_, plugins_);
      file_ = file.get();
      code = simulate(own, *prepared);
    } catch (const Error& error) {
      record_["message"] = error.what();
      record_["finished"] = error.kind() == ErrorKind::input;  // it would be as wrong again
      code = static_cast<int>(error.kind());
    }
    std::string message = record_["message"];
    // Plugins and the kernel tell of a failed allocation as of any exception, by its name.
    if (study_.limits.memory > 0 && message.find("bad_alloc") != std::string::npos) {
      record_["message"] = message =
          fmt::format("{} (the limit of memory is {:g} bytes)", message, study_.limits.memory);
      record_["finished"] = true;
    }
    // Of other exceptions some say no more than that they were thrown.
    if (study_.limits.memory > 0 && message.find("threw an exception") != std::string::npos) {
      record_["message"] = message =
          fmt::format("{} (if it was for want of memory: the limit is {:g} bytes)", message, study_.limits.memory);
    }
    if (tells_of_full_disk(message)) throw Error(ErrorKind::compute, message);
    if (files_) write_atomically(own / "case.json", record_.dump(2) + "\n");
    return {std::move(record_), code, code == static_cast<int>(ErrorKind::plugin), code == exit_interrupted};
  }

 private:
  int simulate(const std::filesystem::path& own, CasePreparation& prepared) {
    PluginHost host(prepared.folders);  // of metrics: what it loads is told with the case
    checked_ = prepared.checked;
    for (std::size_t i = 0; i < case_.set.size(); ++i) {
      if (prepared.idle[i] == 0) options_.set.push_back(setting_text(case_.set[i]));
    }
    Simulation simulation(*file_, options_);
    std::optional<CaseMetrics> made;
    try {
      made.emplace(study_, case_, folder_, host);
      if (files_) simulation.write_results(own);
      made->attach(simulation);
    } catch (const Error& error) {
      // Located at a metric of the study, not at what this case's numbers made of the run file.
      const bool at_metric = std::string_view(error.what()).find(" /metrics/") != std::string_view::npos;
      if (error.kind() == ErrorKind::input && at_metric) record_[wrong_study_key] = true;
      throw;
    }
    CaseMetrics& metrics = *made;
    RunStatus status = simulation.run(observer_);
    RunFigures figures;
    simulation.take_figures(figures);
    record_["message"] = simulation.message();
    if (status == RunStatus::completed && !metrics.failure().empty()) {
      status = RunStatus::failed;
      record_["message"] = metrics.failure();
    }
    if (status == RunStatus::completed) {
      take_metrics(metrics, figures.summary);
      if (files_) write_curves(metrics, own);
      take_stability(prepared.run, host, own);
      take_verification(own);
    }
    for (const char* section : {"statistics", "timing", "dimensions", "max", "warnings", "files"}) {
      const auto part = figures.summary.find(section);
      if (part != figures.summary.end()) record_[section] = std::move(*part);
    }
    add_plugins(figures.plugins);
    add_plugins(host.loaded());
    if (status == RunStatus::interrupted || interrupted_) {
      record_["status"] = "interrupted";
      return exit_interrupted;
    }
    record_["finished"] = !simulation.failed_by_plugin();
    if (status == RunStatus::failed) {
      return static_cast<int>(simulation.failed_by_plugin() ? ErrorKind::plugin : ErrorKind::compute);
    }
    record_["status"] = "completed";
    return 0;
  }

  void take_metrics(CaseMetrics& metrics, const StudyJson& summary) {
    StudyJson& taken = record_["metrics"] = StudyJson::object();
    for (const MetricSection& section : study_.metrics) {
      if (!section.applies_to(case_)) continue;
      const OwnMetricType* own = find_own_metric(section.type);
      if (own != nullptr && own->kind == OwnMetric::counter)
        taken[section.name] = counter(section, summary);
      else if (own != nullptr && own->kind == OwnMetric::cpu_time)
        add_cpu_time(section, taken);
      for (const auto& [name, value] : metrics.results(section)) {
        taken[section.name + (name.empty() ? "" : "." + name)] = metric_number(value);
      }
    }
  }

  void write_curves(CaseMetrics& metrics, const std::filesystem::path& own_folder) {
    for (const MetricSection& section : study_.metrics) {
      const std::string table = metrics.curve(section);
      if (!table.empty()) write_atomically(own_folder / (section.name + ".csv"), table);
    }
  }

  void take_stability(const RunFile& run, PluginHost& host, const std::filesystem::path& own_folder) {
    for (const MetricSection& section : study_.metrics) {
      const OwnMetricType* own = find_own_metric(section.type);
      if (own == nullptr || !is_stability_metric(own->kind) || !section.applies_to(case_)) continue;
      for (const auto& [name, value] : stability_results(study_, section, run, host, own_folder)) {
        record_["metrics"][section.name + (name.empty() ? "" : "." + name)] = metric_number(value);
      }
    }
  }

  class Forward final : public VerifyObserver {
   public:
    explicit Forward(RunObserver* to) : to_(to) {}
    bool step(double t, double t_end, double h, long steps) override {
      return to_ == nullptr || to_->step(t, t_end, h, steps);
    }

   private:
    RunObserver* to_;
  };

  void take_verification(const std::filesystem::path& own_folder) {
    for (const MetricSection& section : study_.metrics) {
      const OwnMetricType* own = find_own_metric(section.type);
      if (own == nullptr || own->kind != OwnMetric::verify || !section.applies_to(case_)) continue;
      Forward observer(observer_);
      const Verification result = verify_run({case_.base, options_.set, plugins_, own_folder}, observer);
      const bool compared = !result.comparison.channels.empty();
      StudyJson& taken = record_["metrics"];
      taken[section.name] = compared ? metric_number(result.digits()) : StudyJson(nullptr);
      taken[section.name + ".error"] = compared ? metric_number(result.error()) : StudyJson(nullptr);
      taken[section.name + ".until"] = metric_number(result.comparison.agree_until);
      taken[section.name + ".good"] = result.good() ? 1 : 0;
    }
  }

  StudyJson counter(const MetricSection& section, const StudyJson& summary) const {
    const MetricOptions<CounterOptions> options(study_, section);
    const std::string of(options->of.view());
    const std::size_t dot = of.find('.');
    const std::string group = dot == std::string::npos ? "statistics" : of.substr(0, dot);
    const std::string name = dot == std::string::npos ? of : of.substr(dot + 1);
    if (summary.contains(group) && summary[group].is_object() && summary[group].contains(name) &&
        (summary[group][name].is_number() || summary[group][name].is_null())) {
      return summary[group][name];
    }
    throw locate(
        Error::parameter("of", "the summary has no number '" + of + "'" + did_you_mean(of, numbers_of(summary))),
        *section.node, section.path);
  }

  /// Bare runs: no outputs, no metrics, no second look. The processor time of the solution alone, without reading and
  /// setting up.
  void add_cpu_time(const MetricSection& section, StudyJson& taken) {
    const MetricOptions<CpuTimeOptions> options(study_, section);
    std::vector<double> seconds;
    SimulationOptions bare_options = options_;
    if (checked_) bare_options.set.emplace_back("integrator.step_check=false");
    for (std::int64_t i = 0; i < options->repeat && !interrupted_; ++i) {
      Simulation bare(*file_, bare_options);
      const double begin = cpu_seconds();
      const RunStatus status = bare.run(observer_);
      seconds.push_back(cpu_seconds() - begin);
      interrupted_ = status == RunStatus::interrupted;
    }
    if (seconds.empty()) return;
    std::sort(seconds.begin(), seconds.end());
    const std::size_t n = seconds.size();
    taken[section.name] = (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
    taken[section.name + ".minimum"] = seconds.front();
  }

  void add_plugins(const std::vector<const PluginInfo*>& loaded) {
    StudyJson& plugins = record_["plugins"];
    for (const PluginInfo* plugin : loaded) plugins.push_back({{"id", plugin->id}, {"build_id", plugin->build_id}});
  }

  const StudyFile& study_;
  const StudyCase& case_;
  const std::filesystem::path& folder_;
  const PluginSearch& plugins_;
  RunObserver* observer_;
  bool files_;
  RunDescription* file_ = nullptr;
  SimulationOptions options_;
  StudyJson record_;
  bool checked_ = false;  ///< has an integrator whose steps are looked at twice
  bool interrupted_ = false;
};

}  // namespace

CaseOutcome CaseRuns::run(const StudyCase& c, const std::string& key, RunObserver& observer) {
  const bool alike = std::none_of(study_.metrics.begin(), study_.metrics.end(), [](const auto& metric) {
    const OwnMetricType* type = find_own_metric(metric.type);
    return type != nullptr && is_stability_metric(type->kind);  // they look at the run file's numbers themselves
  });
  const std::string kind = alike ? kind_of(c) : std::string();
  const auto known = alike ? prepared_.find(kind) : prepared_.end();
  std::shared_ptr<CasePreparation> prepared = known != prepared_.end() ? known->second : nullptr;
  CaseOutcome outcome = CaseRunner(study_, c, folder_, plugins_, observer).run(key, files_[c.base], prepared);
  if (alike && known == prepared_.end() && prepared != nullptr && prepared->right()) {
    constexpr std::size_t most_kinds = 64;
    if (prepared_.size() >= most_kinds) prepared_.clear();
    prepared_.emplace(kind, std::move(prepared));
  }
  return outcome;
}

std::string out_of_time(const CaseLimits& limits) {
  return fmt::format("not done after {:g} s, the limit of time", limits.time);
}

std::string too_much_memory(const CaseLimits& limits) {
  return limits.memory > 0 ? fmt::format("needs more memory than the limit of {:g} bytes", limits.memory)
                           : "needs more memory than there is";
}

}  // namespace trammel
