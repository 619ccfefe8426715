// Inputs that the program around a run sets, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "embedded.h"
#include "refusal.h"

using namespace trammel;

TEST_CASE("a force that follows its program: velocity and path of a pushed mass") {
  for (const char* integrator :
       {R"({"type":"dopri5","rtol":1e-10,"atol":1e-12})", R"({"type":"adams","order":4,"step":0.01})",
        R"({"type":"ddeabm","rtol":1e-11,"atol":1e-12})", R"({"type":"hht","step":0.01})"}) {
    CAPTURE(integrator);
    RunDescription made = pushed_mass();
    made.set("integrator", Value::json(integrator));
    if (std::string(integrator).find("hht") != std::string::npos) made.remove("formulation");
    Simulation simulation(made, options());
    CHECK(simulation.inputs() == std::vector<std::string>{"throttle"});
    // a = 2 u: constant in between, so that every method of order two or more is exact up to rounding
    double x = 0, v = 0;
    for (int i = 0; i < 10; ++i) {
      const double u = i % 3 - 0.75, dt = 0.2;
      simulation.set_input("throttle", u);
      CHECK(simulation.input("throttle") == u);
      REQUIRE_MESSAGE(simulation.advance_to((i + 1) * dt, Landing::step_end), simulation.message());
      x += v * dt + u * dt * dt;
      v += 2 * u * dt;
      CHECK(std::abs(simulation.positions()[0] - x) < 1e-9);
      CHECK(std::abs(simulation.velocities()[0] - v) < 1e-9);
      CHECK(std::abs(simulation.accelerations()[0] - 2 * u) < 1e-9);
    }
  }
}

TEST_CASE("what the input does is work; equal values change nothing") {
  Simulation simulation(pushed_mass().output(0.1, {"energy"}), options());
  simulation.set_input("throttle", 1);
  REQUIRE(simulation.advance_to(1, Landing::step_end));  // v = 2
  simulation.set_input("throttle", 1);
  simulation.set_input("throttle", -2);
  REQUIRE(simulation.advance_to(1.5, Landing::step_end));  // v = 0
  const std::vector<std::string>& names = simulation.channels();
  const std::vector<double> values = simulation.channel_values();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "energy.work" || names[i] == "energy.total") CHECK(std::abs(values[i]) < 1e-8);
  }
  const std::string summary = simulation.summary_json();
  CHECK(summary.find("\"restarts\": 2") != std::string::npos);
}

TEST_CASE("the row of a time shows the motion before the input changed there") {
  const TemporaryFolder folder;
  RunDescription made = pushed_mass();
  made.set("output", Value::json(R"({"at": "steps", "channels": ["mass.vx"]})"));
  Simulation simulation(made, options());
  simulation.write_results(folder.path());
  for (int i = 1; i <= 4; ++i) {
    simulation.set_input("throttle", i);
    simulation.advance_to(0.5 * i, Landing::step_end);
  }
  CHECK(simulation.finish() == RunStatus::completed);
  const std::string rows = text_of(folder.path() / "results.csv");
  for (const char* once : {"\n0.5,", "\n1,", "\n1.5,"}) {
    const std::size_t at = rows.find(once);
    REQUIRE(at != std::string::npos);
    CHECK(rows.find(once, at + 1) == std::string::npos);
  }
}

TEST_CASE("a checkpoint keeps what was set") {
  const TemporaryFolder folder;
  const auto checkpoint = folder.path() / "checkpoint.json";
  Simulation first(pushed_mass(), options());
  first.write_results(folder.path());
  first.checkpoint_every(1);
  first.set_input("throttle", 3);
  REQUIRE(first.advance_to(1.5));
  while (first.step()) {
  }
  Simulation second(pushed_mass(), options());
  second.restart(checkpoint);
  CHECK(second.input("throttle") == 3);
  CHECK(second.time() >= 1);
  while (second.step()) {
  }
  CHECK(same_bits(whole_state(first), whole_state(second)));
}

TEST_CASE("several functions of one name; refusals") {
  RunDescription made = pushed_mass();
  made.add_force("other", "applied_force")
      .set("body", "mass")
      .set("force", {0, 2})
      .set("function", Value::json(R"({"type": "sum", "of": [{"type": "input", "name": "throttle"}], "offset": 1})"));
  Simulation simulation(made, options());
  CHECK(simulation.inputs().size() == 1);
  simulation.set_input("throttle", 1);
  REQUIRE(simulation.advance_to(1, Landing::step_end));
  CHECK(simulation.velocities()[0] == doctest::Approx(2));
  CHECK(simulation.velocities()[1] == doctest::Approx(2));
  CHECK(refusal([&] { simulation.set_input("throtle", 1); }) ==
        "there is no input 'throtle'; did you mean 'throttle'?");
  CHECK(refusal([&] { simulation.set_input("throttle", INFINITY); }) == "the input 'throttle' must be finite, not inf");
  REQUIRE(simulation.advance_to(1.05));
  if (simulation.time() == 1.05) {
    const std::string text = refusal([&] { simulation.set_input("throttle", 1.5); }, ErrorKind::usage);
    CHECK(text.find("inputs change at the end of a step") == 0);
  }
  made.set("system.forces.other.function.of.0.value", 2);
  const std::string differ = refusal([&] { Simulation(made, options()); });
  CHECK(differ.find("pushed mass: /system/forces/other/function/of/0/value: the input 'throttle' starts with 0 "
                    "elsewhere and with 2 here") == 0);
  Simulation none(std::filesystem::path(example("slider_crank")), options());
  CHECK(refusal([&] { none.set_input("u", 1); }) ==
        "there is no input 'u'; the run file has no function of type 'input'");
}

TEST_CASE("an input cannot move a driven constraint") {
  for (const char* formulation : {"projection", "coordinate_partitioning", "baumgarte"}) {
    CAPTURE(formulation);
    RunDescription made;
    made.system("planar");
    made.add_body("mass").mass(2).inertia(0.1);
    made.add_constraint("drive", "coordinate_driver")
        .set("body", "mass")
        .set("coordinate", "x")
        .set("function", Value::object({{"type", "input"}, {"name", "x"}}));
    made.analysis("dynamics").set("duration", 1);
    made.formulation(formulation);
    if (std::string(formulation) == "baumgarte") made.set("formulation.alpha", 5);
    made.integrator("dopri5").set("rtol", 1e-8).set("atol", 1e-10);
    Simulation simulation(made, options());
    REQUIRE(simulation.step());
    simulation.set_input("x", 0.1);
    CHECK_FALSE(simulation.step());
    CHECK(simulation.status() == RunStatus::failed);
    CHECK(simulation.message().find("makes positions or velocities jump") != std::string::npos);
  }
}
