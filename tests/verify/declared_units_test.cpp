// summary.json declares every column of results.csv, and which coordinates the bodies have.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "loaded_model.h"
#include "trammel/host/simulation.h"

namespace trammel {
namespace {

nlohmann::ordered_json summary_of(const std::string& system, const std::string& rest, const std::string& formulation) {
  const std::string text = R"({ "trammel": 1, "system": {)" + system + R"(},
      "analysis": { "type": "dynamics", "duration": 0.01 }, )" +
                           formulation + R"(
      "integrator": { "type": "dopri5", "rtol": 1e-6, "atol": 1e-8 }, "output": { "channels": )" +
                           rest + " } }";
  Simulation simulation(temporary_run_file(text), {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(simulation.run() == RunStatus::completed);
  return nlohmann::ordered_json::parse(simulation.summary_json());
}

constexpr const char* projected = R"("formulation": { "type": "projection" },)";

TEST_CASE("a spatial model") {
  const auto summary = summary_of(R"("type": "spatial", "gravity": [0, 0, -9.81],
      "bodies": { "a": { "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0] } },
      "points": { "tip": { "body": "a", "point": [1, 0, 0] } },
      "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "a"], "at": [0, 0, 0], "axis": [0, 1, 0] } },
      "forces": { "strut": { "type": "tsda", "bodies": ["ground", "a"], "point_i": [0, 0, 2], "stiffness": 1,
                             "free_length": 1 } })",
                                  R"(["a", "a.acceleration", "tip", "tip.acceleration", "pin", "strut", "energy",
                                      "constraint", "step"])",
                                  projected);
  CHECK(summary["model"]["host"] == "spatial");
  CHECK(summary["model"]["coordinates"].dump() == R"({"x":"m","y":"m","z":"m","e0":"1","e1":"1","e2":"1","e3":"1"})");
  const auto& columns = summary["columns"];
  CHECK(columns.size() == summary["final"]["channels"].size() + 1);  // and the time
  const std::pair<const char*, const char*> expected[] = {{"t", "s"},
                                                          {"a.x", "m"},
                                                          {"a.e3", "1"},
                                                          {"a.vz", "m/s"},
                                                          {"a.wx", "rad/s"},
                                                          {"a.ay", "m/s^2"},
                                                          {"a.alphaz", "rad/s^2"},
                                                          {"tip.z", "m"},
                                                          {"tip.vx", "m/s"},
                                                          {"tip.az", "m/s^2"},
                                                          {"pin.angle", "rad"},
                                                          {"pin.rate", "rad/s"},
                                                          {"pin.force.y", "N"},
                                                          {"pin.torque.z", "N m"},
                                                          {"pin.lambda.0", ""},
                                                          {"strut.length", "m"},
                                                          {"strut.force", "N"},
                                                          {"energy.total", "J"},
                                                          {"constraint.position", ""},
                                                          {"step", "s"}};
  for (const auto& [name, unit] : expected) {
    CAPTURE(name);
    REQUIRE(columns.contains(name));
    CHECK(columns[name] == unit);
  }
}

TEST_CASE("a planar model with drivers: efforts along lengths are forces, about axes torques") {
  const auto summary = summary_of(R"("type": "planar",
      "bodies": { "a": { "mass": 1, "inertia": 1 }, "b": { "mass": 1, "inertia": 1 } },
      "constraints": {
        "slide": { "type": "coordinate_driver", "body": "a", "coordinate": "x", "function": { "type": "constant", "value": 0 } },
        "turn": { "type": "angle_driver", "bodies": ["ground", "b"], "function": { "type": "constant", "value": 0 } } })",
                                  R"(["a", "b.alpha", "slide", "turn"])", projected);
  CHECK(summary["model"]["host"] == "planar");
  CHECK(summary["model"]["coordinates"].dump() == R"({"x":"m","y":"m","phi":"rad"})");
  CHECK(summary["columns"]["a.phi"] == "rad");
  CHECK(summary["columns"]["a.omega"] == "rad/s");
  CHECK(summary["columns"]["b.alpha"] == "rad/s^2");
  CHECK(summary["columns"]["slide.effort"] == "N");
  CHECK(summary["columns"]["turn.effort"] == "N m");
}

TEST_CASE("a problem without bodies") {
  const auto summary = summary_of(R"("type": "vibration", "omega": 2)", R"([])", "");
  CHECK_FALSE(summary["model"].contains("host"));
  CHECK(summary["model"]["coordinates"].size() == 1);
  for (const auto& [name, unit] : summary["model"]["coordinates"].items()) {
    CHECK(summary["columns"][name] == unit);
    CHECK(summary["columns"][name + "_dot"] == unit.get<std::string>() + "/s");
  }
}

}  // namespace
}  // namespace trammel
