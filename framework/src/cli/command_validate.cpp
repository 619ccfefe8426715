// `trammel validate`: everything wrong with run files and studies. First from the plugins' manifests alone, which finds
// all wrong keys, types and values at once; then, if there are none, by setting the run up as `trammel run` does.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "compose/compose.h"
#include "config/includes.h"
#include "config/method_request.h"
#include "config/parameter_use.h"
#include "config/validate.h"
#include "study/study.h"
#include "trammel/host/simulation.h"

namespace trammel::cli {
namespace {

struct ValidateArguments : PluginOptions {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> sets;
  bool mobility = false;
};

/// A study: its own content, and the run files of all its cases.
void validate_study_file(const ValidateArguments& options, const std::filesystem::path& file, Problems& problems) {
  if (!options.sets.empty()) throw Error(ErrorKind::usage, file.string() + ": is a study; --set changes run files");
  const StudyFile study = load_study_file(file, problems);
  if (problems.empty()) validate_study(study, options, problems);
}

/// A line on the coordinates that are zero in the drawing because nothing else defines their zero, or "".
std::string zeros(Simulation& simulation) {
  const nlohmann::json summary = nlohmann::json::parse(simulation.summary_json());
  std::string names;
  for (const nlohmann::json& coordinate : summary.value("coordinates", nlohmann::json::array())) {
    if (coordinate["from"] == "drawing")
      names += (names.empty() ? "" : ", ") + coordinate["coordinate"].get<std::string>();
  }
  return names.empty() ? "" : fmt::format("  Zero       in the drawing: {}\n", names);
}

/// What was chosen and why, as a run prints it; "" where nothing was.
std::string chosen_method(Simulation& simulation) {
  const nlohmann::json summary = nlohmann::json::parse(simulation.summary_json());
  const auto found = summary.find("method_choice");
  if (found == summary.end()) return "";
  const nlohmann::json& choice = *found;
  const std::string under =
      choice["formulation"].is_string() ? " under " + choice["formulation"].get<std::string>() : "";
  return fmt::format("  Method     {}{}\n             chosen: {}\n             to keep it, write {}\n",
                     choice["integrator"].get<std::string>(), under, choice["reason"].get<std::string>(),
                     choice["text"].get<std::string>());
}

/// A run file: its content, then whether a run of it would start. Returns what its coordinates count from, the methods
/// where they are chosen, and the mobility report if that is asked for.
std::string validate_run_file(const ValidateArguments& options, const std::filesystem::path& file, Problems& problems,
                              std::string& trace) {
  RunFile run = load_run_file(file, options.sets, problems);
  const PluginHost host(search_folders(run.plugin_search, options));
  compose(run, host.catalogue(), problems);
  if (problems.empty() || !is_composed(*run.document)) validate(run, host.catalogue(), problems);
  if (problems.empty()) refuse_idle_settings(run, problems);
  if (!problems.empty()) {
    trace = host.search_trace();
    return "";
  }
  Simulation simulation(file, {options.sets, options.plugin_path, 1, options.trust});
  for (const std::string& warning : simulation.warnings()) fmt::print(stderr, "warning: {}\n", warning);
  const std::string methods = leaves_method(run) ? chosen_method(simulation) : "";
  return zeros(simulation) + methods + (options.mobility ? simulation.mobility() : "");
}

/// 0, or the exit code that fits what is wrong.
int validate_one(const ValidateArguments& options, const std::filesystem::path& file) {
  Problems problems;
  std::string trace, report;
  try {
    if (is_study_file(file))
      validate_study_file(options, file, problems);
    else
      report = validate_run_file(options, file, problems, trace);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) throw;
    if (error.kind() == ErrorKind::compute) {
      fmt::print(stderr, "{}: {}\n", file.string(), error.what());
      return static_cast<int>(error.kind());
    }
    problems.add(error);
  }
  for (const std::string& line : problems.lines()) fmt::print(stderr, "{}\n", line);
  if (problems.empty()) {
    fmt::print("{}: valid\n{}", file.string(), report);
    return 0;
  }
  if (problems.kind() == ErrorKind::plugin && !trace.empty()) fmt::print(stderr, "{}\n", trace);
  return static_cast<int>(problems.kind());
}

}  // namespace

Action declare_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateArguments>();
  app.add_option("FILE", options->files, "Run files and studies")->required();
  app.add_option("--set", options->sets, "Change a value of the run files; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  app.add_flag(
      "--mobility", options->mobility,
      "Also report degrees of freedom, redundant constraints, unconnected bodies and motions without stiffness");
  declare_plugin_path(app, *options);
  declare_trust(app, *options);
  declare_guard(app, *options);
  return [options] {
    std::vector<int> codes;
    for (const std::filesystem::path& file : options->files) codes.push_back(validate_one(*options, file));
    const auto has = [&](ErrorKind kind) { return std::count(codes.begin(), codes.end(), static_cast<int>(kind)) > 0; };
    for (const ErrorKind kind : {ErrorKind::input, ErrorKind::plugin, ErrorKind::compute}) {
      if (has(kind)) return static_cast<int>(kind);
    }
    return 0;
  };
}

}  // namespace trammel::cli
