// The page of a study: its tables, verdicts and diagrams.
#include <fstream>

#include "report/report.h"
#include "report/scene_reader.h"
#include "trammel/error.h"
#include "version.h"

namespace trammel {

namespace {

ReportJson read_study(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::input, file.string() + ": cannot be read");
  try {
    return ReportJson::parse(stream);
  } catch (const ReportJson::exception&) {
    throw Error(ErrorKind::input, file.string() + ": is damaged: no valid JSON; a new run of the study replaces it");
  }
}

}  // namespace

std::size_t write_case_reports(const std::filesystem::path& folder) {
  std::size_t written = 0;
  const ReportJson study = read_study(folder / "study.json");
  const ReportJson* cases = member(study, "cases");
  for (const ReportJson& one : cases == nullptr ? ReportJson::array() : *cases) {
    const std::filesystem::path place = folder / text_of(one, "folder");
    if (!std::filesystem::exists(place / "results.csv") || text_of(one, "folder").empty()) continue;
    write_report(place);
    ++written;
  }
  return written;
}

Page study_page(const std::filesystem::path& folder) {
  Page page;
  ReportJson study = read_study(folder / "study.json");
  page.title = text_of(study, "title");
  if (page.title.empty()) page.title = std::filesystem::weakly_canonical(folder).filename().string();
  if (study.contains("cases")) {
    for (ReportJson& one : study["cases"]) {
      const std::string report = text_of(one, "folder") + "/report.html";
      if (std::filesystem::exists(folder / report)) one["report"] = report;
    }
  }
  page.content = {
      {"kind", "study"}, {"generator", std::string("trammel ") + version()}, {"title", page.title}, {"study", study}};
  return page;
}

}  // namespace trammel
