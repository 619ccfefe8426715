// The models that come with the project, for tests that hold for all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "config/run_file.h"

namespace trammel {

/// Every run file with bodies in the examples and beside the plugins.
inline std::vector<std::filesystem::path> shipped_models() {
  const std::filesystem::path source = TRAMMEL_SOURCE_DIR;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : {source / "configs/examples", source / "plugins"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".json") continue;
      const RunFile run = load_run_file(entry.path());
      if (!run.bodies.empty() && run.bodies.size() <= 20) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace trammel
