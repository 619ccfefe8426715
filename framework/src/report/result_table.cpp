// Reading results.csv.
#include "report/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "trammel/error.h"

namespace trammel {
namespace {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) throw Error(ErrorKind::input, file.string() + ": cannot be read");
  std::string text(static_cast<std::size_t>(stream.tellg()), '\0');
  stream.seekg(0);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) throw Error(ErrorKind::input, file.string() + ": cannot be read");
  return text;
}

std::vector<std::string> header_of(std::string_view line) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    names.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

std::ptrdiff_t ResultTable::find(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : found - columns.begin();
}

ResultTable read_results(const std::filesystem::path& file) {
  const std::string text = read_whole(file);
  const std::size_t header_end = text.find('\n');
  if (header_end == std::string::npos) throw Error(ErrorKind::input, file.string() + ":1: holds no header line");
  ResultTable table;
  table.columns = header_of(std::string_view(text).substr(0, header_end));
  table.cut = text.back() != '\n';
  table.rows = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
  table.values.resize(table.columns.size() * table.rows);

  const char* at = text.data() + header_end + 1;
  const char* const end = text.data() + text.size();
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      double& value = table.values[column * table.rows + row];
      const std::from_chars_result read = std::from_chars(at, end, value);
      const char expected = column + 1 == table.columns.size() ? '\n' : ',';
      if (read.ptr == end || *read.ptr != expected ||
          (read.ec != std::errc() && read.ec != std::errc::result_out_of_range)) {
        throw Error(ErrorKind::input,
                    fmt::format("{}:{}: column {} ('{}') holds no number, or the row has not {} entries", file.string(),
                                row + 2, column + 1, table.columns[column], table.columns.size()));
      }
      at = read.ptr + 1;
    }
  }
  return table;
}

}  // namespace trammel
