// CsvTable: a table of numbers with a header line, as references and results.csv are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel {

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<double> values;  ///< row by row

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  const double* row(std::size_t i) const { return values.data() + i * columns.size(); }
};

/// Reads comma-separated numbers; lines that start with '#' and empty lines are skipped. Throws Error (input) naming
/// file and line: no header, two columns of one name, a row of another length, something that is no number.
CsvTable read_csv(const std::filesystem::path& file);

}  // namespace trammel
