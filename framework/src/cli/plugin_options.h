// Options that all commands share which look at plugins.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <vector>

#include "plugin/host.h"

namespace trammel::cli {

struct PluginOptions : PluginSearch {
  bool guard = false;  ///< read before all others (guarded_process.h); here for the help
};

/// Declares --plugin-path; may be given several times.
inline void declare_plugin_path(CLI::App& app, PluginOptions& options) {
  app.add_option("--plugin-path", options.plugin_path, "Folder to search for plugins; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

/// Of commands that read run files.
inline void declare_trust(CLI::App& app, PluginOptions& options) {
  app.add_flag(
      "--trust", options.trust,
      "Load plugins of the folders that the run file names (plugins.search), trusted or not: they run with all "
      "your rights");
}

/// Of commands that compute.
inline void declare_guard(CLI::App& app, PluginOptions& options) {
  app.add_flag("--guard", options.guard,
               "Compute in a process of its own, which this one watches: whatever a plugin does to it is told");
}

/// The host as a command without run file sees it.
inline PluginHost open_host(const PluginOptions& options) { return PluginHost(search_folders({}, options)); }

}  // namespace trammel::cli
