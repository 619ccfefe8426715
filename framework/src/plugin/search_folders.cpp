// The search order for plugins.
#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "plugin/host.h"
#include "plugin/installed_tree.h"
#include "version.h"

namespace trammel {

std::filesystem::path library_folder() {
  static const std::filesystem::path folder = [] {  // it stays loaded, from where it is
    Dl_info info;
    const bool known = dladdr(reinterpret_cast<const void*>(&version), &info) != 0 && info.dli_fname != nullptr;
    return known ? std::filesystem::weakly_canonical(info.dli_fname).parent_path() : std::filesystem::path();
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
