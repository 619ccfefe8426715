// The search order for plugins.
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "plugin/folder_trust.h"
#include "plugin/host.h"
#include "plugin/installed_tree.h"
#include "version.h"

namespace trammel {

namespace {

struct Sought {
  std::uintptr_t address;
  const char* file;  ///< that contains it
};

/// dladdr also looks for the symbol's name, among all that a library has.
int look_into(dl_phdr_info* object, std::size_t, void* data) {
  auto& sought = *static_cast<Sought*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || sought.address < start || sought.address - start >= segment.p_memsz) continue;
    sought.file = object->dlpi_name;
    return 1;
  }
  return 0;
}

}  // namespace

std::filesystem::path library_folder() {
  static const std::filesystem::path folder = [] {  // it stays loaded, from where it is
    Sought sought{reinterpret_cast<std::uintptr_t>(&version), nullptr};
    dl_iterate_phdr(look_into, &sought);
    return sought.file != nullptr ? std::filesystem::weakly_canonical(sought.file).parent_path()
                                  : std::filesystem::path();
  }();
  return folder;
}

std::filesystem::path canonical_or_empty(const std::filesystem::path& path) {
  std::error_code error;  // a circle of symbolic links, a folder that may not be entered
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path() : canonical;
}

namespace {

/// Of folders that a run file names: what lies there is code of whoever wrote the file, unless the user says otherwise.
void judge_trust(std::vector<SearchFolder>& folders, std::size_t of_run_file) {
  std::set<std::filesystem::path> named_by_user;
  for (std::size_t i = of_run_file; i < folders.size(); ++i) named_by_user.insert(canonical_or_empty(folders[i].path));
  for (std::size_t i = 0; i < of_run_file; ++i) {
    const std::filesystem::path canonical = canonical_or_empty(folders[i].path);
    if (!canonical.empty() && named_by_user.count(canonical) != 0) continue;
    folders[i].distrust = distrust_of(canonical);
    // What was judged is what is loaded, wherever symbolic links lead by then.
    if (folders[i].distrust.empty()) folders[i].path = canonical;
  }
}

}  // namespace

std::vector<SearchFolder> search_folders(const std::vector<std::filesystem::path>& run_file_folders,
                                         const PluginSearch& users) {
  std::vector<SearchFolder> folders;
  const auto add = [&](const std::filesystem::path& path, const char* origin) {
    folders.push_back({std::filesystem::absolute(path).lexically_normal(), origin});
  };
  for (const std::filesystem::path& path : run_file_folders) add(path, "plugins.search");
  for (const std::filesystem::path& path : users.plugin_path) add(path, "--plugin-path");
  const char* variable = std::getenv("TRAMMEL_PLUGIN_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) add(rest.substr(0, end), "TRAMMEL_PLUGIN_PATH");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  add(library_folder() / "trammel" / "plugins", "beside libtrammel");
  if (!users.trust && !run_file_folders.empty()) judge_trust(folders, run_file_folders.size());
  return folders;
}

}  // namespace trammel
