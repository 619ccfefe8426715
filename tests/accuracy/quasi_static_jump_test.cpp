// Quasi-static motions where loads and inputs jump, starts far away, what is not used, and the balance of their energies.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "bisection.h"
#include "finished_run.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

/// A planar model; `rest` follows the system in the run file.
std::string model(const std::string& system, double duration, const std::string& rest = "") {
  return temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", )" + system +
                                R"(}, "analysis": {"type": "quasi_static", "duration": )" + std::to_string(duration) +
                                rest + R"(}, "output": {"channels": "all"}})",
                            "quasi_static_jump.json")
      .string();
}

/// A slider on a spring of 100 N/m, natural length at x = 0, with what pushes it along x by `force` times `function`.
std::string slider(const std::string& force, const std::string& function) {
  return R"("bodies": {"m": {"mass": 2, "inertia": 0.1, "position": [0, 0]}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"spring": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [-1, 0], "stiffness": 100, "damping": 7, "free_length": 1},
      "load": {"type": "applied_force", "body": "m", "force": [)" +
         force + R"(, 0], "function": )" + function + "}}";
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string step(double at, double before, double after) {
  const auto piece = [](double value) { return R"({"type": "constant", "value": )" + digits(value) + "}"; };
  return R"({"type": "piecewise", "jumps": true, "breaks": [)" + std::to_string(at) + R"(], "pieces": [)" +
         piece(before) + ", " + piece(after) + "]}";
}

/// The flat truss: two springs from (-1, 0) and (1, 0) to a guided mass at (0, 0.2), which a load presses down.
std::string truss(const std::string& function) {
  return R"("bodies": {"top": {"mass": 1, "inertia": 0.1, "position": [0, 0.2]}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "top"], "at": [0, 0], "axis": [0, 1]}},
    "forces": {"left": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [-1, 0], "stiffness": 1000, "free_length": 1.0198039027185569},
      "right": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [1, 0], "stiffness": 1000, "free_length": 1.0198039027185569},
      "load": {"type": "applied_force", "body": "top", "force": [0, -1], "function": )" +
         function + "}}";
}
/// The load that balances it at the height y.
double truss_load(double y) {
  const double l = std::hypot(1, y);
  return 2 * 1000 * (1.0198039027185569 - l) * y / l;
}

bool told(Simulation& run, const std::string& words) { return run.summary_json().find(words) != std::string::npos; }
std::string refusal(const std::string& file, std::vector<std::string> sets = {}) {
  try {
    Simulation run(file, with_sets(std::move(sets)));
  } catch (const Error& error) {
    return (error.kind() == ErrorKind::compute ? "exit 4: " : "other: ") + std::string(error.what());
  }
  return "";
}

}  // namespace

TEST_CASE("a load that jumps moves the equilibrium at its time: x = F / k on both sides, and the summary says when") {
  Simulation run(model(slider("1", step(1.03, 10, 30)), 2), with_sets());
  REQUIRE(run.advance_to(1.0299));
  CHECK(run.positions()[0] == doctest::Approx(0.1).epsilon(1e-12));
  REQUIRE(run.advance_to(1.03));
  CHECK(run.positions()[0] == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(run.accelerations().map().norm() < 1e-11);
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(told(run, "what acts jumps at t = 1.03: the mechanism goes through equilibria"));
  CHECK(told(run, "'m.x' moves by 0.2"));
  CHECK(!warned(run, "snaps"));
  // What the load puts in is what the spring has.
  CHECK(channel(run, "energy.work") == doctest::Approx(0.5 * 100 * (0.3 * 0.3 - 0.1 * 0.1)).epsilon(1e-10));
  CHECK(energy_drift(run) < 1e-12);
}

TEST_CASE("a rod turns far by a load that jumps: k angle = P l cos(angle), along the branch that goes through") {
  const auto rod = [](const std::string& function) {
    return model(R"("bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}},
      "constraints": {"hinge": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}},
      "forces": {"spring": {"type": "rsda", "bodies": ["ground", "rod"], "stiffness": 10},
        "load": {"type": "applied_force", "body": "rod", "point": [0.5, 0], "force": [0, 1], "function": )" +
                     function + "}}",
                 1);
  };
  const auto angle = [](double P) {
    return bisection([P](double x) { return 10 * x - P * std::cos(x); }, -1.57, 1.57);
  };
  for (const double after : {2.0, 40.0, -300.0}) {
    CAPTURE(after);
    Simulation run(rod(step(0.5123, 1, after)), with_sets());
    REQUIRE(run.advance_to(0.5));
    CHECK(run.positions()[2] == doctest::Approx(angle(1)).epsilon(1e-10));
    CHECK(run.run() == RunStatus::completed);
    CHECK(run.positions()[2] == doctest::Approx(angle(after)).epsilon(1e-10));
    CHECK(!warned(run, "snaps"));
  }
}

TEST_CASE("a jump beyond a limit load snaps over, with a warning, and the run goes on from the equilibrium behind it") {
  double limit = 0;
  for (double y = 0; y < 0.2; y += 1e-5) limit = std::max(limit, truss_load(y));
  Simulation run(model(truss(step(1, 1, 2 * limit)), 2), with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[1] ==
        doctest::Approx(bisection([&](double y) { return truss_load(y) - 2 * limit; }, -2, -0.2)).epsilon(1e-9));
  CHECK(warned(run, "what acts jumps at t = 1, and the mechanism snaps over"));
  // One that stays below the limit does not snap.
  Simulation below(model(truss(step(1, 1, 0.9 * limit)), 2), with_sets());
  CHECK(below.run() == RunStatus::completed);
  CHECK(below.positions()[1] > 0.1);
  CHECK(truss_load(below.positions()[1]) == doctest::Approx(0.9 * limit).epsilon(1e-9));
  CHECK(!warned(below, "snaps"));
}

TEST_CASE("a jump behind which nothing balances ends the run: time, body, what to try") {
  const std::string free = R"("bodies": {"m": {"mass": 2, "inertia": 0.1}},
    "forces": {"load": {"type": "applied_force", "body": "m", "force": [1, 0], "function": )" +
                           step(0.4, 0, 3) + "}}";
  Simulation run(model(free, 1), with_sets());
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.time() == doctest::Approx(0.4));
  CAPTURE(run.message());
  for (const char* words :
       {"t = 0.4", "what acts jumps there", "give the load a ramp", "'m.x' of body 'm', acted on by 'load'"})
    CHECK(run.message().find(words) != std::string::npos);
}

TEST_CASE("inputs move equilibria when they are set, at t = 0 as well") {
  Simulation run(model(slider("10", R"({"type": "input", "name": "u"})"), 1), with_sets());
  double work = 0;
  for (int i = 0; i < 10; ++i) {
    run.set_input("u", 3 - i);
    REQUIRE(run.advance_to(0.1 * (i + 1), Landing::step_end));
    CHECK(run.positions()[0] == doctest::Approx(0.1 * (3 - i)).epsilon(1e-12));
    work = 0.5 * 100 * run.positions()[0] * run.positions()[0];
  }
  CHECK(channel(run, "energy.work") == doctest::Approx(work).epsilon(1e-10));
  CHECK(energy_drift(run) < 1e-12);
  // Left alone, it stays.
  Simulation alone(model(slider("10", R"({"type": "input", "name": "u", "value": 0.5})"), 1), with_sets());
  CHECK(alone.run() == RunStatus::completed);
  CHECK(alone.positions()[0] == doctest::Approx(0.05).epsilon(1e-12));
}

TEST_CASE("the energy balance closes: loads, schedules and drivers do work along the path, dampers take nothing") {
  // x = 0.1 t^2.
  Simulation pushed(model(slider("10", R"({"type": "polynomial", "coefficients": [0, 0, 1]})"), 2), with_sets());
  REQUIRE(pushed.run() == RunStatus::completed);
  CHECK(channel(pushed, "energy.work") == doctest::Approx(0.5 * 100 * 0.16).epsilon(1e-9));
  CHECK(channel(pushed, "energy.dissipated") == 0);
  CHECK(energy_drift(pushed) < 1e-12);
  // A spring's free length 1 + 0.2 t beside a second spring: both work against each other, x = 0.1 t, V = k (0.1 t)^2.
  const std::string schedule = R"("bodies": {"m": {"mass": 2, "inertia": 0.1}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"left": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [-1, 0], "stiffness": 100, "damping": 50,
        "free_length": {"type": "polynomial", "coefficients": [1, 0.2]}},
      "right": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [1, 0], "stiffness": 100, "free_length": 1}})";
  Simulation scheduled(model(schedule, 2), with_sets());
  REQUIRE(scheduled.run() == RunStatus::completed);
  CHECK(scheduled.positions()[0] == doctest::Approx(0.2).epsilon(1e-10));
  CHECK(channel(scheduled, "energy.work") == doctest::Approx(100 * 0.04).epsilon(1e-8));
  CHECK(energy_drift(scheduled) < 1e-12);
  // A driver that accelerates, against spring and weight: its work is the change of the potential energy.
  Simulation driven(
      model(R"("gravity": [0, -9.81], "bodies": {"arm": {"mass": 3, "inertia": 0.1, "position": [0.5, 0]}},
    "constraints": {"hinge": {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0]},
      "motor": {"type": "angle_driver", "bodies": ["ground", "arm"], "function": {"type": "polynomial", "coefficients": [0, 0.1, 0.5]}}},
    "forces": {"spring": {"type": "rsda", "bodies": ["ground", "arm"], "stiffness": 20}})",
            1),
      with_sets());
  REQUIRE(driven.run() == RunStatus::completed);
  CHECK(channel(driven, "energy.work") == doctest::Approx(3 * 9.81 * 0.5 * std::sin(0.6) + 10 * 0.36).epsilon(1e-9));
  CHECK(energy_drift(driven) < 1e-12);
  CHECK(driven.velocities().map().norm() == 0);
}

TEST_CASE(
    "equilibria far from the start are found as `equilibrium` finds them; where there is none, exit 4 says what to "
    "try") {
  const std::string far = R"("bodies": {"m": {"mass": 1, "inertia": 0.1}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"spring": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [-1, 0], "stiffness": 10, "free_length": 501}})";
  Simulation run(model(far, 1), with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(500).epsilon(1e-10));
  for (const char* name : {"/configs/examples/scott_russell.json", "/configs/benchmarks/a03_andrews.json"}) {
    CAPTURE(name);
    const std::string file = std::string(TRAMMEL_SOURCE_DIR) + name;
    Simulation statics(file, with_sets({R"(analysis={"type": "equilibrium"})"}));
    REQUIRE_MESSAGE(statics.run() == RunStatus::completed, statics.message());
    Simulation quasi(file, with_sets({R"(analysis={"type": "quasi_static", "duration": 1})"}));
    REQUIRE(quasi.positions().size == statics.positions().size);
    CHECK((quasi.positions().map() - statics.positions().map()).norm() < 1e-11);
  }
  const std::string none = R"("bodies": {"m": {"mass": 1, "inertia": 0.1}},
    "forces": {"load": {"type": "applied_force", "body": "m", "force": [1, 0]}})";
  const std::string message = refusal(model(none, 1));
  CAPTURE(message);
  CHECK(message.find("exit 4: ") == 0);
  CHECK(message.find("no equilibrium was found at the start") != std::string::npos);
  CHECK(message.find("\"method\": \"settling\"") != std::string::npos);
}

TEST_CASE("initial velocities and rates are not used, and a warning names each") {
  const std::string system = slider("1", "1");
  const std::string file = model(R"("points": {}, )" + system, 1, R"(, "conditions": [{"of": "m.x", "rate": 2.5}])");
  Simulation run(file, with_sets({"system.bodies.m.velocity=[2.5, 0]"}));
  CHECK(run.run() == RunStatus::completed);
  CHECK(warned(run, "the initial velocity of body 'm' is not used in an analysis of type 'quasi_static'"));
  CHECK(warned(run, "the rate 2.5 of 'm.x' in /analysis/conditions/0 is not used"));
  Simulation still(model(system, 1), with_sets());
  CHECK(still.warnings().empty());
}

TEST_CASE(
    "a four-bar that is driven until it locks has the states of kinematics inside its steps, and ends where it locks") {
  const auto file = model(R"("gravity": [0, -9.81], "bodies": {
      "crank": {"mass": 0.1, "inertia": 0.0001, "position": [0.04387912809451864, 0.02397127693021015], "angle": 0.5},
      "coupler": {"mass": 0.4, "inertia": 0.004, "position": [0.2902582561890373, 0.0479425538604203]},
      "rocker": {"mass": 0.1, "inertia": 0.0001, "position": [0.4438791280945187, 0.02397127693021015], "angle": 0.5}},
    "constraints": {"O2": {"type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": [-0.05, 0]},
      "A": {"type": "revolute", "bodies": ["crank", "coupler"], "point_i": [0.05, 0], "point_j": [-0.2025, 0]},
      "B": {"type": "revolute", "bodies": ["coupler", "rocker"], "point_i": [0.2025, 0], "point_j": [0.05, 0]},
      "O4": {"type": "revolute", "bodies": ["ground", "rocker"], "point_i": [0.4, 0], "point_j": [-0.05, 0]},
      "motor": {"type": "angle_driver", "bodies": ["ground", "crank"], "function": {"type": "polynomial", "coefficients": [0.5, 6]}}})",
                          1);
  Simulation run(file, with_sets({"output.step=0.025"}));
  Simulation kinematics(file, with_sets({"output.step=0.025", "analysis.type=\"kinematics\""}));
  for (int i = 1; i <= 36; ++i) {
    CAPTURE(i);
    REQUIRE(kinematics.advance_to(0.025 * i));
    const bool reached = run.advance_to(0.025 * i);
    CAPTURE(run.message());
    REQUIRE(reached);
    CHECK((run.positions().map() - kinematics.positions().map()).norm() < 1e-8);
  }
  // Coupler and rocker in line: (0.4 - 0.1 cos)^2 + (0.1 sin)^2 = (0.405 - 0.1)^2.
  const double locks = (2 * std::acos(-1.0) - std::acos((0.17 - 0.305 * 0.305) / 0.08) - 0.5) / 6;
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.time() == doctest::Approx(locks).epsilon(1e-4));
  CAPTURE(run.message());
  CHECK(run.message().find("energy balance") == std::string::npos);
}
