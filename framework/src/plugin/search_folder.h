// SearchFolder: a folder to search for plugins.
#pragma once

#include <filesystem>
#include <string>

namespace trammel {

/// And who named it ("plugins.search", "--plugin-path", ...): messages tell the user.
struct SearchFolder {
  std::filesystem::path path;
  std::string origin;

  bool operator==(const SearchFolder&) const = default;
};

}  // namespace trammel
