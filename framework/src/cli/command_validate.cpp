// `trammel validate`: everything wrong with run files, from the plugins' manifests alone.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "config/validate.h"

namespace trammel::cli {
namespace {

struct Options : PluginOptions {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> sets;
};

/// 0, or the exit code that fits what is wrong.
int validate_one(const Options& options, const std::filesystem::path& file) {
  Problems problems;
  std::string trace;
  try {
    const RunFile run = load_run_file(file, options.sets, problems);
    const PluginHost host(search_folders(run.plugin_search, options.plugin_path));
    for (const std::string& warning : host.warnings()) fmt::print(stderr, "{}\n", warning);
    validate(run, host.catalogue(), problems);
    trace = host.search_trace();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) throw;
    problems.add(error);
  }
  for (const std::string& line : problems.lines()) fmt::print(stderr, "{}\n", line);
  if (problems.empty()) {
    fmt::print("{}: valid\n", file.string());
    return 0;
  }
  if (problems.kind() == ErrorKind::plugin && !trace.empty()) fmt::print(stderr, "{}\n", trace);
  return static_cast<int>(problems.kind());
}

}  // namespace

Action declare_validate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->files, "Run files")->required();
  app.add_option("--set", options->sets, "Change a value of the run files; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  declare_plugin_path(app, *options);
  return [options] {
    std::vector<int> codes;
    for (const std::filesystem::path& file : options->files) codes.push_back(validate_one(*options, file));
    const auto has = [&](ErrorKind kind) { return std::count(codes.begin(), codes.end(), static_cast<int>(kind)) > 0; };
    if (has(ErrorKind::input)) return static_cast<int>(ErrorKind::input);
    return has(ErrorKind::plugin) ? static_cast<int>(ErrorKind::plugin) : 0;
  };
}

}  // namespace trammel::cli
