// The page of a run: what happened, how it moved, every channel.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "report/report.h"
#include "report/run_content.h"
#include "report/scene.h"
#include "report/scene_reader.h"
#include "results/atomic_file.h"
#include "results/readable_rows.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

ReportJson read_json(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::input, file.string() + ": cannot be read");
  try {
    return ReportJson::parse(stream);
  } catch (const ReportJson::exception&) {
    throw Error(ErrorKind::input,
                file.string() + ": is damaged: no valid JSON; run again, or remove it to see the rows alone");
  }
}

/// A CSV file of texts and numbers as it stands, cells trimmed of nothing: events.csv has no quotes.
ReportJson text_rows(const fs::path& file, std::size_t limit) {
  std::ifstream stream(file);
  ReportJson rows = ReportJson::array();
  std::string line;
  while (rows.size() < limit && std::getline(stream, line)) {
    ReportJson row = ReportJson::array();
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      row.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// How the page speaks of the rounding it was given.
std::string rounding_note(const ColumnBlock& block, const ResultTable& table) {
  Coding coarsest = Coding::float64;
  for (const PackedColumn& c : block.columns) coarsest = std::max(coarsest, c.coding);
  std::string text = block.stride == 1
                         ? fmt::format("All {} rows of results.csv are in this page", table.rows)
                         : fmt::format("{} of the {} rows of results.csv are in this page, every {}th and the last",
                                       block.rows, table.rows, block.stride);
  if (coarsest == Coding::float64) return text + ", with all digits.";
  if (coarsest == Coding::float32) return text + ", rounded to 24 bits (relative error up to 6e-8).";
  return text +
         ", each column in 65535 steps over its range (error up to 7.7e-6 of the range); time, energies, constraint "
         "errors and step size with all digits.";
}

/// Day and time of a file, UTC.
std::string date_of(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return "";
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(info.st_mtime));
}

ReportJson planar_model() { return {{"host", "planar"}, {"coordinates", {{"x", "m"}, {"y", "m"}, {"phi", "rad"}}}}; }

ReportJson spatial_model() {
  return {{"host", "spatial"},
          {"coordinates", {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"e0", "1"}, {"e1", "1"}, {"e2", "1"}, {"e3", "1"}}}};
}

}  // namespace

RowsAlone model_of_columns(const ResultTable& table) {
  RowsAlone alone;
  alone.run["system"]["bodies"] = ReportJson::object();
  for (const std::string& column : table.columns) {
    const std::size_t dot = column.rfind('.');
    const std::string rest = dot == std::string::npos ? "" : column.substr(dot + 1);
    if (rest != "phi" && rest != "e0") continue;
    alone.model = rest == "phi" ? planar_model() : spatial_model();
    alone.run["system"]["bodies"][column.substr(0, dot)] = ReportJson::object();
  }
  return alone;
}

Scene scene_of(const RunResults& results) {
  const RowsAlone alone = model_of_columns(results.table);
  const ReportJson* run = member(results.summary, "run");
  const ReportJson* model = member(results.summary, "model");
  const ReportJson* drawing = member(results.summary, "drawing");
  return make_scene(run != nullptr ? *run : alone.run, model != nullptr ? *model : alone.model,
                    drawing != nullptr ? *drawing : ReportJson());
}

RunResults read_run(const fs::path& folder) {
  RunResults results;
  const bool has_summary = fs::exists(folder / "summary.json"), has_table = fs::exists(folder / "results.csv");
  if (!has_summary && !has_table) {
    throw Error(ErrorKind::input,
                folder.string() + ": holds no results: neither results.csv nor summary.json nor study.json");
  }
  readable_rows(folder, "a report");
  if (has_summary) {
    results.summary = read_json(folder / "summary.json");
    results.title = text_of(results.summary, "title");
  }
  if (has_table) results.table = read_results(folder / "results.csv");
  if (results.title.empty()) results.title = fs::weakly_canonical(folder).filename().string();
  return results;
}

Page run_page(const fs::path& folder, const std::vector<Overlay>& overlays, std::size_t budget) {
  RunResults results = read_run(folder);
  Page page;
  page.title = results.title;
  ReportJson& content = page.content;
  content = run_content(results);
  content["date"] = date_of(folder / (fs::exists(folder / "summary.json") ? "summary.json" : "results.csv"));

  fs::path shapes_file = folder / "mode_shapes.csv";
  const bool modes = fs::exists(folder / "modes.csv") && fs::exists(shapes_file);
  const std::size_t share = budget / (1 + (modes ? 1 : 0) + overlays.size());
  const ColumnBlock block = pack_columns(results.table, share);
  content["data"] = block_json(block, results.table);
  content["data"]["cut"] = results.table.cut;
  content["data"]["note"] = rounding_note(block, results.table);
  page.blocks.emplace_back("data", base64(block.bytes));
  if (modes) {
    const ResultTable shapes = read_results(shapes_file);
    const ColumnBlock packed = pack_columns(shapes, share);
    content["modes"] = {{"table", text_rows(folder / "modes.csv", 10000)}, {"shapes", block_json(packed, shapes)}};
    page.blocks.emplace_back("mode_shapes", base64(packed.bytes));
  }
  for (const Overlay& overlay : overlays) {
    const ColumnBlock packed = pack_columns(overlay.table, share);
    const std::string id = fmt::format("overlay{}", page.blocks.size());
    content["overlays"].push_back(
        {{"name", overlay.name}, {"data", block_json(packed, overlay.table)}, {"id", id}, {"units", overlay.units}});
    page.blocks.emplace_back(id, base64(packed.bytes));
  }
  if (const fs::path picture = folder / "bode.svg"; fs::exists(picture)) {
    std::ifstream stream(picture, std::ios::binary);
    content["bode"] = base64({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  }
  if (fs::exists(folder / "events.csv")) content["events"] = text_rows(folder / "events.csv", 2000);
  return page;
}

fs::path write_report(const fs::path& folder, const std::vector<fs::path>& overlays) {
  require_viewer();
  const fs::path file = folder / "report.html";
  const bool study = fs::exists(folder / "study.json");
  if (study && !overlays.empty()) {
    throw Error(ErrorKind::usage, folder.string() +
                                      ": holds a study; overlays go with the page of a run, such as that "
                                      "of a case in " +
                                      (folder / "cases").string());
  }
  std::vector<Overlay> read;
  for (const fs::path& overlay : overlays) read.push_back(read_overlay(overlay));
  try {
    write_atomically(file, page_html(study ? study_page(folder) : run_page(folder, read)));
  } catch (const ReportJson::exception&) {  // JSON, but not what was written there
    throw Error(ErrorKind::input, (folder / (study ? "study.json" : "summary.json")).string() +
                                      ": is damaged: a part is of another kind than Trammel writes");
  }
  return file;
}

}  // namespace trammel
