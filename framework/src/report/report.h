// Reports: report.html beside the results of a run or a study.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/column_block.h"
#include "report/page.h"
#include "report/result_table.h"
#include "report/scene.h"

namespace trammel {

/// What is left of a run in its folder.
struct RunResults {
  ReportJson summary;  ///< null: there is none, the run was killed
  ResultTable table;   ///< without columns: there is none
  std::string title;
};

/// Reads summary.json and results.csv. Throws Error (input): neither is there, or one cannot be read.
RunResults read_run(const std::filesystem::path& folder);

/// What rows without a summary's declarations show: bodies that have the columns of the built-in systems.
struct RowsAlone {
  ReportJson run, model;  ///< as in a summary
};
RowsAlone model_of_columns(const ResultTable& table);

/// What the run looks like; without a summary (killed runs), or without its `model`, only its bodies.
Scene scene_of(const RunResults& results);

/// Another run, or a measured table, over the diagrams of a run.
struct Overlay {
  std::string name;
  ResultTable table;
  ReportJson units;  ///< by column, as far as they are known
};
/// Of a folder of `trammel run`, or of a CSV file of numbers with a header. Throws Error (input): neither, or one that
/// cannot be read.
Overlay read_overlay(const std::filesystem::path& place);

/// Writes `report.html` into a folder of `trammel run` or `trammel study` and returns its path. Throws Error: the
/// folder holds no results (input), the viewer was not built (plugin), the page cannot be written (compute), overlays
/// of a study (usage).
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<std::filesystem::path>& overlays = {});

/// Writes the report of every case of the study in `folder` that left results, so that the study's page leads to them;
/// returns how many. Throws Error (input): there is no study, or results of a case cannot be read.
std::size_t write_case_reports(const std::filesystem::path& folder);

/// The page of a run; `budget` as in pack_columns.
Page run_page(const std::filesystem::path& folder, const std::vector<Overlay>& overlays = {},
              std::size_t budget = report_budget);
Page study_page(const std::filesystem::path& folder);

}  // namespace trammel
