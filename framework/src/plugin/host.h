// The plugin host: finds plugins by their sidecar manifests and loads exactly those that are asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.h"
#include "plugin/search_folder.h"
#include "trammel/plugin.h"

namespace trammel {

/// The search order: folders of the run file (absolute already), of --plugin-path, of the environment variable
/// TRAMMEL_PLUGIN_PATH (separated by ':'), and trammel/plugins beside libtrammel. Nothing is loaded from the run file's
/// folders that the user neither trusts (folder_trust.h) nor names as well.
std::vector<SearchFolder> search_folders(const std::vector<std::filesystem::path>& run_file_folders,
                                         const PluginSearch& users);

/// A component type ready for use; everything it points to lives until the process ends.
struct LoadedComponent {
  const ComponentRecord* record = nullptr;
  const PluginInfo* plugin = nullptr;   ///< lives as long as the host
  const ComponentInfo* info = nullptr;  ///< lives as long as the host
};

/// Not thread-safe. Libraries stay loaded until the process ends, whatever happens to the host.
class PluginHost {
 public:
  /// Reads the manifests in `folders`, not their subfolders, and loads nothing. Of plugins with the same id, and of
  /// types with the same kind, host and name, the first in order wins, with a warning that names both.
  /// Throws Error(plugin) if one folder offers the same type twice.
  explicit PluginHost(std::vector<SearchFolder> folders);
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  const Catalogue& catalogue() const;

  /// Loads the plugin that offers the type (see Catalogue::find), unless it is loaded already, and checks its
  /// descriptor field by field. Throws Error(plugin): not found, with the search trace and the nearest valid type; in a
  /// folder that is not trusted; or refused, with the differing field and both values.
  LoadedComponent find(ComponentKind kind, Host host, std::string_view type);

  /// Plugins loaded so far through this host, in the order of loading.
  const std::vector<const PluginInfo*>& loaded() const;
  /// Their folders: all that a run of the same components has to search.
  std::vector<std::filesystem::path> loaded_folders() const;

  /// One per oddity met so far: shadowed plugins and types, unreadable manifests, missing folders.
  const std::vector<std::string>& warnings() const;

  /// The folders in search order, with what was found in each: one line per folder.
  std::string searched_folders() const;
  /// The same, then the warnings: why a type that lies on the disk may not be found.
  std::string search_trace() const;

  /// Loads and checks one plugin of the catalogue without using it (`doctor`). Throws Error(plugin) if it is refused.
  void load(const PluginInfo& plugin);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trammel
