// Signals in forces, drivers, events and columns against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "recorded_run.h"

using namespace trammel;

namespace {

/// A mass of 2 kg on a rail along x, pushed by a signal u.
std::string on_a_rail(const std::string& signals, const std::string& forces, double speed = 0) {
  return R"({ "trammel": 2, "signals": )" + signals + R"(,
  "system": { "type": "planar",
    "bodies": { "mass": { "mass": 2, "inertia": 1, "velocity": [)" +
         std::to_string(speed) + R"(, 0] } },
    "constraints": { "rail": { "type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0] } },
    "forces": )" +
         forces + R"( },
  "analysis": { "type": "dynamics", "duration": 3 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-13 },
  "output": { "step": 0.05, "channels": "all" } })";
}
const char* const push = R"({ "push": { "type": "applied_force", "body": "mass", "force": [1, 0], "function": "u" } })";
const char* const pid = R"({ "e": "1 - rail.displacement",
  "u": { "type": "pid", "input": "e", "kp": 22, "ki": 12, "kd": 12, "rate": "-mass.vx" } })";

/// m x''' + kd x'' + kp x' + ki x = ki with the poles -1, -2, -3, from rest at 0.
double controlled(double t) { return 1 + 2.5 * std::exp(-t) - 8 * std::exp(-2 * t) + 4.5 * std::exp(-3 * t); }

double largest_error(const RecordedRun& run, const std::string& column, const std::function<double(double)>& exact) {
  double largest = 0;
  for (const auto& row : run.rows) {
    const double error = std::abs(row[run.column(column)] - exact(row[0]));
    largest = std::isnan(largest) || error <= largest ? largest : error;
  }
  return largest;
}

}  // namespace

TEST_CASE("a PID-controlled mass moves as the linear equation says, under methods of every view") {
  struct Way {
    const char *formulation, *integrator;
    double bound;
  };
  for (const Way& way :
       {Way{R"({"type":"projection"})", R"({"type":"dopri853","rtol":1e-11,"atol":1e-13})", 1e-9},
        Way{R"({"type":"coordinate_partitioning"})", R"({"type":"ddeabm","rtol":1e-10,"atol":1e-12})", 1e-7},
        Way{R"({"type":"projection"})", R"({"type":"radau_iia","rtol":1e-9,"atol":1e-11})", 1e-7},
        Way{R"({"type":"coordinate_partitioning"})", R"({"type":"rosenbrock_nystrom","rtol":1e-8,"atol":1e-10})", 1e-6},
        Way{"null", R"({"type":"generalized_alpha","step":0.001})", 1e-5}}) {
    CAPTURE(way.integrator);
    const std::string model = on_a_rail(pid, push);
    std::vector<std::string> set = {std::string("integrator=") + way.integrator};
    if (std::string(way.formulation) != "null") set.push_back(std::string("formulation=") + way.formulation);
    std::string text = model;
    if (std::string(way.formulation) == "null") {
      const std::string line = R"(  "formulation": { "type": "projection" },)";
      text.erase(text.find(line), line.size());
    }
    const RecordedRun run(temporary_run_file(text, "pid.json"), set);
    CHECK(largest_error(run, "mass.x", controlled) < way.bound);
    CHECK(largest_error(run, "e", [](double t) { return 1 - controlled(t); }) < way.bound);
    // The controller's output is the force m x''.
    CHECK(largest_error(run, "u", [](double t) {
            return 2 * (2.5 * std::exp(-t) - 32 * std::exp(-2 * t) + 40.5 * std::exp(-3 * t));
          }) < 30 * way.bound);
    CHECK(run.energy_drift < 1e-4);
  }
}

TEST_CASE("the same controller acts through formulas of forces") {
  for (const char* force :
       {R"({ "push": { "type": "joint_spring", "joint": "rail", "law": "-u" } })",
        R"({ "push": { "type": "six_component_force", "bodies": ["ground", "mass"], "force_x": "u" } })",
        R"({ "push": { "type": "tsda", "bodies": ["ground", "mass"], "point_i": [-5, 0], "law": "-u" } })"}) {
    CAPTURE(force);
    const RecordedRun run(temporary_run_file(on_a_rail(pid, force), "pid_law.json"));
    CHECK(largest_error(run, "mass.x", controlled) < 1e-8);
    CHECK(run.energy_drift < 1e-6);
  }
}

TEST_CASE("a transfer function answers a step as its partial fractions say") {
  // (s + 4)/(s^2 + 3 s + 2) on a step: y = 2 - 3 exp(-t) + exp(-2 t); read by nobody, and 1/(s + 1) behind it.
  const char* signals = R"({
    "filter": { "type": "transfer_function", "input": "1", "numerator": [4, 1], "denominator": [2, 3, 1] },
    "through": { "type": "transfer_function", "input": "1", "numerator": [1, 2], "denominator": [1, 1] },
    "behind": { "type": "transfer_function", "input": "filter", "numerator": [1], "denominator": [1, 1] } })";
  const RecordedRun run(temporary_run_file(on_a_rail(signals, "{}"), "filter.json"));
  CHECK(largest_error(run, "filter", [](double t) { return 2 - 3 * std::exp(-t) + std::exp(-2 * t); }) < 1e-9);
  CHECK(largest_error(run, "through", [](double t) { return 1 + std::exp(-t); }) < 1e-9);
  CHECK(largest_error(run, "behind",
                      [](double t) { return 2 - std::exp(-t) - 3 * t * std::exp(-t) - std::exp(-2 * t); }) < 1e-9);
}

TEST_CASE("a limited rate rises in a straight line, then follows its lag") {
  // Towards 1 with T = 0.5: at the rate 0.8 until 1 - z = 0.4, then exponentially.
  const RecordedRun run(temporary_run_file(
      on_a_rail(R"({ "z": { "type": "rate_limit", "input": "1", "rising": 0.8, "lag": 0.5 } })", "{}"), "rate.json"));
  CHECK(largest_error(run, "z", [](double t) { return t < 0.75 ? 0.8 * t : 1 - 0.4 * std::exp(-(t - 0.75) / 0.5); }) <
        1e-9);
  REQUIRE(run.events.size() >= 1);
  CHECK(std::abs(run.events[0].t - 0.75) < 1e-9);
}

TEST_CASE("a sampled controller moves a mass as its difference equation says") {
  // Force -k x - c v of the last sample, T = 0.1: exact steps of constant acceleration.
  const char* signals = R"({ "u": { "type": "sample_and_hold", "input": "-8*mass.x - 3*mass.vx", "period": 0.1 } })";
  for (const char* integrator :
       {R"({"type":"dopri853","rtol":1e-11,"atol":1e-13})", R"({"type":"ddeabm","rtol":1e-11,"atol":1e-13})",
        R"({"type":"rk4","step":0.02})", R"({"type":"radau_iia","rtol":1e-9,"atol":1e-11})"}) {
    CAPTURE(integrator);
    const RecordedRun run(temporary_run_file(on_a_rail(signals, push, 1), "sampled.json"),
                          {std::string("integrator=") + integrator, "output.step=0.1"});
    double x = 0, v = 1;
    for (std::size_t k = 0; k < run.rows.size(); ++k) {
      const double u = -8 * x - 3 * v;
      CHECK(std::abs(run.rows[k][run.column("mass.x")] - x) < 1e-9);
      CHECK(std::abs(run.rows[k][run.column("mass.vx")] - v) < 1e-9);
      CHECK(std::abs(run.rows[k][run.column("u")] - u) < 1e-8);
      x += 0.1 * v + 0.005 * u / 2, v += 0.1 * u / 2;
    }
    CHECK(run.energy_drift < 1e-6);
  }
}

TEST_CASE("a limited controller switches where its limits say") {
  // kp e limited to 1 N: constant acceleration until 2 (1 - x) = 1, then an oscillation about 1.
  const char* signals = R"({ "u": { "type": "pid", "input": "1 - mass.x", "kp": 2, "minimum": -1, "maximum": 1 } })";
  // Until t = 2.645, where the force meets the other limit.
  const RecordedRun run(temporary_run_file(on_a_rail(signals, push), "limited.json"), {"analysis.duration=2.5"});
  const double switched = std::sqrt(2.0);  // x = t^2/4 = 0.5
  CHECK(largest_error(run, "mass.x", [&](double t) {
          if (t <= switched) return t * t / 4;
          const double s = t - switched;  // x'' = 1 - x, x = 0.5, x' = switched/2
          return 1 - 0.5 * std::cos(s) + switched / 2 * std::sin(s);
        }) < 1e-8);
  REQUIRE(!run.events.empty());
  CHECK(std::abs(run.events[0].t - switched) < 1e-9);
}

TEST_CASE("drivers take signals of time, and derivatives of functions") {
  const char* file = R"({ "trammel": 2,
    "signals": {
      "swing": "0.6*sin(angle*t)*gain", "angle": 2, "gain": "1 + 0.1*t",
      "slope": { "type": "function", "function": { "type": "polynomial", "coefficients": [0, 0, 1, 2] }, "derivative": 1 },
      "curve": { "type": "function", "function": { "type": "polynomial", "coefficients": [0, 0, 1, 2] },
                 "argument": "crank.phi", "derivative": 1 } },
    "system": { "type": "planar",
      "bodies": { "crank": { "mass": 1, "inertia": 0.1 }, "other": { "mass": 1, "inertia": 0.1 } },
      "constraints": {
        "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0] },
        "drive": { "type": "angle_driver", "bodies": ["ground", "crank"], "function": "swing" },
        "pin2": { "type": "revolute", "bodies": ["ground", "other"], "at": [0, 0] },
        "drive2": { "type": "angle_driver", "bodies": ["ground", "other"], "function": "slope" } } },
    "analysis": { "type": "kinematics", "duration": 1 }, "output": { "step": 0.1, "channels": "all" } })";
  const RecordedRun run(temporary_run_file(file, "driven.json"));
  const auto swing = [](double t) { return 0.6 * std::sin(2 * t) * (1 + 0.1 * t); };
  CHECK(largest_error(run, "crank.phi", swing) < 1e-12);
  CHECK(largest_error(run, "crank.alpha", [](double t) {
          return 0.6 * (-4 * std::sin(2 * t) * (1 + 0.1 * t) + 0.4 * std::cos(2 * t));
        }) < 1e-10);
  CHECK(largest_error(run, "other.phi", [](double t) { return 2 * t + 6 * t * t; }) < 1e-12);
  CHECK(largest_error(run, "other.alpha", [](double) { return 12; }) < 1e-10);
  CHECK(largest_error(run, "curve", [&](double t) { return 2 * swing(t) + 6 * swing(t) * swing(t); }) < 1e-11);
}

TEST_CASE("events and columns know signals, of any channels") {
  const std::string model = on_a_rail(R"({ "half": "level - energy.kinetic", "level": 0.25 })",
                                      R"({ "push": { "type": "applied_force", "body": "mass", "force": [1, 0] } })");
  const RecordedRun run(temporary_run_file(model, "events.json"),
                        {R"(analysis.events={"there":{"when":"half","action":"stop"}})"});
  CHECK(std::abs(run.t() - 1) < 1e-9);  // t^2/4 = 0.25
  CHECK(std::abs(run.final("half")) < 1e-9);
}

TEST_CASE("the energy balance holds whatever signals drive") {
  // A damper to the sky, a free length that follows another mass, and a formula that mixes positions and velocities.
  const char* file = R"({ "trammel": 2,
    "signals": { "sky": "-3*top.vx", "shift": "1 + 0.3*low.x", "mix": "sin(3*t) + 0.5*top.x*low.vx" },
    "system": { "type": "planar",
      "bodies": { "low": { "mass": 1, "inertia": 1, "velocity": [1, 0] },
                  "top": { "mass": 2, "inertia": 1, "position": [2, 0] } },
      "constraints": {
        "rail": { "type": "translational", "bodies": ["ground", "low"], "at": [0, 0], "axis": [1, 0] },
        "rail2": { "type": "translational", "bodies": ["low", "top"], "at": [0, 0], "axis": [1, 0] } },
      "forces": {
        "ground": { "type": "tsda", "bodies": ["ground", "low"], "point_i": [-2, 0], "stiffness": 40,
                    "free_length": "shift", "damping": 0.5 },
        "between": { "type": "tsda", "bodies": ["low", "top"], "stiffness": 30, "free_length": 2, "law": "-0.5*mix" },
        "hook": { "type": "applied_force", "body": "top", "force": [1, 0], "function": "sky" } } },
    "analysis": { "type": "dynamics", "duration": 2 }, "formulation": { "type": "projection" },
    "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-13 }, "output": { "step": 0.05 } })";
  std::string named = file;
  named.replace(named.find("\"ground\": { \"type\": \"tsda\""), 8, "\"base\"");
  const RecordedRun run(temporary_run_file(named, "energy.json"));
  CHECK(run.energy_drift < 1e-7);
}
