// PreparedRun: a run file and its plugins, for many simulations.
#include <map>
#include <vector>

#include "config/json_source.h"
#include "config/written_document.h"
#include "run/simulation_state.h"

namespace trammel {

struct PreparedRun::State {
  std::filesystem::path file, folder;
  WrittenDocument document;
  std::vector<Setting> settings;
  PluginSearch plugins;
  int threads = 1;
  /// By the folders that the run file names, which settings may change. None of them loads anything.
  std::map<std::vector<std::filesystem::path>, PluginHost> hosts;

  RunFile run_file(const std::vector<std::string>& set) const {
    std::vector<Setting> all = settings;
    for (Setting& setting : parse_settings(set)) all.push_back(std::move(setting));
    Problems problems;
    RunFile run = make_run_file(document, file, folder, all, problems);
    problems.raise();
    return run;
  }

  PluginHost host_for(const RunFile& run) {
    auto known = hosts.find(run.plugin_search);
    if (known == hosts.end())
      known = hosts.emplace(run.plugin_search, PluginHost(search_folders(run.plugin_search, plugins))).first;
    return known->second.for_another_run();
  }
};

PreparedRun::PreparedRun(const std::filesystem::path& run_file, const SimulationOptions& options)
    : state_(std::make_unique<State>()) {
  state_->file = run_file;
  state_->folder = std::filesystem::absolute(run_file).parent_path();
  state_->document = WrittenDocument(parse_json(read_text_file(run_file), run_file.string()));
  state_->settings = parse_settings(options.set);
  state_->plugins = {options.plugin_path, options.trust};
  state_->threads = options.threads;
}

PreparedRun::~PreparedRun() = default;

Simulation::Simulation(PreparedRun& prepared, const std::vector<std::string>& set)
    : state_([&] {
        PreparedRun::State& held = prepared.state();
        RunFile run = held.run_file(set);
        PluginHost host = held.host_for(run);
        return std::make_unique<State>(std::move(run), std::move(host), held.threads);
      }()) {
  tell_about_plugins();
}

}  // namespace trammel
