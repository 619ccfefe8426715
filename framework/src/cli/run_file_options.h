// Options that all commands share which run one run file and write into a folder.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/plugin_options.h"

namespace trammel::cli {

struct RunFileOptions : PluginOptions {
  std::filesystem::path file, folder;
  std::vector<std::string> sets;

  std::filesystem::path results() const {
    return folder.empty() ? std::filesystem::path("results") / file.stem() : folder;
  }
};

/// Declares RUN, -o and --set.
inline void declare_run_file(CLI::App& app, RunFileOptions& options) {
  app.add_option("RUN", options.file, "Run file")->required();
  app.add_option("-o", options.folder, "Folder for the results (default: results/<name of the run file>)")
      ->type_name("DIR");
  app.add_option("--set", options.sets, "Change a value of the run file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

}  // namespace trammel::cli
