// The models that come with the project, for tests that hold for all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "config/run_file.h"

namespace trammel {

/// Every run file with bodies, at most `most_bodies` of them: the examples, the benchmarks (Andrews' squeezer, A02, chains),
/// those of the papers (HMMWV) and the cases beside the plugins.
inline std::vector<std::filesystem::path> shipped_models(std::size_t most_bodies = 100) {
  const std::filesystem::path source = TRAMMEL_SOURCE_DIR;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : {source / "configs", source / "plugins"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".json" || name.ends_with("study.json")) continue;
      std::ifstream file(entry.path());
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      if (text.find("\"trammel\"") == std::string::npos) continue;  // results that an importer is held to
      const RunFile run = load_run_file(entry.path());
      if (!run.bodies.empty() && run.bodies.size() <= most_bodies) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace trammel
