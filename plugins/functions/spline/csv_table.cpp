// CSV reading for the spline table: strict about what it takes for a number, with file and line in every message.
#include "csv_table.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel::spline {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0;;) {
    const std::size_t comma = line.find(',', at);
    cells.push_back(trimmed(line.substr(at, comma - at)));
    if (comma == std::string_view::npos) return cells;
    at = comma + 1;
  }
}

bool number(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
}

class Reader {
 public:
  Reader(const Text& file, const Text& x_column, const Text& y_column) : name_(file.view()), in_(name_) {
    if (!in_) throw Error::parameter("file", "the file " + name_ + " cannot be read");
    column_names_[0] = x_column, column_names_[1] = y_column;
  }

  Points run() {
    Points points;
    bool first = true;
    for (std::string line; std::getline(in_, line);) {
      ++line_;
      const std::string_view text = trimmed(line);
      if (text.empty() || text.front() == '#') continue;
      const std::vector<std::string_view> cells = split(line);
      if (cells.size() == 1) refuse_separator(text);
      double ignored = 0;
      const bool header = first && !number(cells[0], ignored);
      if (first) choose_columns(cells, header);
      first = false;
      if (header) continue;
      points.x.push_back(cell(cells, columns_[0]));
      points.y.push_back(cell(cells, columns_[1]));
    }
    return points;
  }

 private:
  void choose_columns(const std::vector<std::string_view>& cells, bool header) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (!column_names_[k].given()) continue;
      const char* const key = k == 0 ? "x_column" : "y_column";
      if (!header) throw Error::parameter(key, name_ + " has no header row, so its columns have no names");
      std::size_t at = 0;
      while (at < cells.size() && cells[at] != column_names_[k].view()) ++at;
      if (at == cells.size()) {
        const std::string wanted(column_names_[k].view());
        throw Error::parameter(key, name_ + " has no column '" + wanted + "'" +
                                        did_you_mean(wanted, std::vector<std::string>(cells.begin(), cells.end())));
      }
      columns_[k] = at;
    }
  }

  void refuse_separator(std::string_view text) const {
    for (const char other : {';', '\t'}) {
      if (text.find(other) != std::string_view::npos) {
        fail(std::string("columns are separated by commas, not by ") + (other == ';' ? "';'" : "tabs"));
      }
    }
  }

  double cell(const std::vector<std::string_view>& cells, std::size_t column) const {
    if (column >= cells.size()) {
      fail("has " + std::to_string(cells.size()) + (cells.size() == 1 ? " column" : " columns") + ", column " +
           std::to_string(column + 1) + " is needed");
    }
    double value = 0;
    if (!number(cells[column], value))
      fail(cells[column].empty() ? "a cell is empty; leave the row out, or write its number"
                                 : "'" + std::string(cells[column]) + "' is not a number");
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error::parameter("file", name_ + ":" + std::to_string(line_) + ": " + what);
  }

  std::string name_;
  std::ifstream in_;
  int line_ = 0;
  Text column_names_[2];
  std::size_t columns_[2] = {0, 1};
};

}  // namespace

Points read_csv(const Text& file, const Text& x_column, const Text& y_column) {
  return Reader(file, x_column, y_column).run();
}

}  // namespace trammel::spline
