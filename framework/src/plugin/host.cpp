// The plugin host: catalogue from manifests, loading on demand.
#include "plugin/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "plugin/breadcrumb.h"
#include "plugin/descriptor_check.h"
#include "plugin/elf_file.h"
#include "plugin/file_stamp.h"
#include "plugin/folder_trust.h"
#include "plugin/found_plugins.h"
#include "plugin/installed_tree.h"
#include "plugin/library.h"
#include "plugin/loaded_libraries.h"
#include "plugin/manifest.h"
#include "plugin/manifest_reader.h"
#include "trammel/error.h"

namespace trammel {
namespace {

Error refused(const PluginInfo& plugin, const std::string& why) {
  return Error(ErrorKind::plugin, fmt::format("{}: refused: {}", plugin.library.string(), why));
}

/// What a manifest says.
auto all_of(const PluginInfo& p) {
  return std::tie(p.id, p.version, p.licence, p.abi_tag, p.build_id, p.interface_epoch, p.sdk_minor, p.components);
}

/// Loads a plugin and checks all that can be told of it.
const PluginDescriptor& open_checked(const PluginInfo& plugin) {
  read_details(plugin);
  std::string fault = abi_fault(plugin.interface_epoch, plugin.sdk_minor, plugin.abi_tag);
  if (!fault.empty()) throw refused(plugin, fault);
  const ElfFile elf = inspect_elf(plugin.library);
  if (!elf.fault.empty()) throw refused(plugin, elf.fault);
  if (elf.build_id != plugin.build_id) {
    throw refused(plugin,
                  fmt::format("its build-id is '{}', its manifest was written for '{}'; run 'trammel-sidecar {}'",
                              elf.build_id, plugin.build_id, plugin.library.string()));
  }
  const PhaseScope phase(plugin.id.c_str(), "", "loading");
  const PluginDescriptor& opened = open_plugin(plugin.library);
  note_loaded_library(plugin.id.c_str(), &opened,
                      plugin.library.parent_path() == library_folder() / "trammel" / "plugins");
  PluginInfo says = plugin_info(opened);
  says.build_id = elf.build_id;
  if (all_of(plugin) == all_of(says)) return opened;
  fault = manifest_difference(plugin, says);  // takes long; "" where they differ in what no manifest can say
  if (!fault.empty()) {
    throw refused(plugin, fmt::format("its manifest does not describe it: {}; run 'trammel-sidecar {}'", fault,
                                      plugin.library.string()));
  }
  return opened;
}

/// The same, at once where this process has found the plugin right and its library was not written since: the checks
/// take longer than everything else about a small model.
const PluginDescriptor& open_known(const std::shared_ptr<const PluginInfo>& plugin) {
  struct Checked {
    FileStamp library;
    const PluginDescriptor* descriptor;
  };
  static std::mutex guard;
  static std::map<std::shared_ptr<const PluginInfo>, Checked> memory;
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = memory.find(plugin);
  if (known != memory.end()) {
    if (known->second.library.holds()) return *known->second.descriptor;
    memory.erase(known);
  }
  FileStamp before(plugin->library.string());
  const PluginDescriptor& opened = open_checked(*plugin);
  if (before.is_settled()) memory.emplace(plugin, Checked{std::move(before), &opened});
  return opened;
}

}  // namespace

struct PluginHost::State {
  std::shared_ptr<const FoundPlugins> seen;
  std::map<const PluginInfo*, const PluginDescriptor*> descriptors;
  std::vector<const PluginInfo*> loaded;

  const PluginDescriptor& descriptor(const PluginInfo& plugin);
  Error not_found(ComponentKind kind, Host host, std::string_view type, const std::string& trace) const;
};

const PluginDescriptor& PluginHost::State::descriptor(const PluginInfo& plugin) {
  const auto known = descriptors.find(&plugin);
  if (known != descriptors.end()) return *known->second;
  const auto withheld = seen->withheld_plugins.find(&plugin);
  if (withheld != seen->withheld_plugins.end()) throw Error(ErrorKind::plugin, *withheld->second);
  const auto owner = std::find_if(seen->plugins.begin(), seen->plugins.end(),
                                  [&](const std::shared_ptr<const PluginInfo>& one) { return one.get() == &plugin; });
  const PluginDescriptor& opened = owner != seen->plugins.end() ? open_known(*owner) : open_checked(plugin);
  descriptors.emplace(&plugin, &opened);
  loaded.push_back(&plugin);
  return opened;
}

Error PluginHost::State::not_found(ComponentKind kind, Host host, std::string_view type,
                                   const std::string& trace) const {
  const bool hosted = kind == ComponentKind::constraint || kind == ComponentKind::force;
  std::string message =
      hosted && host != Host::any
          ? fmt::format("no plugin offers a {} of type '{}' for {} models", kind_name(kind), type, host_name(host))
          : fmt::format("no plugin offers a{} {} of type '{}'", kind == ComponentKind::integrator ? "n" : "",
                        kind_name(kind), type);
  for (const Catalogue::Entry& entry : seen->catalogue.entries()) {
    if (entry.component->type != type) continue;
    const bool any = entry.component->host == Host::any;
    message +=
        fmt::format("; there is a {}{} of this name", any ? "" : fmt::format("{} ", host_name(entry.component->host)),
                    kind_name(entry.component->kind));
    return Error(ErrorKind::plugin, message + "\n" + trace);
  }
  const std::string nearest = seen->catalogue.nearest(kind, host, type);
  if (!nearest.empty()) message += fmt::format("; did you mean '{}'?", nearest);
  return Error(ErrorKind::plugin, message + "\n" + trace);
}

PluginHost::PluginHost(std::vector<SearchFolder> folders) : state_(std::make_unique<State>()) {
  state_->seen = find_plugins(std::move(folders));
}

PluginHost::~PluginHost() = default;

const Catalogue& PluginHost::catalogue() const { return state_->seen->catalogue; }

LoadedComponent PluginHost::find(ComponentKind kind, Host host, std::string_view type) {
  const Catalogue::Entry* entry = state_->seen->catalogue.find(kind, host, type);
  if (entry == nullptr) throw state_->not_found(kind, host, type, search_trace());
  const PluginDescriptor& descriptor = state_->descriptor(*entry->plugin);
  // The manifest agrees with the descriptor, so that both list the components in the same order.
  const auto index = static_cast<std::size_t>(entry->component - entry->plugin->components.data());
  return {&descriptor.components[index], entry->plugin, entry->component};
}

void PluginHost::load(const PluginInfo& plugin) { state_->descriptor(plugin); }

const std::vector<const PluginInfo*>& PluginHost::loaded() const { return state_->loaded; }

std::vector<std::filesystem::path> PluginHost::loaded_folders() const {
  std::set<std::filesystem::path> folders;
  for (const PluginInfo* plugin : loaded()) folders.insert(plugin->library.parent_path());
  return {folders.begin(), folders.end()};
}

const std::vector<std::string>& PluginHost::warnings() const { return state_->seen->warnings; }

std::string PluginHost::search_trace() const {
  std::string text = searched_folders();
  for (const std::string& warning : state_->seen->warnings) {
    if (warning.find(no_plugin_folder) == std::string::npos)
      text += "\nwarning: " + warning;  // the lines above tell those
  }
  return text;
}

std::string PluginHost::searched_folders() const {
  std::string text = "searched, in this order:";
  for (std::size_t i = 0; i < state_->seen->folders.size(); ++i) {
    const SearchFolder& folder = state_->seen->folders[i];
    text += fmt::format("\n  {} ({}): {}", plain_words(folder.path.string()), folder.origin, state_->seen->found[i]);
  }
  return text;
}

}  // namespace trammel
