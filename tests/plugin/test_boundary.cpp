// Rules of the plugin boundary that hold for every file: exported symbols, and who may include what.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "process.h"

using namespace trammel;

namespace {

namespace fs = std::filesystem;

const fs::path source = TRAMMEL_SOURCE_DIR;

std::vector<fs::path> files_under(const fs::path& folder, const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && endings.count(entry.path().extension()) != 0) files.push_back(entry.path());
  }
  return files;
}

struct Include {
  fs::path file;
  std::string name;
  bool quoted;
};

/// `#include <name>` or `#include "name"`; false for every other line.
bool read_include(const std::string& line, Include& include) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return false;
  const std::size_t word = line.find("include", hash);
  const std::size_t open = line.find_first_of("<\"", hash);
  if (word == std::string::npos || open == std::string::npos || open < word) return false;
  const std::size_t close = line.find_first_of(">\"", open + 1);
  include.name = line.substr(open + 1, close - open - 1);
  include.quoted = line[open] == '"';
  return true;
}

std::vector<Include> includes_under(const char* folder) {
  std::vector<Include> includes;
  for (const fs::path& file : files_under(source / folder, {".h", ".cpp", ".inc"})) {
    std::ifstream stream(file);
    Include include{file, "", false};
    for (std::string line; std::getline(stream, line);) {
      if (read_include(line, include)) includes.push_back(include);
    }
  }
  return includes;
}

/// Headers that neither clang 14 with libstdc++ 12 nor every compiler of a stranger can be asked for.
bool is_standard(const std::string& name) {
  static const std::set<std::string> unwelcome = {"ranges", "format", "source_location"};
  static const std::set<std::string> of_c = {"math.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"};
  if (of_c.count(name) > 0) return true;  // the C interfaces'
  return unwelcome.count(name) == 0 && name.find_first_of("./") == std::string::npos;
}

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

/// A plugin that wraps a library includes its headers as well; writers include those of the system's files.
bool is_of_wrapped_library(const Include& include) {
  static const std::map<std::string, std::vector<const char*>> wrapped = {
      {"sundials", {"arkode/", "cvode/", "ida/", "nvector/", "sundials/", "sunlinsol/", "sunmatrix/", "sunnonlinsol/"}},
      {"hdf5", {"hdf5.h", "fcntl.h", "unistd.h", "sys/resource.h", "sys/stat.h"}},
      {"csv", {"fcntl.h", "sys/stat.h", "sys/types.h", "unistd.h"}},
      {"robot_xml", {"tinyxml2.h"}}};
  const auto known = wrapped.find(include.file.parent_path().filename());
  if (known == wrapped.end()) return false;
  return std::any_of(known->second.begin(), known->second.end(),
                     [&](const char* start) { return starts_with(include.name, start); });
}

}  // namespace

TEST_CASE("every plugin exports one symbol") {
  std::vector<fs::path> libraries = files_under(fs::path(TRAMMEL_BUILD_DIR) / "lib/trammel/plugins", {".so"});
  REQUIRE(!libraries.empty());
  libraries.push_back(TRAMMEL_FIXTURES "/good/good.so");
  for (const fs::path& library : libraries) {
    CAPTURE(library.string());
    const ProcessResult symbols = run_process("nm -D --defined-only '" + library.string() + "'");
    CHECK(symbols.code == 0);
    CHECK(std::count(symbols.out.begin(), symbols.out.end(), '\n') == 1);
    CHECK(symbols.out.find(" trammel_plugin\n") != std::string::npos);
  }
}

TEST_CASE("plugins and SDK see what a stranger would: installed headers, Eigen, the standard library") {
  for (const char* folder : {"plugins", "sdk"}) {
    for (const Include& include : includes_under(folder)) {
      CAPTURE(include.file);
      CAPTURE(include.name);
      const bool own = include.quoted && fs::exists(include.file.parent_path() / include.name);
      CHECK((own || starts_with(include.name, "trammel/") || starts_with(include.name, "Eigen/") ||
             starts_with(include.name, "unsupported/Eigen/") || is_standard(include.name) ||
             is_of_wrapped_library(include)));
      if (starts_with(include.name, "trammel/")) {
        CHECK((fs::exists(source / "framework/include" / include.name) ||
               fs::exists(source / "sdk/include" / include.name)));
      }
    }
  }
}

TEST_CASE("the framework does not know the SDK, and its installed headers need only Eigen and the standard library") {
  for (const Include& include : includes_under("framework")) {
    CAPTURE(include.file);
    CAPTURE(include.name);
    CHECK_FALSE(starts_with(include.name, "trammel/sdk"));
    const bool installed = include.file.string().find("/framework/include/") != std::string::npos;
    if (!installed) continue;
    CHECK((starts_with(include.name, "trammel/") || starts_with(include.name, "Eigen/") ||
           starts_with(include.name, "unsupported/Eigen/") || is_standard(include.name)));
  }
}

TEST_CASE("nothing includes upwards") {
  for (const char* folder : {"framework", "sdk", "plugins", "tests"}) {
    for (const Include& include : includes_under(folder)) {
      CAPTURE(include.file);
      CHECK(include.name.find("..") == std::string::npos);
    }
  }
}
