// Signals that follow channels of forces, against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "recorded_run.h"

using namespace trammel;

namespace {

/// Two masses of 2 kg side by side on the x axis: `mass` hangs on a spring of 8 N/m, and starts 0.5 m beyond its free length.
std::string two_masses(const std::string& signals, const std::string& more) {
  return R"({ "trammel": 2, "signals": )" + signals + R"(,
  "system": { "type": "planar",
    "bodies": { "mass": { "mass": 2, "inertia": 1, "position": [2.5, 0] }, "other": { "mass": 2, "inertia": 1 } },
    "constraints": {
      "rail": { "type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0] },
      "rail2": { "type": "translational", "bodies": ["ground", "other"], "at": [0, 0], "axis": [1, 0] } },
    "forces": {)" +
         more + R"(,
      "spring": { "type": "tsda", "bodies": ["ground", "mass"], "stiffness": 8, "free_length": 2 } } },
  "analysis": { "type": "dynamics", "duration": 3 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-13 },
  "output": { "step": 0.05, "channels": "all" } })";
}

struct Way {
  const char *formulation, *integrator;
  double bound;
};
const Way ways[] = {
    {R"({"type":"projection"})", R"({"type":"dopri853","rtol":1e-11,"atol":1e-13})", 1e-9},
    {R"({"type":"projection"})", R"({"type":"radau_iia","rtol":1e-9,"atol":1e-11})", 1e-7},
    {R"({"type":"coordinate_partitioning"})", R"({"type":"rosenbrock_nystrom","rtol":1e-8,"atol":1e-10})", 1e-6}};

template <class Exact>
double largest_error(const RecordedRun& run, const std::string& column, const Exact& exact) {
  double largest = 0;
  for (const auto& row : run.rows) {
    const double error = std::abs(row[run.column(column)] - exact(row[0]));
    largest = std::isnan(largest) || error <= largest ? largest : error;
  }
  return largest;
}

}  // namespace

TEST_CASE("a force that follows half of a spring's force halves its stiffness") {
  // 2 x'' = -8 x + 4 x; the reader stands before the force that it follows.
  const std::string file =
      two_masses(R"({ "half": "0.5*spring.force" })",
                 R"("push": { "type": "applied_force", "body": "mass", "force": [1, 0], "function": "half" })");
  for (const Way& way : ways) {
    CAPTURE(way.integrator);
    const RecordedRun run(temporary_run_file(file, "half.json"),
                          {std::string("integrator=") + way.integrator, std::string("formulation=") + way.formulation});
    const auto x = [](double t) { return 0.5 * std::cos(std::sqrt(2.0) * t); };
    CHECK(largest_error(run, "mass.x", [&](double t) { return 2 + x(t); }) < way.bound);
    CHECK(largest_error(run, "half", [&](double t) { return 4 * x(t); }) < 10 * way.bound);
    CHECK(run.energy_drift < 1e-4);
  }
}

TEST_CASE("a force on another body follows the force of a spring, through a filter and a law") {
  // 2 y'' = 8 x with x = cos(2 t)/2: y = (1 - cos 2 t)/2; the filter z' = 8 x - z.
  const std::string file = two_masses(
      R"({ "same": "spring.force",
                      "slow": { "type": "transfer_function", "input": "spring.force", "numerator": [1], "denominator": [1, 1] } })",
      R"("push": { "type": "six_component_force", "bodies": ["ground", "other"], "force_x": "same + 0*slow" })");
  for (const Way& way : ways) {
    CAPTURE(way.integrator);
    const RecordedRun run(temporary_run_file(file, "same.json"),
                          {std::string("integrator=") + way.integrator, std::string("formulation=") + way.formulation});
    CHECK(largest_error(run, "other.x", [](double t) { return (1 - std::cos(2 * t)) / 2; }) < 3 * way.bound);
    CHECK(largest_error(run, "slow", [](double t) {
            return 4 * (std::cos(2 * t) + 2 * std::sin(2 * t) - std::exp(-t)) / 5;
          }) < 10 * way.bound);
  }
}

TEST_CASE("signals follow the force that an event puts in place of another") {
  // At t = 1 the spring's stiffness falls to 2 N/m, and so does what follows it.
  const std::string file =
      two_masses(R"({ "same": "spring.force" })",
                 R"("push": { "type": "applied_force", "body": "other", "force": [1, 0], "function": "same" })");
  const RecordedRun run(
      temporary_run_file(file, "event.json"),
      {R"(analysis.events={"soft":{"when":"t - 1","action":"set","set":{"forces.spring.stiffness":2}}})"});
  for (const auto& row : run.rows) {
    if (std::abs(row[0] - 1) < 1e-6) continue;
    const double k = row[0] < 1 ? 8 : 2;
    CHECK(std::abs(row[run.column("same")] - k * (row[run.column("mass.x")] - 2)) < 1e-9);
    CHECK(std::abs(2 * row[run.column("other.ax")] - row[run.column("same")]) < 1e-9);
  }
}
