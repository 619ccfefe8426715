// Reading tables of numbers.
#include "results/csv_table.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "config/json_source.h"
#include "trammel/error.h"

namespace trammel {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

}  // namespace

CsvTable read_csv(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  CsvTable table;
  int number = 0;
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::input, file.string() + ":" + std::to_string(number) + ": " + what);
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (table.columns.empty()) {
      for (const std::string_view cell : cells) {
        const std::string name(cell);
        if (name.empty()) fail("a column without a name");
        if (std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end()) {
          fail("two columns are called '" + name + "'");
        }
        table.columns.push_back(name);
      }
      continue;
    }
    if (cells.size() != table.columns.size()) {
      fail("has " + std::to_string(cells.size()) + " entries; the header has " + std::to_string(table.columns.size()));
    }
    for (const std::string_view cell : cells) {
      double value = 0;
      const std::string_view digits = !cell.empty() && cell.front() == '+' ? cell.substr(1) : cell;
      const std::from_chars_result read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      // Numbers below the smallest double (references computed with many digits) are zero.
      const bool tiny = digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
      if (read.ec == std::errc::result_out_of_range && tiny)
        value = 0;
      else if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
        fail("'" + std::string(cell) + "' is no number");
      }
      table.values.push_back(value);
    }
  }
  if (table.rows() == 0) throw Error(ErrorKind::input, file.string() + ": holds no rows of numbers");
  return table;
}

}  // namespace trammel
