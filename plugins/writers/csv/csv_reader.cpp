// Whole lines of a CSV file.
#include "csv_reader.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "trammel/error.h"

namespace trammel {
namespace {

std::vector<std::string_view> csv_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    cells.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  cells.push_back(line);
  return cells;
}

}  // namespace

void CsvReader::open(const std::string& file) {
  names_.clear(), values_.clear();
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  if (!stream || !(content << stream.rdbuf()))
    throw Error(ErrorKind::input, std::string("cannot be read: ") + std::strerror(errno));
  const std::string text = content.str();
  std::string_view rest = text;
  std::vector<std::string> names;
  for (long number = 1; rest.find('\n') != std::string_view::npos; ++number) {
    const std::size_t end = rest.find('\n');
    const std::vector<std::string_view> cells = csv_cells(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (number == 1) {
      names.assign(cells.begin(), cells.end());
      continue;
    }
    if (cells.size() != names.size()) {
      throw Error(ErrorKind::input, "line " + std::to_string(number) + " has " + std::to_string(cells.size()) +
                                        " entries; the header has " + std::to_string(names.size()));
    }
    for (const std::string_view cell : cells) {
      double value = 0;
      const std::from_chars_result read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (read.ec != std::errc() || read.ptr != cell.data() + cell.size()) {
        throw Error(ErrorKind::input, "line " + std::to_string(number) + ": '" + std::string(cell) + "' is no number");
      }
      values_.push_back(value);
    }
  }
  if (names.empty()) throw Error(ErrorKind::input, "holds no header line");
  names_ = std::move(names);
}

}  // namespace trammel
