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
  explicit HostCache(std::vector<std::filesystem::path> plugin_path) : plugin_path_(std::move(plugin_path)) {}

  const PluginHost& of(const RunFile& run) {
    std::unique_ptr<PluginHost>& host = hosts_[run.plugin_search];
    if (host == nullptr) host = std::make_unique<PluginHost>(search_folders(run.plugin_search, plugin_path_));
    return *host;
  }

 private:
  std::vector<std::filesystem::path> plugin_path_;
  std::map<std::vector<std::filesystem::path>, std::unique_ptr<PluginHost>> hosts_;
};

}  // namespace trammel
