// The search order for plugins.
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

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

std::vector<SearchFolder> search_folders(const std::vector<std::filesystem::path>& run_file_folders,
                                         const std::vector<std::filesystem::path>& plugin_path) {
  std::vector<SearchFolder> folders;
  const auto add = [&](const std::filesystem::path& path, const char* origin) {
    folders.push_back({std::filesystem::absolute(path).lexically_normal(), origin});
  };
  for (const std::filesystem::path& path : run_file_folders) add(path, "plugins.search");
  for (const std::filesystem::path& path : plugin_path) add(path, "--plugin-path");
  const char* variable = std::getenv("TRAMMEL_PLUGIN_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) add(rest.substr(0, end), "TRAMMEL_PLUGIN_PATH");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  add(library_folder() / "trammel" / "plugins", "beside libtrammel");
  return folders;
}

}  // namespace trammel
