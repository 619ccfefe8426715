// A case from its run file to case.json.
#include "study/case_run.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/parameter_use.h"
#include "config/validate.h"
#include "results/atomic_file.h"
#include "results/json_number.h"
#include "study/case_metrics.h"
#include "study/case_record.h"
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

class CaseRunner {
 public:
  CaseRunner(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
             const PluginSearch& plugins, RunObserver* observer)
      : study_(study), case_(c), folder_(folder), plugins_(plugins), observer_(observer) {
    options_.plugin_path = plugins.plugin_path;
    options_.trust = plugins.trust;
  }

  int run() {
    const std::filesystem::path own = case_folder(folder_, case_);
    std::filesystem::create_directories(own);
    std::error_code ignored;
    std::filesystem::remove(own / "case.json", ignored);
    record_["name"] = case_.name;
    record_["key"] = case_key(study_, case_);
    record_["finished"] = false;
    record_["status"] = "failed";
    record_["message"] = "";
    int code = 0;
    try {
      code = simulate(own);
    } catch (const Error& error) {
      record_["message"] = error.what();
      code = static_cast<int>(error.kind());
    }
    write_atomically(own / "case.json", record_.dump(2) + "\n");
    return code;
  }

 private:
  int simulate(const std::filesystem::path& own) {
    Problems told_by_the_simulation;
    const RunFile run = load_run_file(case_.base, case_.set, told_by_the_simulation);
    PluginHost host(search_folders(run.plugin_search, plugins_));
    validate(run, host.catalogue(), told_by_the_simulation);
    checked_ = run.integrator && run.analysis.integrates_motion();
    for (const Setting& setting : case_.set) {  // a parameter without effect here has one in another case
      if (!is_idle(setting, run.parameters)) options_.set.push_back(setting_text(setting));
    }
    Simulation simulation(case_.base, options_);
    CaseMetrics metrics(study_, case_, folder_, host);
    simulation.write_results(own);
    metrics.attach(simulation);
    RunStatus status = simulation.run(observer_);
    const StudyJson summary = StudyJson::parse(simulation.summary_json());
    record_["message"] = simulation.message();
    if (status == RunStatus::completed && !metrics.failure().empty()) {
      status = RunStatus::failed;
      record_["message"] = metrics.failure();
    }
    if (status == RunStatus::completed) {
      take_metrics(metrics, summary);
      take_stability(run, host, own);
      take_verification(own);
    }
    for (const char* section : {"statistics", "timing", "dimensions", "max", "warnings", "files"})
      record_[section] = summary[section];
    add_plugins(summary, host);
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
        taken[section.name + (name.empty() ? "" : "." + name)] = json_number(value);
      }
    }
  }

  void take_stability(const RunFile& run, PluginHost& host, const std::filesystem::path& own_folder) {
    for (const MetricSection& section : study_.metrics) {
      const OwnMetricType* own = find_own_metric(section.type);
      if (own == nullptr || !is_stability_metric(own->kind) || !section.applies_to(case_)) continue;
      for (const auto& [name, value] : stability_results(study_, section, run, host, own_folder)) {
        record_["metrics"][section.name + (name.empty() ? "" : "." + name)] = json_number(value);
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
      taken[section.name] = compared ? json_number(result.digits()) : StudyJson(nullptr);
      taken[section.name + ".error"] = compared ? json_number(result.error()) : StudyJson(nullptr);
      taken[section.name + ".until"] = json_number(result.comparison.agree_until);
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
      Simulation bare(case_.base, bare_options);
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

  void add_plugins(const StudyJson& summary, const PluginHost& metrics_host) {
    StudyJson& plugins = record_["plugins"] = StudyJson::array();
    for (const StudyJson& plugin : summary["plugins"]) {
      plugins.push_back({{"id", plugin["id"]}, {"build_id", plugin["build_id"]}});
    }
    for (const PluginInfo* plugin : metrics_host.loaded()) {
      plugins.push_back({{"id", plugin->id}, {"build_id", plugin->build_id}});
    }
  }

  const StudyFile& study_;
  const StudyCase& case_;
  const std::filesystem::path& folder_;
  const PluginSearch& plugins_;
  RunObserver* observer_;
  SimulationOptions options_;
  StudyJson record_;
  bool checked_ = false;  ///< has an integrator whose steps are looked at twice
  bool interrupted_ = false;
};

}  // namespace

int run_case(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
             const PluginSearch& plugins, RunObserver* observer) {
  return CaseRunner(study, c, folder, plugins, observer).run();
}

}  // namespace trammel
