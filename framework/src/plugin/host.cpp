// The plugin host: catalogue from manifests, loading on demand.
#include "plugin/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/breadcrumb.h"
#include "plugin/descriptor_check.h"
#include "plugin/elf_file.h"
#include "plugin/library.h"
#include "plugin/manifest.h"
#include "plugin/manifest_reader.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_suffix = ".trammel.json", library_suffix = ".so";

std::string type_words(const ComponentInfo& c) {
  const std::string host = c.host == Host::any ? "" : fmt::format("{} ", host_name(c.host));
  return fmt::format("{}{} '{}'", host, kind_name(c.kind), c.type);
}

/// Of one folder, sorted: directory order is not reproducible.
struct PluginFiles {
  explicit PluginFiles(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string& file = entry.path().native();
      if (file.ends_with(manifest_suffix)) manifests.push_back(file);
      if (file.ends_with(library_suffix)) libraries.push_back(file);
    }
    std::sort(manifests.begin(), manifests.end());
    std::sort(libraries.begin(), libraries.end());
  }
  bool has_manifest(const std::string& library) const {
    const std::string manifest = library.substr(0, library.size() - library_suffix.size()).append(manifest_suffix);
    return std::binary_search(manifests.begin(), manifests.end(), manifest);
  }
  bool has_library(const fs::path& library) const {
    return std::binary_search(libraries.begin(), libraries.end(), library.native());
  }
  std::vector<std::string> manifests, libraries;
};

constexpr const char* no_folder = "plugin folder does not exist";

}  // namespace

struct PluginHost::State {
  using Key = std::tuple<ComponentKind, Host, std::string>;

  std::vector<SearchFolder> folders;
  std::vector<std::string> found;  ///< per folder, for the trace
  std::vector<std::shared_ptr<const PluginInfo>> plugins;
  Catalogue catalogue;
  std::map<const PluginInfo*, const PluginDescriptor*> descriptors;
  std::vector<const PluginInfo*> loaded;
  std::vector<std::string> warnings;

  void read_folder(const SearchFolder& folder, std::map<std::string, const PluginInfo*>& by_id,
                   std::map<Key, Catalogue::Entry>& by_type);
  void add_types(const PluginInfo& plugin, std::map<Key, const PluginInfo*>& in_folder,
                 std::map<Key, Catalogue::Entry>& by_type);
  const PluginDescriptor& descriptor(const PluginInfo& plugin);
  Error not_found(ComponentKind kind, Host host, std::string_view type, const std::string& trace) const;
};

void PluginHost::State::read_folder(const SearchFolder& folder, std::map<std::string, const PluginInfo*>& by_id,
                                    std::map<Key, Catalogue::Entry>& by_type) {
  if (!fs::is_directory(folder.path)) {
    found.push_back("no such folder");
    warnings.push_back(fmt::format("{}: {} ({})", folder.path.string(), no_folder, folder.origin));
    return;
  }
  std::size_t count = 0;
  std::map<Key, const PluginInfo*> in_folder;
  const PluginFiles files(folder.path);
  for (const std::string& file : files.manifests) {
    std::shared_ptr<const PluginInfo> plugin;
    try {
      plugin = read_types(file);
    } catch (const Error& error) {
      warnings.push_back(fmt::format("{}; plugin left out", error.what()));
      continue;
    }
    if (!files.has_library(plugin->library)) {
      warnings.push_back(
          fmt::format("{}: there is no {} beside it; plugin left out", file, plugin->library.filename().string()));
      continue;
    }
    ++count;
    const PluginInfo& kept = *plugins.emplace_back(std::move(plugin));
    const auto [same_id, is_new] = by_id.emplace(kept.id, &kept);
    if (is_new) {
      add_types(kept, in_folder, by_type);
    } else {
      warnings.push_back(fmt::format("{}: not used, {} comes first in the search order", kept.library.string(),
                                     same_id->second->library.string()));
    }
  }
  for (const std::string& file : files.libraries) {
    if (files.has_manifest(file)) continue;
    warnings.push_back(
        fmt::format("{}: has no manifest {} beside it, hence is not looked at; 'trammel-sidecar {}' writes it", file,
                    manifest_path(file).filename().string(), file));
  }
  found.push_back(fmt::format("{} plugin{}", count, count == 1 ? "" : "s"));
}

void PluginHost::State::add_types(const PluginInfo& plugin, std::map<Key, const PluginInfo*>& in_folder,
                                  std::map<Key, Catalogue::Entry>& by_type) {
  for (const ComponentInfo& c : plugin.components) {
    const Key key{c.kind, c.host, c.type};
    const auto [twin, is_first] = in_folder.emplace(key, &plugin);
    if (!is_first) {
      throw Error(ErrorKind::plugin,
                  fmt::format("{}: offers {}, and so does {} in the same folder; remove one of them",
                              plugin.library.string(), type_words(c), twin->second->library.string()));
    }
    const auto [earlier, is_new] = by_type.emplace(key, Catalogue::Entry{&plugin, &c});
    if (!is_new) {
      warnings.push_back(fmt::format("{}: its {} is not used, {} comes first in the search order",
                                     plugin.library.string(), type_words(c), earlier->second.plugin->library.string()));
    }
  }
}

const PluginDescriptor& PluginHost::State::descriptor(const PluginInfo& plugin) {
  const auto known = descriptors.find(&plugin);
  if (known != descriptors.end()) return *known->second;
  const auto refused = [&](const std::string& why) {
    return Error(ErrorKind::plugin, fmt::format("{}: refused: {}", plugin.library.string(), why));
  };
  read_details(plugin);
  std::string fault = abi_fault(plugin.interface_epoch, plugin.sdk_minor, plugin.abi_tag);
  if (!fault.empty()) throw refused(fault);
  const ElfFile elf = inspect_elf(plugin.library);
  if (!elf.fault.empty()) throw refused(elf.fault);
  if (elf.build_id != plugin.build_id) {
    throw refused(fmt::format("its build-id is '{}', its manifest was written for '{}'; run 'trammel-sidecar {}'",
                              elf.build_id, plugin.build_id, plugin.library.string()));
  }
  const PhaseScope phase(plugin.id.c_str(), "", "loading");
  const PluginDescriptor& opened = open_plugin(plugin.library);
  PluginInfo says = plugin_info(opened);
  says.build_id = elf.build_id;
  fault = manifest_difference(plugin, says);
  if (!fault.empty()) {
    throw refused(
        fmt::format("its manifest does not describe it: {}; run 'trammel-sidecar {}'", fault, plugin.library.string()));
  }
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
  for (const Catalogue::Entry& entry : catalogue.entries()) {
    if (entry.component->type != type) continue;
    const bool any = entry.component->host == Host::any;
    message +=
        fmt::format("; there is a {}{} of this name", any ? "" : fmt::format("{} ", host_name(entry.component->host)),
                    kind_name(entry.component->kind));
    return Error(ErrorKind::plugin, message + "\n" + trace);
  }
  const std::string nearest = catalogue.nearest(kind, host, type);
  if (!nearest.empty()) message += fmt::format("; did you mean '{}'?", nearest);
  return Error(ErrorKind::plugin, message + "\n" + trace);
}

PluginHost::PluginHost(std::vector<SearchFolder> folders) : state_(std::make_unique<State>()) {
  std::set<fs::path> seen;
  for (SearchFolder& folder : folders) {
    if (seen.insert(fs::weakly_canonical(folder.path)).second) state_->folders.push_back(std::move(folder));
  }
  std::map<std::string, const PluginInfo*> by_id;
  std::map<State::Key, Catalogue::Entry> by_type;
  for (const SearchFolder& folder : state_->folders) state_->read_folder(folder, by_id, by_type);
  std::vector<Catalogue::Entry> entries;
  for (const auto& [key, entry] : by_type) entries.push_back(entry);
  state_->catalogue = Catalogue(std::move(entries));
}

PluginHost::~PluginHost() = default;

const Catalogue& PluginHost::catalogue() const { return state_->catalogue; }

LoadedComponent PluginHost::find(ComponentKind kind, Host host, std::string_view type) {
  const Catalogue::Entry* entry = state_->catalogue.find(kind, host, type);
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

const std::vector<std::string>& PluginHost::warnings() const { return state_->warnings; }

std::string PluginHost::search_trace() const {
  std::string text = searched_folders();
  for (const std::string& warning : state_->warnings) {
    if (warning.find(no_folder) == std::string::npos) text += "\nwarning: " + warning;  // the lines above tell those
  }
  return text;
}

std::string PluginHost::searched_folders() const {
  std::string text = "searched, in this order:";
  for (std::size_t i = 0; i < state_->folders.size(); ++i) {
    const SearchFolder& folder = state_->folders[i];
    text += fmt::format("\n  {} ({}): {}", folder.path.string(), folder.origin, state_->found[i]);
  }
  return text;
}

}  // namespace trammel
