// SDIRK, trapezoidal rule and BDF on mechanisms through the state-space view: orders, a stiff mechanism, new
// partitions.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "driven_mechanism.h"

using namespace trammel;

namespace {

const std::string source = TRAMMEL_SOURCE_DIR, sandu = source + "/configs/papers/sandu/";

std::string integrator(const char* keys, double step) {
  char text[200];
  std::snprintf(text, sizeof text, "integrator={%s, \"step\": %.9g}", keys, step);
  return text;
}
std::string controlled(const char* type, double tolerance) {
  char text[200];
  std::snprintf(text, sizeof text, R"(integrator={"type": "%s", "rtol": %g, "atol": %g, "initial_step": 1e-5})", type,
                tolerance, tolerance);
  return text;
}

/// A counter of the run's summary.
long counter(FinishedRun& run, const std::string& name) {
  const std::string summary = run.simulation.summary_json(), key = "\"" + name + "\": ";
  const std::size_t at = summary.find(key);
  REQUIRE(at != std::string::npos);
  return std::strtol(summary.c_str() + at + key.size(), nullptr, 10);
}

/// theta_1, theta_1', theta_2, theta_2' at t = 2 from double_pendulum.csv, the last row.
std::array<double, 4> pendulum_at_the_end() {
  std::ifstream file(sandu + "double_pendulum.csv");
  std::string line, last;
  while (std::getline(file, line)) {
    if (!line.empty()) last = line;
  }
  double t = 0;
  std::array<double, 4> y{};
  REQUIRE(std::sscanf(last.c_str(), "%lf,%lf,%lf,%lf,%lf", &t, &y[0], &y[1], &y[2], &y[3]) == 5);
  REQUIRE(t == 2);
  return y;
}

}  // namespace

TEST_CASE("orders on a mechanism with a driver, against a Runge-Kutta run of all coordinates") {
  DrivenMechanism mechanism;
  struct Method {
    const char* keys;
    double order;
    double step;
  };
  for (const Method& m : {Method{R"("type": "sdirk4")", 4, 0.01}, Method{R"("type": "trapezoidal")", 2, 0.01},
                          Method{R"("type": "bdf", "control": "fixed", "order": 1)", 1, 0.0025},
                          Method{R"("type": "bdf", "control": "fixed", "order": 2)", 2, 0.005},
                          Method{R"("type": "bdf", "control": "fixed", "order": 3)", 3, 0.005},
                          Method{R"("type": "bdf", "control": "fixed", "order": 4)", 4, 0.005},
                          Method{R"("type": "bdf", "control": "fixed", "order": 5)", 5, 0.005}}) {
    CAPTURE(m.keys);
    double errors[2];
    for (int k = 0; k < 2; ++k) errors[k] = mechanism.error(integrator(m.keys, m.step / (1 << k)));
    CAPTURE(errors[0]);
    CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(m.order).epsilon(0.1));
  }
}

TEST_CASE("the stiff double pendulum: errors within the tolerance's reach, few Jacobians, iterations counted") {
  const std::array<double, 4> exact = pendulum_at_the_end();
  const char* const names[] = {"rod_1.phi", "rod_1.omega", "rod_2.phi", "rod_2.omega"};
  struct Method {
    const char* type;
    double bound;
  };
  // Global errors of methods of order p whose local error is held at the tolerance go with tol^(p / (p + 1)), 5e-4 for
  // p = 2 and 7e-5 for p = 5; sdirk4 goes on with the better formula. Ten times that for rates of some 10 rad/s.
  for (const Method& m : {Method{"sdirk4", 1e-4}, Method{"trapezoidal", 5e-3}, Method{"bdf", 7e-4}}) {
    CAPTURE(m.type);
    FinishedRun run(sandu + "double_pendulum_planar.json", {controlled(m.type, 1e-5)});
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(run.channel(names[i]) - exact[i]) < m.bound);
    const long steps = counter(run, "steps"), iterations = counter(run, "newton_iterations");
    CHECK(counter(run, "jacobians") <= 10);  // rosenbrock_nystrom: one per step
    CHECK(iterations >= steps);
    CHECK(iterations <= (m.type == std::string("sdirk4") ? 5 * 2 : 3) * (steps + counter(run, "rejected")));
    CHECK(counter(run, "evaluations") >= iterations);
  }
}

TEST_CASE("a new partition in the middle of a run does not show: multistep histories begin anew") {
  // Euler parameters and centres of mass take turns as independent coordinates.
  for (const char* type : {"sdirk4", "trapezoidal", "bdf"}) {
    CAPTURE(type);
    FinishedRun run(source + "/configs/examples/spatial_double_pendulum.json",
                    {"formulation={\"type\": \"coordinate_partitioning\"}", "analysis.duration=1.5",
                     controlled(type, type == std::string("trapezoidal") ? 1e-6 : 1e-7), "output.step=0.001"});
    CHECK(counter(run, "partitions") >= 2);
    CHECK(run.energy_drift() < 1e-3);
  }
}
