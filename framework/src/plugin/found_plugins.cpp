// Catalogue of plugins from the manifests in folders.
#include "plugin/found_plugins.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "plugin/file_stamp.h"
#include "plugin/folder_trust.h"
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
    DIR* const open = ::opendir(folder.c_str());  // std::filesystem takes paths to pieces, of each file
    for (const dirent* entry = open == nullptr ? nullptr : ::readdir(open); entry != nullptr; entry = ::readdir(open)) {
      const std::string_view name = entry->d_name;
      if (name.ends_with(manifest_suffix)) manifests.push_back(in(folder, name));
      if (name.ends_with(library_suffix)) libraries.push_back(in(folder, name));
    }
    if (open != nullptr) ::closedir(open);
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

 private:
  static std::string in(const fs::path& folder, std::string_view name) {
    std::string file = folder.native();
    if (!file.ends_with('/')) file += '/';
    return file.append(name);
  }
};

/// Why plugins with these ids are not loaded, and what the user can do.
std::string refusal_to_load(const SearchFolder& folder, const std::vector<std::string>& ids) {
  constexpr std::size_t most = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(ids.size(), most); ++i)
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", plain_words(ids[i]));
  if (ids.size() > most) names += fmt::format(" and {} more", ids.size() - most);
  const std::string path = folder.path.string();
  return fmt::format(
      "the folder {} that the run file names ({}) {}; its plugin{} {} would run with all your rights and {} not "
      "loaded. "
      "To trust it: 'trammel trust {}', or for this time the option --trust",
      plain_words(path), folder.origin, folder.distrust, ids.size() == 1 ? "" : "s", names,
      ids.size() == 1 ? "is" : "are", plain_words(path) == path ? shell_word(path) : "FOLDER");
}

class PluginReader {
 public:
  std::shared_ptr<FoundPlugins> read(std::vector<SearchFolder> folders) {
    std::set<fs::path> seen;
    for (SearchFolder& folder : folders) {
      const fs::path canonical = canonical_or_empty(folder.path);
      if (seen.insert(canonical.empty() ? folder.path : canonical).second)
        result_->folders.push_back(std::move(folder));
    }
    for (const SearchFolder& folder : result_->folders) read_folder(folder);
    std::vector<Catalogue::Entry> entries;
    for (const auto& [key, entry] : by_type_) entries.push_back(entry);
    result_->catalogue = Catalogue(std::move(entries));
    return result_;
  }
  /// Of all that was read, each from before it was.
  std::vector<FileStamp>& stamps() { return stamps_; }

 private:
  using Key = std::tuple<ComponentKind, Host, std::string>;
  void read_folder(const SearchFolder& folder);
  void add_types(const PluginInfo& plugin, const std::string* withheld, std::map<Key, const PluginInfo*>& in_folder);

  std::shared_ptr<FoundPlugins> result_ = std::make_shared<FoundPlugins>();
  std::map<std::string, const PluginInfo*> by_id_;
  std::map<Key, Catalogue::Entry> by_type_;
  std::vector<FileStamp> stamps_;
};

void PluginReader::read_folder(const SearchFolder& folder) {
  std::vector<std::string>& warnings = result_->warnings;
  stamps_.emplace_back(folder.path.string());
  std::error_code unknown;
  if (!fs::is_directory(folder.path, unknown)) {
    result_->found.push_back("no such folder");
    warnings.push_back(fmt::format("{}: {} ({})", folder.path.string(), no_plugin_folder, folder.origin));
    return;
  }
  std::size_t count = 0;
  std::string* const withheld = folder.distrust.empty() ? nullptr : &result_->withheld.emplace_back();
  std::vector<std::string> ids;
  std::map<Key, const PluginInfo*> in_folder;
  const PluginFiles files(folder.path);
  for (const std::string& file : files.manifests) {
    stamps_.emplace_back(file);
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
    const PluginInfo& kept = *result_->plugins.emplace_back(std::move(plugin));
    ids.push_back(kept.id);
    if (withheld != nullptr) result_->withheld_plugins[&kept] = withheld;
    const auto [same_id, is_new] = by_id_.emplace(kept.id, &kept);
    if (is_new) {
      add_types(kept, withheld, in_folder);
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
  result_->found.push_back(fmt::format("{} plugin{}{}", count, count == 1 ? "" : "s",
                                       folder.distrust.empty() ? "" : ", not loaded: it " + folder.distrust));
  if (withheld != nullptr) *withheld = refusal_to_load(folder, ids);
}

void PluginReader::add_types(const PluginInfo& plugin, const std::string* withheld,
                             std::map<Key, const PluginInfo*>& in_folder) {
  for (const ComponentInfo& c : plugin.components) {
    const Key key{c.kind, c.host, c.type};
    const auto [twin, is_first] = in_folder.emplace(key, &plugin);
    if (!is_first) {
      throw Error(ErrorKind::plugin,
                  fmt::format("{}: offers {}, and so does {} in the same folder; remove one of them",
                              plugin.library.string(), type_words(c), twin->second->library.string()));
    }
    const auto [earlier, is_new] = by_type_.emplace(key, Catalogue::Entry{&plugin, &c, withheld});
    if (!is_new) {
      result_->warnings.push_back(fmt::format("{}: its {} is not used, {} comes first in the search order",
                                              plugin.library.string(), type_words(c),
                                              earlier->second.plugin->library.string()));
    }
  }
}

/// A search of this process, and whether it would find the same again.
struct Remembered {
  std::vector<SearchFolder> asked;
  std::vector<FileStamp> stamps;
  std::shared_ptr<const FoundPlugins> found;

  bool holds() const {
    return std::all_of(stamps.begin(), stamps.end(), [](const FileStamp& stamp) { return stamp.holds(); });
  }
};

thread_local int known_plugins_count = 0;

}  // namespace

KnownPlugins::KnownPlugins() { ++known_plugins_count; }
KnownPlugins::~KnownPlugins() { --known_plugins_count; }

std::shared_ptr<const FoundPlugins> find_plugins(std::vector<SearchFolder> folders) {
  constexpr std::size_t most = 8;  // programs have one search order, tests many
  static std::mutex guard;
  static std::list<Remembered> memory;
  const std::lock_guard<std::mutex> lock(guard);
  const auto known =
      std::find_if(memory.begin(), memory.end(), [&](const Remembered& one) { return one.asked == folders; });
  if (known != memory.end()) {
    if (known_plugins_count > 0 || known->holds()) return known->found;
    memory.erase(known);
  }
  PluginReader reader;
  std::shared_ptr<const FoundPlugins> found = reader.read(folders);
  std::vector<FileStamp>& stamps = reader.stamps();
  if (std::all_of(stamps.begin(), stamps.end(), [](const FileStamp& stamp) { return stamp.is_settled(); })) {
    memory.push_front({std::move(folders), std::move(stamps), found});
    if (memory.size() > most) memory.pop_back();
  }
  return found;
}

}  // namespace trammel
