// results.csv against the values that observers of the run get, formatted here.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "written_run.h"

using namespace trammel;

namespace {

/// The fewest significant digits that `%.*g` needs to read back to the same bits.
int digits_needed(double value) {
  char cell[32];
  for (int digits = 1;; ++digits) {
    std::snprintf(cell, sizeof cell, "%.*g", digits, value);
    if (digits == 17 || std::strtod(cell, nullptr) == value) return digits;
  }
}

/// Significant digits of a number's text.
int digits_in(const std::string& cell) {
  std::string digits;
  for (const char c : cell.substr(0, cell.find('e'))) {
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  return digits.empty() ? 1 : static_cast<int>(digits.size());
}

/// Values of the rows that observers are told of as output.
class Rows final : public ChannelObserver {
 public:
  void sample(At at, double t, double, ConstVectorView values) override {
    if (at != At::output && at != At::start) return;
    numbers.push_back(t);
    numbers.insert(numbers.end(), values.data, values.data + values.size);
  }
  std::vector<double> numbers;
};

std::string header_of(const Simulation& simulation) {
  std::string line = "t";
  for (const std::string& name : simulation.channels()) line += "," + name;
  return line + "\n";
}

}  // namespace

TEST_CASE("results.csv holds what observers see, in the fewest digits that give the same bits, a line per row") {
  for (const char* name : {"slider_crank", "heavy_top", "bouncing_ball", "actuator_with_lag", "spring_mass",
                           "pendulum_against_stop", "cam_follower"}) {
    for (const char* output : {"output.channels=all", R"(output={"at":"steps"})"}) {
      CAPTURE(name);
      CAPTURE(output);
      const TemporaryFolder folder;
      Simulation simulation(shipped_run(name), {{output}, {built_plugins}});
      CHECK(simulation.row_files() == std::vector<std::string>{"results.csv"});
      Rows rows;
      simulation.watch(simulation.channels(), {}, rows);
      simulation.write_results(folder.path());
      REQUIRE(simulation.run() == RunStatus::completed);
      std::istringstream text(text_of(folder.path() / "results.csv"));
      std::string line, cell;
      REQUIRE(std::getline(text, line));
      CHECK(line + "\n" == header_of(simulation));
      std::size_t k = 0;
      int other_bits = 0, more_digits = 0;
      while (std::getline(text, line)) {
        std::istringstream cells(line);
        std::size_t in_line = 0;
        for (; std::getline(cells, cell, ','); ++k, ++in_line) {
          REQUIRE(k < rows.numbers.size());
          const double value = rows.numbers[k], read = std::strtod(cell.c_str(), nullptr);
          if (std::memcmp(&read, &value, sizeof read) != 0) ++other_bits;
          if (digits_in(cell) > digits_needed(value)) ++more_digits;
        }
        CHECK(in_line == simulation.channels().size() + 1);
      }
      CHECK(k == rows.numbers.size());
      CHECK(other_bits == 0);
      CHECK(more_digits == 0);
    }
  }
}

TEST_CASE("the reader of csv reads the same bits, and whole lines of a file that was cut") {
  const TemporaryFolder folder;
  Simulation simulation(shipped_run("slider_crank"), {{}, {built_plugins}});
  simulation.write_results(folder.path());
  REQUIRE(simulation.run() == RunStatus::completed);
  const std::filesystem::path file = folder.path() / "results.csv";
  const ReadFile read = read_rows("csv", file);
  REQUIRE(read.names.size() == 1 + simulation.channels().size());
  CHECK(read.names[0] == "t");
  CHECK(read.names[1] == simulation.channels()[0]);
  std::vector<double> last;
  for (const std::vector<double>& column : read.columns) last.push_back(column.back());
  CHECK(same_bits(std::vector<double>(last.begin() + 1, last.end()), simulation.channel_values()));
  const std::size_t rows = read.columns[0].size();
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 3);
  CHECK(read_rows("csv", file).columns[0].size() == rows - 1);
}
