// FoundPlugins: what the folders of a search order offer.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plugin/catalogue.h"
#include "plugin/search_folder.h"

namespace trammel {

struct FoundPlugins {
  std::vector<SearchFolder> folders;  ///< each once
  std::vector<std::string> found;     ///< per folder, for the trace
  std::vector<std::shared_ptr<const PluginInfo>> plugins;
  std::list<std::string> withheld;  ///< messages, one per folder that is not trusted
  std::map<const PluginInfo*, const std::string*> withheld_plugins;
  Catalogue catalogue;
  std::vector<std::string> warnings;
};

/// How the warning about a folder that is missing puts it.
inline constexpr const char* no_plugin_folder = "plugin folder does not exist";

/// Reads the manifests in the folders; see PluginHost. A process that asks again gets what it got before, as long as no
/// folder and no manifest has changed: to look at 82 manifests takes longer than to make a small model.
std::shared_ptr<const FoundPlugins> find_plugins(std::vector<SearchFolder> folders);

/// While one lives, what this thread's searches found before is taken without a look at the folders and manifests: runs
/// that belong together have the same plugins.
class KnownPlugins {
 public:
  KnownPlugins();
  ~KnownPlugins();
  KnownPlugins(const KnownPlugins&) = delete;
  KnownPlugins& operator=(const KnownPlugins&) = delete;
};

}  // namespace trammel
