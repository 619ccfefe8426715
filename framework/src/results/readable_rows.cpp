// Readers of rows know one format, and say so where a run wrote others only.
#include "results/readable_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trammel/error.h"

namespace trammel {
namespace {

constexpr const char* readable = "results.csv";

}  // namespace

void require_readable_rows(const std::vector<std::string>& files, const std::string& run, const std::string& reader) {
  if (files.empty() || std::find(files.begin(), files.end(), readable) != files.end()) return;
  throw Error(
      ErrorKind::input,
      fmt::format("{}: {} reads {}, and the run's rows are in {} only; add \"csv\" to the writers of the output", run,
                  reader, readable, fmt::join(files, ", ")));
}

std::filesystem::path readable_rows(const std::filesystem::path& folder, const std::string& reader) {
  const std::filesystem::path rows = folder / readable;
  std::error_code error;
  if (std::filesystem::exists(rows, error)) return rows;
  std::ifstream stream(folder / "summary.json");
  const nlohmann::json summary = nlohmann::json::parse(stream, nullptr, false);
  std::vector<std::string> files;
  if (summary.is_object() && summary.contains("files") && summary["files"].is_array()) {
    for (const nlohmann::json& file : summary["files"])
      files.push_back(file.is_string() ? file.get<std::string>() : "");
  }
  require_readable_rows(files, folder.string(), reader);
  return rows;
}

}  // namespace trammel
