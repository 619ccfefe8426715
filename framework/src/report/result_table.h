// results.csv as a report reads it: every column for itself, an unfinished last row left out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct ResultTable {
  std::vector<std::string> columns;
  std::size_t rows = 0;
  std::vector<double> values;  ///< column by column
  bool cut = false;            ///< the file ends within a row: the run was killed

  const double* column(std::size_t i) const { return values.data() + i * rows; }
  /// Position of a column, or -1.
  std::ptrdiff_t find(std::string_view name) const;
};

/// Reads a table of numbers as `trammel run` writes it (also `nan` and `inf`; files of any size). A file with a header
/// only has no rows. Throws Error (input) naming file and line: unreadable, empty, something that is no number.
ResultTable read_results(const std::filesystem::path& file);

}  // namespace trammel
