// Rosenbrock methods on mechanisms through the state-space view: values of an independent implementation, and orders.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"

using namespace trammel;

namespace {

const std::string source = TRAMMEL_SOURCE_DIR, pendulum = source + "/configs/papers/sandu/double_pendulum_planar.json";

std::string fixed(const std::string& type, double step) {
  return "integrator={\"type\": \"" + type + "\", \"step\": " + std::to_string(step) + "}";
}

/// Planar slider-crank under a harmonic driver, a pendulum hung from the slider on a spring and damper.
const char* const driven = R"run({ "trammel": 1,
  "parameters": { "start": 0.4, "rod": "=asin(-0.12*sin(start)/0.4)", "reach": "=0.12*cos(start)+0.4*cos(rod)" },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": {
      "crank": { "mass": 1.2, "inertia": 0.0021, "position": ["=0.05*cos(start)", "=0.05*sin(start)"], "angle": "=start" },
      "rod": { "mass": 1.8, "inertia": 0.027, "angle": "=rod",
               "position": ["=0.12*cos(start)+0.17*cos(rod)", "=0.12*sin(start)+0.17*sin(rod)"] },
      "slider": { "mass": 2.5, "inertia": 0.01, "position": ["=reach", 0] },
      "bob": { "mass": 0.7, "inertia": 0.004, "position": ["=reach+0.2", -0.1], "angle": 0.3 } },
    "constraints": {
      "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0] },
      "crank_pin": { "type": "revolute", "bodies": ["crank", "rod"], "at": ["=0.12*cos(start)", "=0.12*sin(start)"] },
      "piston_pin": { "type": "revolute", "bodies": ["rod", "slider"], "at": ["=reach", 0] },
      "guide": { "type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0] },
      "hinge": { "type": "revolute", "bodies": ["slider", "bob"], "at": ["=reach", 0] },
      "motor": { "type": "angle_driver", "bodies": ["ground", "crank"],
                 "function": { "type": "harmonic", "offset": "=start", "amplitude": 0.8, "frequency": 0.7 } } },
    "forces": { "spring": { "type": "rsda", "bodies": ["slider", "bob"], "stiffness": 2, "damping": 0.1, "free_angle": 0 } } },
  "analysis": { "type": "dynamics", "duration": 1, "correction_limit": 10 },
  "formulation": { "type": "coordinate_partitioning", "tolerance": 1e-13 },
  "integrator": { "type": "rosenbrock_nystrom", "step": 0.01 },
  "output": { "step": 1, "channels": ["bob", "motor"] } })run";

}  // namespace

TEST_CASE("single steps of the stiff double pendulum have the values of an independent implementation") {
  struct Step { const char* type; double theta_1, theta_2, rate_1, rate_2; };
  // Relative accuracy of the reference: all digits given.
  for (const Step& s : {Step{"rosenbrock_nystrom", 6.29669705274, 6.0503122989, 0.441151289521, 1.91449427079},
                        Step{"rosenbrock_nystrom_w2", 6.2733756227, 6.0267875793, 1.82888802633, 3.30103591386}}) {
    CAPTURE(s.type);
    FinishedRun run(pendulum, {"analysis.duration=0.01", fixed(s.type, 0.01)});
    CHECK(std::abs(run.channel("rod_1.phi") - s.theta_1) < 2e-10);
    CHECK(std::abs(run.channel("rod_2.phi") - s.theta_2) < 2e-10);
    CHECK(std::abs(run.channel("rod_1.omega") - s.rate_1) < 2e-10);
    CHECK(std::abs(run.channel("rod_2.omega") - s.rate_2) < 2e-10);
  }
  FinishedRun rest(pendulum, {"analysis.duration=0.01", "parameters.omega_2=0", fixed("rosenbrock_nystrom", 0.01)});
  CHECK(std::abs(rest.channel("rod_1.phi") - 6.27574457193) < 2e-10);
  CHECK(std::abs(rest.channel("rod_2.omega") - 0.421181211064) < 2e-10);
}

TEST_CASE("the non-stiff double pendulum: order 4 with the errors of an independent implementation") {
  const double exact[] = {3.5468921973195, 4.1044666952901, -2.914899542537, -3.7348340099926};
  const double errors[] = {8.846e-5, 5.485e-6, 3.407e-7, 2.122e-8};
  for (int k = 0; k < 4; ++k) {
    FinishedRun run(pendulum, {"analysis.duration=1", "system.forces.spring_1.stiffness=40", "system.forces.spring_1.damping=1.5",
                               "system.forces.spring_2.stiffness=30", "system.forces.spring_2.damping=0.5",
                               fixed("rosenbrock_nystrom", 0.01 / (1 << k))});
    const double values[] = {run.channel("rod_1.phi"), run.channel("rod_2.phi"), run.channel("rod_1.omega"),
                             run.channel("rod_2.omega")};
    double error = 0;
    for (int i = 0; i < 4; ++i) error = std::max(error, std::abs(values[i] - exact[i]));
    CHECK(error == doctest::Approx(errors[k]).epsilon(1e-3));
  }
}

TEST_CASE("orders on a mechanism with a driver, against a Runge-Kutta run of all coordinates") {
  const auto file = temporary_run_file(driven, "driven.json");
  FinishedRun reference(file, {"formulation={\"type\": \"projection\"}",
                               "integrator={\"type\": \"dopri853\", \"rtol\": 1e-12, \"atol\": 1e-12, \"max_step\": 0.01}"});
  struct Method { const char* type; double order; };
  for (const Method& m : {Method{"rosenbrock_nystrom", 4}, Method{"rodas43", 4}, Method{"rosenbrock_nystrom_w2", 2}, Method{"ros2", 2}}) {
    CAPTURE(m.type);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      FinishedRun run(file, {fixed(m.type, 0.01 / (1 << k))});
      errors[k] = 0;
      for (const char* name : {"bob.x", "bob.y", "bob.phi", "bob.vx", "bob.omega"}) {
        errors[k] = std::max(errors[k], std::abs(run.channel(name) - reference.channel(name)));
      }
    }
    CAPTURE(errors[0]);
    CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(m.order).epsilon(0.1));
  }
}

TEST_CASE("a new partition in the middle of a run does not show: energy, outputs between steps, counters") {
  // Euler parameters and centres of mass take turns as independent coordinates.
  FinishedRun run(source + "/configs/examples/spatial_double_pendulum.json",
                  {"formulation={\"type\": \"coordinate_partitioning\"}", "analysis.duration=3",
                   "integrator={\"type\": \"rosenbrock_nystrom\", \"rtol\": 1e-7, \"atol\": 1e-7}", "output.step=0.001"});
  const std::string summary = run.simulation.summary_json();
  const std::size_t at = summary.find("\"partitions\": ");
  REQUIRE(at != std::string::npos);
  CHECK(std::strtol(summary.c_str() + at + 14, nullptr, 10) >= 3);
  CHECK(run.energy_drift() < 1e-3);
}
