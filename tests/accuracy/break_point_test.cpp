// Jumps of functions of time, driven mechanisms, and energy accounts: what steps must not step over.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "finished_run.h"
#include "table.h"

using namespace trammel;

namespace {

std::string pushed(const std::string& integrator) {
  return R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
    "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": {"type": "piecewise",
    "breaks": [0.5], "jumps": true, "pieces": [0, 20]}}}}, "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "direct"}, "integrator": )" +
         integrator + "}";
}

}  // namespace

TEST_CASE("a force that jumps at the end of a step acts from there on, not before") {
  // v(1) = 20 * 0.5 exactly, for every method and step.
  for (const char* integrator :
       {R"({"type": "rk4", "step": 0.1})", R"({"type": "heun", "step": 0.01})",
        R"({"type": "adams", "order": 4, "step": 0.01})", R"({"type": "dopri5", "rtol": 1e-8})",
        R"({"type": "adams", "order": 6, "control": "haug", "rtol": 1e-8})"}) {
    CAPTURE(integrator);
    FinishedRun run(temporary_run_file(pushed(integrator)));
    CHECK(run.channel("b.vx") == doctest::Approx(10).epsilon(1e-12));
    CHECK(run.channel("b.x") == doctest::Approx(2.5).epsilon(1e-12));
    CHECK(run.energy_drift() < 1e-10);
  }
}

TEST_CASE("rows inside the step before a jump know nothing of it") {
  // x'' = cos(6 t) for t < 0.4, -30 from there on.
  const auto x = [](double t) {
    const auto smooth = [](double s) { return (1 - std::cos(6 * s)) / 36; };
    const double s = t - 0.4;
    return t < 0.4 ? smooth(t) : smooth(0.4) + std::sin(2.4) / 6 * s - 15 * s * s;
  };
  const auto v = [](double t) { return std::sin(6 * std::min(t, 0.4)) / 6 - 30 * std::max(t - 0.4, 0.0); };
  struct Way {
    std::string formulation, method;
    double tolerance;
  };
  const std::string projection = "projection", partitioning = "coordinate_partitioning";
  for (const auto& way : {Way{projection, "dopri5", 1e-7},
                          {projection, "dopri853", 1e-7},
                          {projection, "fehlberg45", 1e-6},
                          {projection, "ddeabm", 1e-7},
                          {partitioning, "rosenbrock_nystrom", 1e-5},
                          {partitioning, "rodas43", 1e-5},
                          {partitioning, "sdirk4", 1e-5},
                          {partitioning, "bdf", 1e-5},
                          {partitioning, "trapezoidal", 1e-5}}) {
    const auto& [formulation, method, tolerance] = way;
    CAPTURE(way.method);
    const Table run =
        results_of(R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
      "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": {"type": "expression",
      "formula": "if(t < 0.4, cos(6*t), -30) + 0"}}}}, "analysis": {"type": "dynamics", "duration": 0.8},
      "formulation": {"type": ")" +
                   formulation + R"("}, "integrator": {"type": ")" + method + R"(", "rtol": 1e-8, "atol": 1e-9},
      "output": {"step": 0.002}})");
    double worst = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run["t"][i];
      worst = std::max({worst, std::abs(run["b.x"][i] - x(t)), std::abs(run["b.vx"][i] - v(t))});
    }
    CHECK(worst < tolerance);
  }
}

TEST_CASE("rows inside the step behind a jump know nothing of what acted before it") {
  // v' = 1, from 0.4 s to 0.406 s -30: exact for methods of order 2, in rows too.
  const auto v = [](double t) { return t - 31 * std::clamp(t - 0.4, 0.0, 0.006); };
  for (const char* method : {"rattle", "hht", "generalized_alpha"}) {
    CAPTURE(method);
    const Table run = results_of(R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1,
      "inertia": 1}}, "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": {
      "type": "piecewise", "breaks": [0.4, 0.406], "jumps": true, "pieces": [1, -30, 1]}}}},
      "analysis": {"type": "dynamics", "duration": 0.8}, "integrator": {"type": ")" +
                                 std::string(method) + R"(", "step": 0.02}, "output": {"step": 0.001}})");
    double worst = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) worst = std::max(worst, std::abs(run["b.vx"][i] - v(run["t"][i])));
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("a slider-crank whose crank is driven stays on its branch under adaptive steps and projection") {
  const char* text = R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
    "crank": {"mass": 1, "inertia": 0.01, "position": [0.1, 0], "velocity": [0, 0.5], "angular_velocity": 5},
    "rod": {"mass": 1, "inertia": 0.03, "position": [0.5, 0], "velocity": [0, 0.5], "angular_velocity": "=-1/0.6"},
    "slider": {"mass": 1, "inertia": 0.01, "position": [0.8, 0]}},
    "constraints": {"a": {"type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0]},
    "b": {"type": "revolute", "bodies": ["crank", "rod"], "at": [0.2, 0]},
    "c": {"type": "revolute", "bodies": ["rod", "slider"], "at": [0.8, 0]},
    "guide": {"type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0]},
    "motor": {"type": "angle_driver", "bodies": ["ground", "crank"], "function": {"type": "polynomial", "coefficients": [0, 5]}}}},
    "analysis": {"type": "dynamics", "duration": 3}, "formulation": {"type": "projection"},
    "integrator": {"type": "METHOD", "rtol": 1e-8, "atol": 1e-10}})";
  for (const char* method : {"dopri5", "dopri853"}) {
    std::string file = text;
    file.replace(file.find("METHOD"), 6, method);
    FinishedRun run(temporary_run_file(file));
    const double angle = 15;  // 5 rad/s over 3 s
    const double x = 0.2 * std::cos(angle) + std::sqrt(0.36 - 0.04 * std::sin(angle) * std::sin(angle));
    CHECK(run.channel("slider.x") == doctest::Approx(x).epsilon(1e-10));
    CHECK(run.energy_drift() < 1e-4);  // of some 10 J that the motor moves to and fro
  }
}

TEST_CASE("spring laws with a dead zone integrate to their potential") {
  for (const char* law : {"-200*max(0, 1 - l)^1.5", "-200*max(0, 1 - l)^2", "-200*max(0, 1 - l)"}) {
    CAPTURE(law);
    FinishedRun run(temporary_run_file(
        R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "position": [1.2, 0],
      "velocity": [-1, 0]}}, "forces": {"stop": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [0, 0],
      "point_j": [0, 0], "law": ")" +
        std::string(law) + R"("}}}, "analysis": {"type": "dynamics", "duration": 1},
      "formulation": {"type": "direct"}, "integrator": {"type": "dopri5", "rtol": 1e-9, "atol": 1e-11}})"));
    CHECK(run.energy_drift() < 5e-6);  // of 0.5 J: steps cross kinks, where methods lose their order
    CHECK(run.channel("b.vx") == doctest::Approx(1).epsilon(1e-6));  // thrown back with the speed it came with
  }
}

TEST_CASE("the effort of a coupler is the torque along its second coordinate") {
  // Two wheels, I1 = 2 and I2 = 3, phi2 = -phi1 / 2, a torque of 7 on the first:
  // (I1 + I2 / 4) phi1'' = 7, and the coupler alone turns the second: effort = I2 phi2''.
  FinishedRun run(
      temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "bodies": {"a": {"mass": 1, "inertia": 2},
    "b": {"mass": 1, "inertia": 3, "position": [1, 0]}}, "constraints": {
    "axle_a": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
    "axle_b": {"type": "revolute", "bodies": ["ground", "b"], "at": [1, 0]},
    "belt": {"type": "coupler", "first": "axle_a", "second": "axle_b", "ratio": -0.5}},
    "forces": {"motor": {"type": "applied_torque", "body": "a", "torque": 7}}}, "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"}, "integrator": {"type": "dopri5", "rtol": 1e-8},
    "output": {"channels": "all"}})"));
  const double phi1 = 7 / (2 + 3 / 4.0);
  CHECK(run.channel("belt.effort") == doctest::Approx(3 * -0.5 * phi1).epsilon(1e-12));
}

TEST_CASE("drag is told as a vector against the air") {
  FinishedRun run(temporary_run_file(
      R"({"trammel": 1, "system": {"type": "planar", "bodies": {"a": {"mass": 1e9, "inertia": 1, "velocity": [3, 4]}},
    "forces": {"air": {"type": "aerodynamic_drag", "body": "a", "area": 2, "coefficient": 1, "density": 1}}},
    "analysis": {"type": "dynamics", "duration": 0.1}, "formulation": {"type": "direct"},
    "integrator": {"type": "dopri5", "rtol": 1e-8}, "output": {"channels": "all"}})"));
  // |u| = 5, F = -rho c A |u| u / 2; the mass hardly slows down.
  CHECK(run.channel("air.force") == doctest::Approx(25).epsilon(1e-6));
  CHECK(run.channel("air.force.x") == doctest::Approx(-15).epsilon(1e-6));
  CHECK(run.channel("air.force.y") == doctest::Approx(-20).epsilon(1e-6));
}
