// results.csv against the values that observers of the run get, formatted here.
#include <doctest/doctest.h>

#include <cstdio>

#include "written_run.h"

using namespace trammel;

namespace {

/// Lines of the rows that observers are told of as output.
class Lines final : public ChannelObserver {
 public:
  void sample(At at, double t, double, ConstVectorView values) override {
    if (at != At::output && at != At::start) return;
    char cell[32];
    std::snprintf(cell, sizeof cell, "%.17g", t);
    text += cell;
    for (Index i = 0; i < values.size; ++i) {
      std::snprintf(cell, sizeof cell, ",%.17g", values[i]);
      text += cell;
    }
    text += '\n';
  }
  std::string text;
};

std::string header_of(const Simulation& simulation) {
  std::string line = "t";
  for (const std::string& name : simulation.channels()) line += "," + name;
  return line + "\n";
}

}  // namespace

TEST_CASE("results.csv holds what observers see, with 17 digits, a line per row") {
  for (const char* name : {"slider_crank", "heavy_top", "bouncing_ball", "actuator_with_lag", "spring_mass",
                           "pendulum_against_stop", "cam_follower"}) {
    for (const char* output : {"output.channels=all", R"(output={"at":"steps"})"}) {
      CAPTURE(name);
      CAPTURE(output);
      const TemporaryFolder folder;
      Simulation simulation(shipped_run(name), {{output}, {built_plugins}});
      CHECK(simulation.row_files() == std::vector<std::string>{"results.csv"});
      Lines lines;
      simulation.watch(simulation.channels(), {}, lines);
      simulation.write_results(folder.path());
      REQUIRE(simulation.run() == RunStatus::completed);
      CHECK(text_of(folder.path() / "results.csv") == header_of(simulation) + lines.text);
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
