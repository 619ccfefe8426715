// The folder of results, or one message why there is none.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "trammel/error.h"

namespace trammel {

/// With all folders above it. Throws Error(compute), which says what stands in the way and names the option.
inline void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  std::filesystem::path above = std::filesystem::absolute(folder).lexically_normal();
  std::error_code ignored;
  while (!std::filesystem::exists(above, ignored) && above.has_parent_path() && above != above.parent_path())
    above = above.parent_path();
  const bool file = std::filesystem::exists(above, ignored) && !std::filesystem::is_directory(above, ignored);
  throw Error(ErrorKind::compute,
              fmt::format("{}: cannot be created: {}; '-o DIR' names another folder", folder.string(),
                          file ? fmt::format("'{}' is a file", above.string())
                               : fmt::format("{} in '{}'", error.message(), above.string())));
}

}  // namespace trammel
