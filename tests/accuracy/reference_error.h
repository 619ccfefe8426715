// Errors against reference problems, kept for the acceptance table of the elements (docs/elements.md).
#pragma once

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

namespace trammel {

/// Returns `error`, and writes it down for the elements ("spatial revolute", several separated by ", "): one file per
/// program in the build tree, read by the test element_table. `problem`: what was solved and what it was compared with.
inline double noted(const std::string& elements, const std::string& problem, double error) {
  static std::ofstream file = [] {
    const std::filesystem::path folder = TRAMMEL_BUILD_DIR "/reference_errors";
    std::filesystem::create_directories(folder);
    return std::ofstream(folder / (std::string(program_invocation_short_name) + ".txt"));
  }();
  std::size_t begin = 0;
  while (begin < elements.size()) {
    const std::size_t end = std::min(elements.find(", ", begin), elements.size());
    file << elements.substr(begin, end - begin) << '\t' << error << '\t' << problem << std::endl;
    begin = end + 2;
  }
  return error;
}

}  // namespace trammel
