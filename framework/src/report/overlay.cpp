// Reading what is laid over a run's diagrams.
#include <algorithm>
#include <cctype>

#include "report/report.h"
#include "report/scene_reader.h"
#include "results/csv_table.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

/// "seat (m/s^2)" and "seat [m/s^2]" are the column seat in m/s^2.
void take_unit(std::string& column, ReportJson& units) {
  if (column.empty() || (column.back() != ')' && column.back() != ']')) return;
  const std::size_t open = column.find_last_of(column.back() == ')' ? '(' : '[');
  if (open == std::string::npos || open == 0) return;
  const std::string unit = column.substr(open + 1, column.size() - open - 2);
  column.erase(open);
  while (!column.empty() && std::isspace(static_cast<unsigned char>(column.back())) != 0) column.pop_back();
  units[column] = unit;
}

/// Columns side by side; the first is the time unless another is called t.
Overlay measured(const fs::path& file) {
  const CsvTable read = read_csv(file);
  Overlay overlay{file.stem().string(), {}, ReportJson::object()};
  ResultTable& table = overlay.table;
  table.rows = read.rows();
  for (std::size_t c = 0; c < read.columns.size(); ++c) {
    table.columns.push_back(read.columns[c]);
    take_unit(table.columns.back(), overlay.units);
    for (std::size_t row = 0; row < table.rows; ++row) table.values.push_back(read.row(row)[c]);
  }
  if (table.columns.size() < 2 || table.rows < 2) {
    throw Error(ErrorKind::input, file.string() +
                                      ": has no time and channel to lay over; a header line with at least "
                                      "two columns and two rows of numbers were expected");
  }
  const std::ptrdiff_t time = std::max<std::ptrdiff_t>(0, table.find("t"));
  const double* t = table.column(static_cast<std::size_t>(time));
  if (!std::is_sorted(t, t + table.rows)) {
    throw Error(ErrorKind::input, file.string() + ": the time in column '" +
                                      table.columns[static_cast<std::size_t>(time)] + "' does not ascend");
  }
  return overlay;
}

}  // namespace

Overlay read_overlay(const fs::path& place) {
  if (!fs::is_directory(place)) return measured(place);
  RunResults results = read_run(place);
  Overlay overlay{fs::weakly_canonical(place).filename().string(), std::move(results.table), ReportJson::object()};
  if (const ReportJson* units = member(results.summary, "columns")) overlay.units = *units;
  return overlay;
}

}  // namespace trammel
