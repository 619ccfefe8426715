// Delays of signals against closed forms: of time alone, of a motion, and in delay differential equations.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "recorded_run.h"

using namespace trammel;

namespace {

/// A mass of 2 kg on a rail along x, at x = 1 m at the start.
std::string on_a_rail(const std::string& signals, const std::string& forces, double duration = 3) {
  return R"({ "trammel": 2, "signals": )" + signals + R"(,
  "system": { "type": "planar",
    "bodies": { "mass": { "mass": 2, "inertia": 1, "position": [1, 0] } },
    "constraints": { "rail": { "type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0] } },
    "forces": )" +
         forces + R"( },
  "analysis": { "type": "dynamics", "duration": )" +
         std::to_string(duration) + R"( },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-13 },
  "output": { "step": 0.05, "channels": "all" } })";
}
const char* const spring = R"({ "spring": { "type": "applied_force", "body": "mass", "force": [1, 0],
                                            "function": "pull" } })";

double largest_error(const RecordedRun& run, const std::string& column, const std::function<double(double)>& exact,
                     double from = 0) {
  double largest = 0;
  for (const auto& row : run.rows) {
    if (row[0] < from) continue;
    const double error = std::abs(row[run.column(column)] - exact(row[0]));
    largest = std::isnan(largest) || error <= largest ? largest : error;
  }
  return largest;
}

}  // namespace

TEST_CASE("delays of signals of time are exact, and drive") {
  const char* file = R"({ "trammel": 2,
    "signals": {
      "wave": "0.4*sin(3*t) + 0.1*t^2",
      "late": { "type": "delay", "input": "wave", "time": 0.7 },
      "later": { "type": "delay", "input": "late + 1", "time": 0.2 },
      "held": { "type": "delay", "input": "1 + t", "time": 0.5, "initial": "0.25 - t" },
      "edge": { "type": "delay", "input": "abs(t - 0.6) ", "time": 0.3 } },
    "system": { "type": "planar",
      "bodies": { "crank": { "mass": 1, "inertia": 0.1 } },
      "constraints": {
        "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0] },
        "drive": { "type": "angle_driver", "bodies": ["ground", "crank"], "function": "late" } } },
    "analysis": { "type": "kinematics", "duration": 2 }, "output": { "step": 0.05, "channels": "all" } })";
  const RecordedRun run(temporary_run_file(file, "late.json"));
  const auto wave = [](double t) { return 0.4 * std::sin(3 * t) + 0.1 * t * t; };
  CHECK(largest_error(run, "crank.phi", [&](double t) { return wave(t - 0.7); }) < 1e-12);
  CHECK(largest_error(run, "crank.omega", [](double t) { return 1.2 * std::cos(3 * (t - 0.7)) + 0.2 * (t - 0.7); }) <
        1e-11);
  CHECK(largest_error(run, "crank.alpha", [](double t) { return -3.6 * std::sin(3 * (t - 0.7)) + 0.2; }) < 1e-10);
  CHECK(largest_error(run, "later", [&](double t) { return 1 + wave(t - 0.9); }) < 1e-12);
  CHECK(largest_error(run, "held", [](double t) { return t < 0.5 - 1e-9 ? 0.75 - t : 0.5 + t; }) < 1e-12);
  CHECK(largest_error(run, "edge", [](double t) { return std::abs(t - 0.9); }) < 1e-12);
}

TEST_CASE("a step ends where a delayed force has a kink") {
  // 2 x'' = |t - 1.1| from rest.
  const RecordedRun run(temporary_run_file(
      on_a_rail(R"({ "u": { "type": "delay", "input": "abs(t - 0.6) ", "time": 0.5 } })",
                R"({ "push": { "type": "applied_force", "body": "mass", "force": [1, 0], "function": "u" } })"),
      "kink.json"));
  CHECK(largest_error(run, "mass.vx", [](double t) { return (1.21 - (1.1 - t) * std::abs(1.1 - t)) / 4; }) < 1e-10);
}

TEST_CASE("a delayed motion is the motion of before") {
  // 2 x'' = -8 (x + 1): x = -1 + 2 cos 2t.
  const char* signals = R"({ "pull": "-8*(mass.x + 1) ",
    "late": { "type": "delay", "input": "mass.x", "time": 0.9, "initial": "-1 + 2*cos(2*t) " },
    "rate": { "type": "delay", "input": "mass.vx*mass.x", "time": 0.35, "initial": "-4*sin(2*t)*(-1 + 2*cos(2*t)) " } })";
  const RecordedRun run(temporary_run_file(on_a_rail(signals, spring, 6), "moved.json"));
  CHECK(largest_error(run, "mass.x", [](double t) { return -1 + 2 * std::cos(2 * t); }) < 1e-8);
  CHECK(largest_error(run, "late", [](double t) { return -1 + 2 * std::cos(2 * (t - 0.9)); }) < 1e-8);
  CHECK(largest_error(run, "rate", [](double t) {
          const double s = 2 * (t - 0.35);
          return -4 * std::sin(s) * (-1 + 2 * std::cos(s));
        }) < 1e-7);
}

TEST_CASE("a feedback through a delay moves as its delay differential equation says") {
  // x = e^(-t) solves 2 x'' = 2 e^(-T) x(t - T) with the past e^(-t).
  const char* signals = R"({ "u": { "type": "delay", "input": "2*exp(-0.8)*mass.x", "time": 0.8,
                                    "initial": "2*exp(-0.8)*exp(-t) " } })";
  const char* push = R"({ "push": { "type": "applied_force", "body": "mass", "force": [1, 0], "function": "u" } })";
  for (const char* integrator :
       {R"({"type":"dopri853","rtol":1e-11,"atol":1e-13})", R"({"type":"radau_iia","rtol":1e-9,"atol":1e-11})"}) {
    CAPTURE(integrator);
    const RecordedRun run(temporary_run_file(on_a_rail(signals, push, 2), "feedback.json"),
                          {std::string("integrator=") + integrator, "system.bodies.mass.velocity=[-1,0]"});
    CHECK(largest_error(run, "mass.x", [](double t) { return std::exp(-t); }) < 1e-7);
    CHECK(largest_error(run, "u", [](double t) { return 2 * std::exp(-t); }) < 1e-7);
  }
}

TEST_CASE("x' = -x(t - 1) by the method of steps") {
  // x = sum over k of (-1)^k (t - k + 1)^k/k! while t > k - 1; its derivative jumps at the start.
  const auto steps = [](double t) {
    double sum = 1, factorial = 1;
    for (int k = 1; k - 1 < t; ++k) {
      factorial *= k;
      sum += (k % 2 == 0 ? 1 : -1) * std::pow(t - k + 1, k) / factorial;
    }
    return sum;
  };
  const auto signals = [](int order, const char* rate, const char* past) {
    return R"({ "x": { "type": "transfer_function", "input": ")" + std::string(rate) +
           R"(*late", "numerator": [1], "denominator": [0, 1], "initial_states": [1] },
      "late": { "type": "delay", "input": "x", "time": 1, "order": )" +
           std::to_string(order) + R"(, "initial": ")" + past + R"(" } })";
  };
  double before = 1;
  for (const auto& [order, bound] : {std::pair{5, 3e-3}, {10, 6e-4}, {20, 1e-4}}) {
    CAPTURE(order);
    const RecordedRun run(temporary_run_file(on_a_rail(signals(order, "-1", "1"), "{}", 6), "steps.json"));
    const double error = largest_error(run, "x", steps),
                 late = largest_error(run, "late", [&](double t) { return steps(t - 1); });
    CAPTURE(error);
    CAPTURE(late);
    CHECK(error < bound);
    CHECK(error < 0.5 * before);
    CHECK(late < 0.25 / order);
    before = error;
  }
  // Without a kink at the start: cos(pi t/2) solves x' = -pi/2 x(t - 1).
  const double half_pi = std::acos(0.0);
  const RecordedRun smooth(temporary_run_file(
      on_a_rail(signals(10, "-1.5707963267948966", "cos(1.5707963267948966*t)"), "{}", 6), "smooth.json"));
  CHECK(largest_error(smooth, "x", [&](double t) { return std::cos(half_pi * t); }) < 1e-8);
}
