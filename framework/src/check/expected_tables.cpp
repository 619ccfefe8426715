// Comparing tables cell by cell.
#include "check/expected_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "check/check.h"

namespace trammel::conformance {
namespace {

constexpr double agreement = 1e-8;

using Table = std::vector<std::vector<std::string>>;

Table table_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  require(stream.good(), "{}: there is no such file", file.string());
  Table table;
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string>& row = table.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return table;
}

bool same_cell(const std::string& found, const std::string& expected) {
  if (found == expected) return true;
  char *end_found = nullptr, *end_expected = nullptr;
  const double a = std::strtod(found.c_str(), &end_found), b = std::strtod(expected.c_str(), &end_expected);
  if (found.empty() || expected.empty() || *end_found != 0 || *end_expected != 0) return false;
  return std::abs(a - b) <= agreement * std::max(1.0, std::abs(b));
}

}  // namespace

void require_table(const std::filesystem::path& found, const std::filesystem::path& expected) {
  const Table own = table_of(found), wanted = table_of(expected);
  const std::string name = found.filename().string();
  require(own.size() == wanted.size(), "{} has {} lines; {} were expected, as {} has", name, own.size(), wanted.size(),
          expected.string());
  for (std::size_t i = 0; i < own.size(); ++i) {
    require(own[i].size() == wanted[i].size(), "line {} of {} has {} cells; {} were expected", i + 1, name,
            own[i].size(), wanted[i].size());
    for (std::size_t j = 0; j < own[i].size(); ++j) {
      require(same_cell(own[i][j], wanted[i][j]), "line {}, cell {} of {} is {}; {} was expected", i + 1, j + 1, name,
              own[i][j], wanted[i][j]);
    }
  }
}

}  // namespace trammel::conformance
