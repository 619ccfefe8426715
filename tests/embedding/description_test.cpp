// RunDescription: the same as a file, with the same messages.
#include <doctest/doctest.h>

#include "embedded.h"
#include "refusal.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

const char* const pendulum_text = R"({
  "trammel": 1,
  "parameters": { "L": 2 },
  "system": {
    "type": "planar", "gravity": [0, -9.81],
    "bodies": { "bob": { "mass": 1.5, "inertia": 0.1, "position": ["=L/2", 0], "angular_velocity": 0.5, "velocity": [0, 0.5] } },
    "points": { "tip": { "body": "bob", "point": ["=L/2", 0] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0] } },
    "forces": { "spring": { "type": "tsda", "bodies": ["ground", "bob"], "point_i": [0, 1], "stiffness": 10, "free_length": 1 } }
  },
  "analysis": { "type": "dynamics", "duration": 0.5 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri5", "rtol": 1e-8, "atol": 1e-10 },
  "output": { "step": 0.05, "channels": ["bob", "tip", "pin.force", "energy"] }
})";

RunDescription pendulum() {
  RunDescription made;
  made.parameter("L", 2);
  made.system("planar").set("gravity", {0, -9.81});
  made.add_body("bob")
      .mass(1.5)
      .inertia(0.1)
      .position(Value::json("[\"=L/2\", 0]"))
      .velocity({0, 0.5})
      .angular_velocity(0.5);
  made.add_point("tip", "bob", Value::json("[\"=L/2\", 0]"));
  made.add_constraint("pin", "revolute", {"ground", "bob"}).set("at", {0, 0});
  made.add_force("spring", "tsda", {"ground", "bob"}).set("point_i", {0, 1}).set("stiffness", 10).set("free_length", 1);
  made.analysis("dynamics").set("duration", 0.5);
  made.formulation("projection");
  made.integrator("dopri5").set("rtol", 1e-8).set("atol", 1e-10);
  return made.output(0.05, {"bob", "tip", "pin.force", "energy"}), made;
}

std::string results(Simulation&& simulation) {
  const TemporaryFolder folder;
  simulation.write_results(folder.path());
  CHECK(simulation.run() == RunStatus::completed);
  return text_of(folder.path() / "results.csv");
}

std::string started(const RunDescription& description, const std::vector<std::string>& set = {}) {
  return refusal([&] { Simulation(description, options(set)); });
}

}  // namespace

TEST_CASE("a model made in code, its text, its file and the same text written by hand give the same bits") {
  const TemporaryFolder folder;
  const RunDescription made = pendulum();
  const std::string expected = results(Simulation(RunDescription::from_text(pendulum_text), options()));
  CHECK(expected.size() > 1000);
  CHECK(results(Simulation(made, options())) == expected);
  CHECK(results(Simulation(RunDescription::from_text(made.get()), options())) == expected);
  made.save(folder.path() / "pendulum.json");
  CHECK(results(Simulation(folder.path() / "pendulum.json", options())) == expected);
  CHECK(results(Simulation(RunDescription::from_file(folder.path() / "pendulum.json"), options())) == expected);
  CHECK(results(Simulation(made, options({"system.bodies.bob.mass=2"}))) != expected);
}

TEST_CASE("what is set is read back; copies are their own") {
  RunDescription made = pendulum();
  CHECK(made.get("system.bodies.bob.mass") == "1.5");
  CHECK(made.get("output.channels.1") == "\"tip\"");
  RunDescription copy = made;
  copy.set("system.bodies.bob.mass", 3).set("title", "A \"quoted\" title").set("output.channels.1", "bob");
  copy.set("analysis.solver", Value::json("\"dense\"")).remove("output.step");
  CHECK(copy.get("system.bodies.bob.mass") == "3");
  CHECK(copy.get("title") == R"("A \"quoted\" title")");
  CHECK(copy.get("output").find("step") == std::string::npos);
  CHECK(made.get("system.bodies.bob.mass") == "1.5");
  made = copy;
  CHECK(made.get() == copy.get());
  const RunDescription moved = std::move(copy);
  CHECK(moved.get() == made.get());
}

TEST_CASE("spatial bodies") {
  RunDescription made;
  made.system("spatial").set("gravity", {0, 0, -9.81});
  made.add_body("a").mass(2).inertia({1, 2, 2.5}).position({1, 2, 3}).rotation({0, 0, 2}, 1.5707963267948966);
  made.add_body("b")
      .mass(1)
      .inertia({1, 1, 1})
      .euler_parameters({0, 1, 0, 0})
      .angular_velocity({0, 0, 3})
      .velocity({1, 0, 0});
  made.analysis("dynamics").set("duration", 1);
  made.formulation("projection");
  made.integrator("rk4").set("step", 0.01);
  const Simulation simulation(made, options());
  const std::vector<double> q = numbers(simulation.positions());
  REQUIRE(q.size() == 14);
  CHECK(q[3] == doctest::Approx(std::sqrt(0.5)));
  CHECK(q[6] == doctest::Approx(std::sqrt(0.5)));
  CHECK(q[11] == 1);
}

TEST_CASE("messages give the JSON path, as for files") {
  RunDescription made = pendulum();
  made.set("system.constraints.pin.axs", {0, 1});
  CHECK(started(made).find("description: /system/constraints/pin/axs: unknown key for type 'revolute'") == 0);
  made = pendulum();
  made.set("system.bodies.bob.mass", -1);
  CHECK(started(made).find("description: /system/bodies/bob/mass: must be") == 0);
  CHECK(started(pendulum(), {"analysis.duration=long"}).find("--set analysis.duration=long: /analysis/duration: ") ==
        0);
  CHECK(started(RunDescription("empty")).find("empty: missing key 'system'") == 0);
  RunDescription text = RunDescription::from_text("{ \"trammel\": 1,\n \"systm\": {} }", "my text");
  CHECK(started(text).find("my text:2: /systm: unknown key for a run file; did you mean 'system'?") !=
        std::string::npos);

  CHECK(refusal([] {
          RunDescription::from_text("{ \"trammel\": 1,\n }", "my text");
        }).find("my text:2: a comma before '}'") == 0);
  CHECK(refusal([] { RunDescription::from_file("/no/such/file.json"); }).find("/no/such/file.json: ") == 0);
  CHECK(refusal([&] { text.set("system.bodies.crank.mass", 1); }) != "accepted");
  CHECK(refusal([&] { text.set("a..b", 1); }) == "my text: the path 'a..b' has an empty part");
  CHECK(refusal([&] { text.set("title", Value::json("{")); }).find("my text: title: the file ends too early") == 0);
  CHECK(refusal([&] { text.set("x", std::nan("")); }) == "a value of a run must be finite, not nan");
  CHECK(refusal([&] { (void)text.get("system.bodys"); }).find("my text: /system: there is no 'bodys' here") == 0);
  CHECK(refusal([&] { text.remove("titel"); }).find("there is no 'titel' here") != std::string::npos);
  made = pendulum();
  CHECK(refusal([&] { made.add_body("bob"); }) == "description: /system/bodies: there is a 'bob' already");
  CHECK(refusal([&] { made.add_body("a.b"); }).find("description: /system/bodies: 'a.b' is no name") == 0);
  CHECK(refusal([] { RunDescription("x").add_force("f", "tsda"); }).find("x: /system/forces: there is no system yet") ==
        0);
  CHECK(refusal([&] { made.save("/no/such/folder/run.json"); }, ErrorKind::compute).find("/no/such/folder/run.json") ==
        0);
}
