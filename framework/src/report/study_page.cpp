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

/// Units of the columns of a case that wrote a summary, or nothing.
ReportJson columns_of(const std::filesystem::path& folder, const ReportJson& study) {
  const ReportJson* cases = member(study, "cases");
  for (const ReportJson& one : cases == nullptr ? ReportJson::array() : *cases) {
    std::ifstream stream(folder / text_of(one, "folder") / "summary.json", std::ios::binary);
    if (text_of(one, "folder").empty() || !stream) continue;
    const ReportJson summary = ReportJson::parse(stream, nullptr, false);
    const ReportJson* columns = summary.is_object() ? member(summary, "columns") : nullptr;
    if (columns != nullptr && columns->is_object()) return *columns;
  }
  return ReportJson::object();
}

/// SI units of metrics, of those that have the unit of their channel, or one of their own. A formula has none but where it
/// is the absolute value of a channel.
ReportJson units_of_metrics(const std::filesystem::path& folder, const ReportJson& study) {
  ReportJson units = ReportJson::object();
  const ReportJson* metrics = member(study, "metrics");
  if (metrics == nullptr || !metrics->is_object()) return units;
  const ReportJson columns = columns_of(folder, study);
  for (const auto& [name, metric] : metrics->items()) {
    const std::string type = text_of(metric, "type");
    std::string channel = text_of(metric, "channel");
    if (channel.rfind("=abs(", 0) == 0 && channel.find(')') + 1 == channel.size())
      channel = channel.substr(5, channel.size() - 6);
    const bool of_channel =
        type == "final_value" || type == "max" || type == "min" || type == "mean" || type == "rms" || type == "drift";
    const std::string unit = text_of(columns, channel.c_str());
    if (of_channel && !unit.empty()) units[name] = unit;
    if (type == "cpu_time") units[name] = "s";
    if (type == "energy_drift") units[name] = "J";
    if (type == "max" || type == "min" || type == "drift" || type == "energy_drift") units[name + ".time"] = "s";
  }
  return units;
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
  study["units"] = units_of_metrics(folder, study);
  page.content = {
      {"kind", "study"}, {"generator", std::string("trammel ") + version()}, {"title", page.title}, {"study", study}};
  return page;
}

}  // namespace trammel
