// Settling with internal states of forces: where they rest, whatever their size and their past; and drivers without damping.
#include <fmt/format.h>

#include <cmath>

#include "finished_run.h"

namespace trammel {
namespace {

/// A block of 1 kg on a guide along x, from 1 on, under `forces`; `held`: it cannot move.
std::string block(const std::string& forces, const char* more = "", bool held = false, const char* velocity = "0") {
  return fmt::format(
      R"json({{ "trammel": 1, "system": {{ "type": "planar",
    "bodies": {{ "block": {{ "mass": 1, "inertia": 0.1, "position": [1, 0], "velocity": [{}, 0] }} }},
    "constraints": {{ "guide": {{ "type": "{}", "bodies": ["ground", "block"], "at": [1, 0]{} }} }},
    "forces": {{ {} }} }}, "analysis": {{ "type": "equilibrium", "method": "settling"{} }}, "output": {{ "channels": "all" }} }})json",
      velocity, held ? "fixed" : "translational", held ? "" : R"(, "axis": [1, 0])", forces, more);
}

std::string motor(const std::string& law, double lag, double initial_force = 0) {
  return fmt::format(R"("motor": {{ "type": "actuator", "bodies": ["ground", "block"], "point_i": [5, 0], "law": "{}",
    "lag": {}, "initial_force": {} }})",
                     law, lag, initial_force);
}

const std::string spring =
    R"("spring": { "type": "tsda", "bodies": ["ground", "block"], "stiffness": 10, "damping": 1, "free_length": 1 }, )";

}  // namespace

TEST_CASE("a force that begins far above its command settles to the command") {
  for (const double initial : {0.0, 30.0, 1e3, -1e6}) {
    for (const double command : {1e-3, 0.05, 3.0}) {
      CAPTURE(initial);
      CAPTURE(command);
      FinishedRun run(temporary_run_file(block(motor(fmt::format("{}", command), 0.7, initial), "", true)));
      CHECK(run.channel("motor.force") == doctest::Approx(command).epsilon(1e-9));
    }
  }
}

TEST_CASE("the tolerances of the motion are not those of the state that it settles to") {
  for (const char* rtol : {"1e-2", "1e-3", "1e-6"}) {
    FinishedRun run(temporary_run_file(block(spring + motor("2", 0.4))),
                    {"formulation={\"type\":\"projection\"}",
                     fmt::format("integrator={{\"type\":\"dopri5\",\"rtol\":{},\"atol\":1e-9}}", rtol)});
    const double force = run.channel("motor.force"), x = run.channel("block.x");
    CHECK(force == doctest::Approx(2).epsilon(1e-9));
    // The force of the spring is what the acceleration that settling leaves, 1e-6 m/s^2 of 1 kg, is the error of.
    CHECK(std::abs(std::abs(10 * (x - 1)) - std::abs(force)) <= 1.01e-6);
  }
}

TEST_CASE("states that are nothing beside the tolerances rest") {
  for (const char* velocity : {"1e-3", "1e-5", "1e-7", "0"}) {
    CAPTURE(velocity);
    FinishedRun run(temporary_run_file(block(spring + motor("-20*(x - 4)", 0.02), "", false, velocity)));
    CHECK(run.channel("block.x") == doctest::Approx(1).epsilon(1e-6));
  }
  // Rounding of one law, beside one that carries a load.
  FinishedRun run(
      temporary_run_file(block(motor("3", 0.3) + R"json(, "still": { "type": "actuator", "bodies": ["ground", "block"],
    "point_i": [5, 0], "law": "sin(3.141592653589793)", "lag": 0.5 })json",
                               "", true)));
  CHECK(run.channel("motor.force") == doctest::Approx(3).epsilon(1e-9));
  CHECK(std::abs(run.channel("still.force")) < 1e-12);
}

TEST_CASE("a state that would leave its place of rest does not rest there") {
  Simulation run(temporary_run_file(block(motor("2*force", 1, 1e-6), R"(, "duration": 20)", true)),
                 {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.message().find("internal states of forces still move") != std::string::npos);
}

TEST_CASE("of several places of rest, states come to the one that they move to") {
  // z' = z - z^3: rest at -1, 0 and 1. Newton's method from 0.5 arrives at -1, the motion at 1; so it does from 0.05.
  for (const double initial : {0.5, 0.05, 0.65, 1.9, -0.5, -0.65}) {
    CAPTURE(initial);
    FinishedRun run(temporary_run_file(block(motor("2*force - force^3", 1, initial), "", true)));
    CHECK(run.channel("motor.force") == doctest::Approx(initial > 0 ? 1 : -1).epsilon(1e-9));
  }
}

TEST_CASE("modes at an equilibrium that settling found are no modes of a motion") {
  FinishedRun run(temporary_run_file(block(spring + motor("1e5", 0.01))),
                  {"analysis={\"type\":\"modes\",\"at\":\"equilibrium\",\"method\":\"settling\"}"});
  CHECK(run.simulation.summary_json().find("modes of a motion") == std::string::npos);
}

TEST_CASE("without damping of settling time stands still and drivers hold, too") {
  const std::string damper =
      R"("spring": { "type": "tsda", "bodies": ["ground", "block"], "stiffness": 10, "damping": 6, "free_length": 1 })";
  const std::string pull = R"(, "pull": { "type": "applied_force", "body": "block", "force": [1, 0],
    "function": { "type": "expression", "formula": "1 + 2*t" } })";
  FinishedRun run(temporary_run_file(block(damper + pull, R"(, "damping": 0)")));
  CHECK(run.channel("block.x") == doctest::Approx(1.1).epsilon(1e-6));

  FinishedRun driven(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "block": { "mass": 1, "inertia": 0.1, "position": [1, 0] } },
    "constraints": { "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [1, 0], "axis": [1, 0] },
      "drive": { "type": "coordinate_driver", "body": "block", "coordinate": "x", "function": { "type": "polynomial", "coefficients": [1, 0.3] } } } },
    "analysis": { "type": "equilibrium", "method": "settling", "damping": 0 } })json"));
  CHECK(driven.channel("block.x") == doctest::Approx(1).epsilon(1e-9));
}

}  // namespace trammel
