// The page of a study: its tables, verdicts and diagrams.
#include <fstream>

#include "report/report.h"
#include "report/scene_reader.h"
#include "trammel/error.h"
#include "version.h"

namespace trammel {

Page study_page(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "study.json";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::input, file.string() + ": cannot be read");
  Page page;
  ReportJson study;
  try {
    study = ReportJson::parse(stream);
  } catch (const ReportJson::exception&) {
    throw Error(ErrorKind::input, file.string() + ": is damaged: no valid JSON; a new run of the study replaces it");
  }
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
