// Newton's method for equilibria where the stiffness is singular, and where only internal states are not at rest.
#include <cmath>

#include "finished_run.h"

namespace trammel {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a body at its equilibrium whose actuator is not there yet") {
  // The spring's 20 N at x = 1.2 against 20 N of the motor, whose lag starts at 0.
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "block": { "mass": 1, "inertia": 0.1, "position": [1.2, 0] } },
    "constraints": { "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [1, 0], "axis": [1, 0] } },
    "forces": { "spring": { "type": "tsda", "bodies": ["ground", "block"], "stiffness": 100, "free_length": 1 },
                "motor": { "type": "actuator", "joint": "guide", "function": { "type": "constant", "value": 20 }, "lag": 0.1 } } },
    "analysis": { "type": "equilibrium", "method": "newton" } })json"));
  CHECK(run.channel("block.x") == doctest::Approx(1.2).epsilon(1e-12));
}

TEST_CASE("a weightless body is in neutral equilibrium") {
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "spatial",
    "bodies": { "box": { "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0.1, 0] } } },
    "analysis": { "type": "equilibrium", "method": "newton" } })json"));
  CHECK(run.channel("box.x") == 0.5);
  const std::string summary = run.simulation.summary_json();
  CHECK(contains(summary, "\"neutral\": 6"));
  CHECK(contains(summary, "\"unstable\": 0"));
  CHECK(!contains(summary, "\"condition\""));
}

}  // namespace
}  // namespace trammel
