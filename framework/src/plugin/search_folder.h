// SearchFolder: a folder to search for plugins; PluginSearch: what the user says about where they come from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel {

/// And who named it ("plugins.search", "--plugin-path", ...): messages tell the user.
struct SearchFolder {
  std::filesystem::path path;
  std::string origin;
  std::string distrust = {};  ///< why nothing in it may be loaded; "": everything may

  bool operator==(const SearchFolder&) const = default;
};

/// Without symbolic links, as far as the path exists; "" if it cannot be told.
std::filesystem::path canonical_or_empty(const std::filesystem::path& path);

/// Of the user, in contrast to what run files say.
struct PluginSearch {
  std::vector<std::filesystem::path> plugin_path;
  bool trust = false;  ///< folders that run files name may be loaded from
};

}  // namespace trammel
