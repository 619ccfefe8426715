// results.h5 against results.csv of the same run, which another code writes.
#include <doctest/doctest.h>

#include "written_run.h"

using namespace trammel;

namespace {

constexpr const char* both = R"(output.writers=["csv",{"type":"hdf5","block_rows":64}])";
constexpr const char* compressed = R"(output.writers=["csv",{"type":"hdf5","compression":6,"flush_interval":0.001}])";

void require_same_rows(const std::filesystem::path& folder) {
  const ReadFile text = read_rows("csv", folder / "results.csv"), columns = read_rows("hdf5", folder / "results.h5");
  REQUIRE(text.names == columns.names);
  for (std::size_t k = 0; k < text.names.size(); ++k) {
    CAPTURE(text.names[k]);
    CHECK(same_bits(text.columns[k], columns.columns[k]));
  }
}

}  // namespace

TEST_CASE("both files of a run hold the same bits, and results.csv is what it is alone") {
  for (const char* name : {"slider_crank", "heavy_top", "bouncing_ball", "pendulum_against_stop", "quick_return",
                           "assemble_four_bar", "balanced_lamp", "three_masses_modes"}) {
    for (const char* writers : {both, compressed}) {
      CAPTURE(name);
      CAPTURE(writers);
      const TemporaryFolder alone, together;
      Simulation plain(shipped_run(name), {{}, {built_plugins}});
      plain.write_results(alone.path());
      REQUIRE(plain.run() == RunStatus::completed);
      Simulation simulation(shipped_run(name), {{writers}, {built_plugins}});
      CHECK(simulation.row_files() == std::vector<std::string>{"results.csv", "results.h5"});
      simulation.write_results(together.path());
      REQUIRE(simulation.run() == RunStatus::completed);
      CHECK(text_of(together.path() / "results.csv") == text_of(alone.path() / "results.csv"));
      require_same_rows(together.path());
    }
  }
}

TEST_CASE("units in results.h5 are those that the columns declare") {
  const TemporaryFolder folder;
  Simulation simulation(shipped_run("slider_crank"),
                        {{both, R"(output.channels=["crank","energy.total"])"}, {built_plugins}});
  simulation.write_results(folder.path());
  REQUIRE(simulation.run() == RunStatus::completed);
  const ReadFile read = read_rows("hdf5", folder.path() / "results.h5");
  const auto unit = [&](const std::string& name) {
    for (std::size_t k = 0; k < read.names.size(); ++k) {
      if (read.names[k] == name) return read.units[k];
    }
    return "no column " + name;
  };
  CHECK(unit("t") == "s");
  CHECK(unit("crank.x") == "m");
  CHECK(unit("crank.e0") == "1");
  CHECK(unit("crank.wz") == "rad/s");
  CHECK(unit("energy.total") == "J");
}

TEST_CASE("a run that goes on after it was finished goes on with both files") {
  const TemporaryFolder whole, parts;
  Simulation once(shipped_run("slider_crank"), {{both}, {built_plugins}});
  once.write_results(whole.path());
  REQUIRE(once.run() == RunStatus::completed);
  Simulation simulation(shipped_run("slider_crank"), {{both}, {built_plugins}});
  simulation.write_results(parts.path());
  const double end = simulation.end_time();
  for (int part = 1; part < 4; ++part) {
    REQUIRE(simulation.advance_to(end * part / 4));
    CHECK(simulation.finish() == RunStatus::interrupted);
    require_same_rows(parts.path());
  }
  CHECK(simulation.run() == RunStatus::completed);
  CHECK(text_of(parts.path() / "results.csv") == text_of(whole.path() / "results.csv"));
  require_same_rows(parts.path());
}

TEST_CASE("two simulations of one program write side by side") {
  const TemporaryFolder one, two;
  Simulation first(shipped_run("slider_crank"), {{both}, {built_plugins}});
  Simulation second(shipped_run("heavy_top"), {{both}, {built_plugins}});
  first.write_results(one.path());
  second.write_results(two.path());
  for (int i = 0; i < 200; ++i) first.step(), second.step();
  CHECK(first.finish() != RunStatus::failed);
  CHECK(second.finish() != RunStatus::failed);
  require_same_rows(one.path());
  require_same_rows(two.path());
}

TEST_CASE("a program that ends a simulation without finishing it leaves the rows") {
  const TemporaryFolder folder;
  {
    Simulation simulation(shipped_run("slider_crank"), {{both}, {built_plugins}});
    simulation.write_results(folder.path());
    for (int i = 0; i < 100; ++i) simulation.step();
  }
  require_same_rows(folder.path());
}
