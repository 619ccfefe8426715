// Comparing files cell by cell, word by word, and diagrams with their points.
#include "check/expected_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/picture.h"
#include "config/json_source.h"

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

/// Words, and what stands between them, so that numbers are compared as numbers.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool separates = std::string_view(" \t\n,;:()[]{}='\"").find(c) != std::string_view::npos;
    if (separates || !inside) words.emplace_back();
    words.back() += c;
    inside = !separates;
  }
  return words;
}

void require_text(const std::filesystem::path& found, const std::filesystem::path& expected) {
  const std::vector<std::string> own = words_of(read_text_file(found)), wanted = words_of(read_text_file(expected));
  int line = 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    require(i < own.size() && same_cell(own[i], wanted[i]), "line {} of {} has '{}'; '{}' was expected", line,
            found.filename().string(), i < own.size() ? own[i] : "", wanted[i]);
    line += wanted[i] == "\n";
  }
  require(own.size() == wanted.size(), "{} has more than was expected", found.filename().string());
}

double number_of(const std::string& cell, const std::filesystem::path& file) {
  char* end = nullptr;
  const double x = std::strtod(cell.c_str(), &end);
  require(!cell.empty() && *end == 0, "{}: '{}' is no number", file.filename().string(), cell);
  return x;
}

/// Whether the curve has a point there, to half a pixel.
bool passes(const PictureFrame& frame, const PictureCurve& curve, double x, double y) {
  constexpr double near = 0.5;
  for (const bool log_x : {false, true}) {
    for (const bool log_y : {false, true}) {
      if (log_x ? !frame.x.logarithmic(0.1) : !frame.x.linear(0.1)) continue;
      if (log_y ? !frame.y.logarithmic(0.1) : !frame.y.linear(0.1)) continue;
      const auto at_x = frame.x.place(x, log_x), at_y = frame.y.place(y, log_y);
      if (!at_x || !at_y) continue;
      for (const auto& [px, py] : curve.points) {
        if (std::abs(px - *at_x) < near && std::abs(py - *at_y) < near) return true;
      }
    }
  }
  return false;
}

void require_points(const std::filesystem::path& found, const std::filesystem::path& expected) {
  const std::vector<PictureFrame> frames = frames_of(read_text_file(found));
  const std::string name = found.filename().string();
  const Table wanted = table_of(expected);
  std::map<std::pair<std::size_t, char>, std::vector<double>> ticks;
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    require(wanted[i].size() >= 3, "{}: three or four cells were expected in line {}", expected.filename().string(),
            i + 1);
    const auto number = static_cast<std::size_t>(number_of(wanted[i][0], expected));
    require(number >= 1 && number <= frames.size(), "{} has {} frames", name, frames.size());
    const PictureFrame& frame = frames[number - 1];
    if (wanted[i][1].starts_with("ticks of ")) {
      ticks[{number, wanted[i][1].back()}].push_back(number_of(wanted[i][2], expected));
      continue;
    }
    const auto curve = std::find_if(frame.curves.begin(), frame.curves.end(),
                                    [&](const PictureCurve& one) { return one.name == wanted[i][1]; });
    require(curve != frame.curves.end(), "frame {} of {} has no curve '{}'", number, name, wanted[i][1]);
    require(passes(frame, *curve, number_of(wanted[i][2], expected), number_of(wanted[i][3], expected)),
            "the curve '{}' in frame {} of {} does not pass ({}, {}) by the labels of the axes", curve->name, number,
            name, wanted[i][2], wanted[i][3]);
  }
  for (auto& [which, values] : ticks) {
    const PictureFrame& frame = frames[which.first - 1];
    std::vector<double> found = which.second == 'x' ? frame.x.values : frame.y.values;
    std::sort(found.begin(), found.end()), std::sort(values.begin(), values.end());
    require(found.size() == values.size() &&
                std::equal(found.begin(), found.end(), values.begin(),
                           [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }),
            "the ticks of {} in frame {} of {} are at {}; {} were expected", which.second, which.first, name,
            fmt::join(found, ", "), fmt::join(values, ", "));
  }
}

}  // namespace

void require_contents(const Node& found, const Node& wanted, double agreement, const std::string& path) {
  if (wanted.is_object()) {
    require(found.is_object(), "{} is {}; an object was expected", path, describe(found));
    for (const Member& member : wanted.members) {
      const Node* value = found.find(member.key);
      const std::string place = path + "/" + member.key;
      if (member.value.kind == Node::Kind::null) {
        require(value == nullptr, "{} was not expected", place);
        continue;
      }
      require(value != nullptr, "{} is missing", place);
      require_contents(*value, member.value, agreement, place);
    }
  } else if (wanted.is_array()) {
    require(found.is_array() && found.items.size() == wanted.items.size(), "{} is {}; {} entries were expected", path,
            to_json(found), wanted.items.size());
    for (std::size_t i = 0; i < wanted.items.size(); ++i)
      require_contents(found.items[i], wanted.items[i], agreement, path + "/" + std::to_string(i));
  } else if (wanted.is_number()) {
    require(found.is_number() &&
                std::abs(found.number - wanted.number) <= agreement * std::max(1.0, std::abs(wanted.number)),
            "{} is {}; {} was expected", path, to_json(found), to_json(wanted));
  } else {
    require(to_json(found) == to_json(wanted), "{} is {}; {} was expected", path, to_json(found), to_json(wanted));
  }
}

std::filesystem::path file_of_results(const std::filesystem::path& expected) {
  const std::filesystem::path name = expected.filename();
  return name.stem().extension() == ".svg" ? name.stem() : name;
}

void require_file(const std::filesystem::path& found, const std::filesystem::path& expected) {
  const std::filesystem::path name = expected.filename();
  if (name.stem().extension() == ".svg")
    require_points(found, expected);
  else if (name.extension() == ".csv")
    require_table(found, expected);
  else if (name.extension() == ".json")
    require_contents(read_json_file(found), read_json_file(expected), agreement, found.filename().string() + ": ");
  else
    require_text(found, expected);
}

}  // namespace trammel::conformance
