// Driving a run: to wanted times, step by step, with results written all the same.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "embedded.h"
#include "refusal.h"

using namespace trammel;

namespace {

const char* const runs[] = {"slider_crank", "heavy_top", "bouncing_ball", "actuator_with_lag", "pendulum_against_stop"};

RunDescription oscillator(const char* integrator) {
  RunDescription made;  // x = 0.3 cos(5 t) about x = 1
  made.system("planar");
  made.add_body("mass").mass(2).inertia(1).position({1.3, 0});
  made.add_constraint("rail", "translational", {"ground", "mass"}).set("at", {1, 0}).set("axis", {1, 0});
  made.add_force("spring", "tsda", {"ground", "mass"}).set("stiffness", 50).set("free_length", 1);
  made.analysis("dynamics").set("duration", 2);
  made.formulation("projection");
  made.set("integrator", Value::json(integrator));
  return made;
}

}  // namespace

TEST_CASE("dense output: times between steps change nothing, and show what results.csv has there") {
  for (const char* name : runs) {
    CAPTURE(name);
    const TemporaryFolder folder;
    Simulation plain(example(name), options());
    plain.write_results(folder.path() / "plain");
    REQUIRE(plain.run() == RunStatus::completed);
    Simulation driven(example(name), options());
    driven.write_results(folder.path() / "driven");
    const double end = driven.end_time();
    for (int i = 1; i <= 97; ++i) {
      if (!driven.advance_to(end * i / 97)) break;
      CHECK(driven.time() == doctest::Approx(end * i / 97).epsilon(1e-13));
    }
    while (driven.step()) {
    }
    CHECK(driven.finish() == RunStatus::completed);
    CHECK(text_of(folder.path() / "driven/results.csv") == text_of(folder.path() / "plain/results.csv"));
    CHECK(text_of(folder.path() / "driven/events.csv") == text_of(folder.path() / "plain/events.csv"));
    CHECK(same_bits(whole_state(driven), whole_state(plain)));
  }
}

TEST_CASE("the state shown is the row of results.csv of that time") {
  const TemporaryFolder folder;
  Simulation simulation(example("slider_crank"), options());
  simulation.write_results(folder.path());
  std::vector<std::vector<double>> rows;
  for (int i = 1; i <= 5; ++i) {
    REQUIRE(simulation.advance_to(i * 0.01));
    rows.push_back(simulation.channel_values());
  }
  simulation.finish();
  std::istringstream all(text_of(folder.path() / "results.csv"));
  std::string line, cell;
  for (int skipped = 0; skipped < 2; ++skipped) std::getline(all, line);  // the header and the initial state
  for (const std::vector<double>& row : rows) {
    REQUIRE(std::getline(all, line));
    std::istringstream cells(line);
    std::getline(cells, cell, ',');  // t
    std::vector<double> read;
    while (std::getline(cells, cell, ',')) read.push_back(std::strtod(cell.c_str(), nullptr));
    CHECK(read == row);
  }
}

TEST_CASE("landing: steps end at the times asked for, as exact as the method is") {
  for (const char* integrator : {R"({"type":"dopri853","rtol":1e-11,"atol":1e-12})", R"({"type":"rk4","step":0.001})",
                                 R"({"type":"adams","order":11,"control":"haug","rtol":1e-11,"atol":1e-12})",
                                 R"({"type":"ddeabm","rtol":1e-11,"atol":1e-12})"}) {
    CAPTURE(integrator);
    Simulation simulation(oscillator(integrator), options());
    for (int i = 1; i <= 40; ++i) {
      const double t = 0.0437 * i;
      REQUIRE(simulation.advance_to(t, Landing::step_end));
      CHECK(simulation.time() == doctest::Approx(t).epsilon(1e-13));
      CHECK(std::abs(simulation.positions()[0] - 1 - 0.3 * std::cos(5 * t)) <
            1e-8);  // 1e-9 of rk4, 40 starts of the others
    }
  }
}

TEST_CASE("landing shortens one step and no other") {
  const char* const integrator = R"({"type":"dopri5","rtol":1e-6,"atol":1e-8})";
  Simulation free(oscillator(integrator), options()), landed(oscillator(integrator), options());
  long steps = 0, more = 0;
  while (free.step()) ++steps;
  REQUIRE(landed.advance_to(0.5001, Landing::dense_output));
  while (landed.time() < 1) landed.step(), ++more;
  REQUIRE(landed.advance_to(landed.time() + 1e-7, Landing::step_end));
  const double t = landed.time();
  landed.step();
  CHECK(landed.time() - t > 1e-3);  // not five times the short one
  CHECK(more < steps);
}

TEST_CASE("fixed steps on a grid") {
  const char* const integrator = R"({"type":"adams","order":3,"step":0.01})";
  Simulation simulation(oscillator(integrator), options());
  const auto land = [&](double t) {
    return refusal([&] { simulation.advance_to(t, Landing::step_end); }, ErrorKind::usage);
  };
  CHECK(
      land(0.034) ==
      "'adams' has fixed steps of 0.01 s on a grid: none ends at t = 0.034; give it other steps, or use dense output");
  CHECK(land(0.03) == "accepted");
  CHECK(simulation.time() == doctest::Approx(0.03));
  CHECK(simulation.advance_to(0.034));
  CHECK(simulation.time() == 0.034);
  CHECK(land(0.036) == "the last step went on to t = 0.04: no step can end at t = 0.036");
  CHECK(land(0.033) == "time runs forward: t = 0.033 lies before the state shown, t = 0.034");
  CHECK(land(std::nan("")) == "the time to advance to is not a number");
  CHECK(land(0.04) == "accepted");
  CHECK_FALSE(simulation.advance_to(100));
  CHECK(simulation.time() == doctest::Approx(2));
  CHECK(simulation.status() == RunStatus::completed);
}

TEST_CASE("calls at the wrong time") {
  const TemporaryFolder folder;
  Simulation simulation(oscillator(R"({"type":"rk4","step":0.01})"), options());
  simulation.step();
  CHECK(refusal([&] { simulation.write_results(folder.path()); }, ErrorKind::usage) ==
        "write_results comes before the first step");
  Simulation still(example("balanced_lamp"), options());
  CHECK(refusal([&] { still.advance_to(1); }, ErrorKind::usage) == "this analysis does not run over time");
}

TEST_CASE("an observer interrupts; the run can go on") {
  struct Three final : RunObserver {
    bool step(double, double, double, long steps) override { return steps < 3; }
  } three;
  Simulation simulation(oscillator(R"({"type":"rk4","step":0.01})"), options());
  CHECK_FALSE(simulation.advance_to(1, Landing::dense_output, &three));
  CHECK(simulation.status() == RunStatus::interrupted);
  CHECK(simulation.time() == doctest::Approx(0.03));
  CHECK(simulation.advance_to(1));
  CHECK(simulation.status() == RunStatus::completed);
}
