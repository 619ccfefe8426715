// Events located on the interpolant: the times of a bouncing wheel's contacts in closed form, under one-step and
// multistep methods and in the state-space view.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "finished_run.h"

using namespace trammel;

namespace {

/// Dropped from 1 m above the road onto an undamped tyre, so that it comes back for ever.
const char* const bouncing = R"({ "trammel": 1,
  "system": { "type": "planar", "gravity": [0, -10],
    "bodies": { "wheel": { "mass": 2, "inertia": 0.1, "position": [0, 1.5], "velocity": [1, 0] } },
    "forces": { "tyre": { "type": "tyre_vertical", "body": "wheel", "stiffness": 5000, "radius": 0.5 } } },
  "analysis": { "type": "dynamics", "duration": 4 },
  "formulation": { "type": "direct" },
  "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-12 },
  "output": { "step": 0.1, "channels": ["wheel", "energy"] } })";

struct Event {
  double t;
  std::string rest;
};

std::vector<Event> events_of(const std::filesystem::path& file, const std::vector<std::string>& set) {
  FinishedRun run(file, set);
  const std::filesystem::path folder = file.parent_path() / "out";
  Simulation again(file, {set, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  again.write_results(folder);
  CHECK(again.run() == RunStatus::completed);
  std::ifstream stream(folder / "events.csv");
  std::string line;
  std::getline(stream, line);
  CHECK(line == "t,element,event,direction");
  std::vector<Event> events;
  while (std::getline(stream, line)) {
    const std::size_t comma = line.find(',');
    events.push_back({std::stod(line.substr(0, comma)), line.substr(comma + 1)});
  }
  return events;
}

}  // namespace

TEST_CASE("touch-down and lift-off are located to rounding, whatever the method") {
  const auto file = temporary_run_file(bouncing, "bouncing.json");
  // Falls for sqrt(2 h / g); then z'' + w^2 z = -g from z = 0 with speed -v until z = 0 again.
  const double fall = std::sqrt(0.2), v = 10 * fall, w = 50, g = 10;
  const double below = 2 / w * (M_PI - std::atan(v * w / g));
  const double flight = 2 * fall;
  for (const char* integrator : {R"(integrator={"type": "dopri853", "rtol": 1e-11, "atol": 1e-12})",
                                 R"(integrator={"type": "dopri5", "rtol": 1e-11, "atol": 1e-12})",
                                 R"(integrator={"type": "ddeabm", "rtol": 1e-11, "atol": 1e-12})"}) {
    CAPTURE(integrator);
    const std::vector<Event> events = events_of(file, {integrator});
    REQUIRE(events.size() == 8);
    double expected = fall;
    for (std::size_t i = 0; i < events.size(); ++i) {
      CAPTURE(i);
      CHECK(std::abs(events[i].t - expected) < 2e-8);  // tolerances add up over the bounces
      CHECK(events[i].rest == (i % 2 == 0 ? "tyre,contact,1" : "tyre,contact,-1"));
      expected += i % 2 == 0 ? below : flight;
    }
  }
  const std::vector<Event> state_space =
      events_of(file, {R"(integrator={"type": "rodas43", "rtol": 1e-10, "atol": 1e-10})",
                       R"(formulation={"type": "coordinate_partitioning"})"});
  REQUIRE(state_space.size() == 8);
  CHECK(std::abs(state_space[0].t - fall) < 1e-9);
  CHECK(std::abs(state_space[1].t - fall - below) < 1e-6);
}

TEST_CASE("equal elements meet their events at the same time: none is lost") {
  std::string axle = bouncing;
  const std::string tyre = R"("tyre": { "type": "tyre_vertical", "body": "wheel", "stiffness": 5000, "radius": 0.5 })";
  const std::size_t at = axle.find(tyre);
  REQUIRE(at != std::string::npos);
  axle.replace(
      at, tyre.size(),
      R"("front": { "type": "tyre_vertical", "body": "wheel", "point": [1, 0], "stiffness": 2500, "radius": 0.5 },
    "rear": { "type": "tyre_vertical", "body": "wheel", "point": [-1, 0], "stiffness": 2500, "radius": 0.5 })");
  const auto file = temporary_run_file(axle, "axle.json");
  for (const char* integrator : {"dopri853", "ddeabm"}) {
    CAPTURE(integrator);
    const std::vector<Event> events = events_of(
        file, {"integrator={\"type\": \"" + std::string(integrator) + "\", \"rtol\": 1e-10, \"atol\": 1e-10}"});
    REQUIRE(events.size() == 16);
    int front = 0;
    for (const Event& event : events) front += event.rest.find("front") == 0 ? 1 : 0;
    CHECK(front == 8);
  }
}

TEST_CASE("energy over many contacts") {
  FinishedRun run(temporary_run_file(bouncing, "bouncing.json"));
  CHECK(run.energy_drift() < 1e-6);  // of 30 J; the states at contacts are those of the dense output, one order lower
}
