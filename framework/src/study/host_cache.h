// One plugin host for all cases that search the same folders.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "config/run_file.h"
#include "plugin/host.h"

namespace trammel {

class HostCache {
 public:
  explicit HostCache(PluginSearch plugins) : plugins_(std::move(plugins)) {}

  const PluginHost& of(const RunFile& run) {
    std::unique_ptr<PluginHost>& host = hosts_[run.plugin_search];
    if (host == nullptr) host = std::make_unique<PluginHost>(search_folders(run.plugin_search, plugins_));
    return *host;
  }

 private:
  PluginSearch plugins_;
  std::map<std::vector<std::filesystem::path>, std::unique_ptr<PluginHost>> hosts_;
};

}  // namespace trammel
