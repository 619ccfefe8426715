// DDEABM on models, under every treatment of the constraints, against references that no method here computed.
#include <doctest/doctest.h>

#include <cstdlib>

#include "table.h"

using namespace trammel;

namespace {

std::string ddeabm(double tolerance) {
  char text[120];
  std::snprintf(text, sizeof text, R"(integrator={"type": "ddeabm", "rtol": %g, "atol": %g})", tolerance, tolerance);
  return text;
}

double number(Simulation& simulation, const std::string& key) {
  const std::string summary = simulation.summary_json();
  const std::size_t at = summary.find("\"" + key + "\": ");
  REQUIRE(at != std::string::npos);
  return std::strtod(summary.c_str() + at + key.size() + 4, nullptr);
}

}  // namespace

TEST_CASE("A01 pendulum as a constrained body: error and drift follow the tolerance under every treatment") {
  const Table expected = reference("a01_pendulum.csv");
  const std::string file = TRAMMEL_SOURCE_DIR "/configs/benchmarks/a01_pendulum.json";
  for (const char* formulation : {R"({"type": "baumgarte", "alpha": 5})", R"({"type": "projection"})",
                                  R"({"type": "coordinate_partitioning"})", R"({"type": "hybrid"})"}) {
    CAPTURE(std::string(formulation));
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      CAPTURE(tolerance);
      const Table run = results(file, {std::string("formulation=") + formulation, ddeabm(tolerance)});
      const std::size_t stride = (expected.rows() - 1) / (run.rows() - 1);
      // Local errors of about 200 steps; the pendulum loses phase linearly with its energy.
      CHECK(difference(run["bob.x"], every(expected["x"], stride)) < 2000 * tolerance);
      CHECK(difference(run["bob.y"], every(expected["y"], stride)) < 2000 * tolerance);
    }
  }
}

TEST_CASE("chaotic double pendulum: the reference is followed up to the growth of errors") {
  const Table expected = reference("double_pendulum_chaos.csv");
  for (const char* formulation : {R"({"type": "projection"})", R"({"type": "coordinate_partitioning"})"}) {
    CAPTURE(std::string(formulation));
    const Table run =
        results(example("planar_double_pendulum"),
                {std::string("formulation=") + formulation, ddeabm(1e-12), "analysis.duration=10", "output.step=0.02"});
    Column upper = run["upper.phi"];
    for (double& angle : upper) angle += M_PI / 2;
    REQUIRE(upper.size() == expected.rows());
    const auto until = [&](double t) {
      double worst = 0;
      for (std::size_t i = 0; i < upper.size() && expected["t"][i] <= t; ++i) {
        worst = std::max(worst, std::abs(upper[i] - expected["a1"][i]));
      }
      return worst;
    };
    // 1e-10 from some hundred local errors of 1e-12, times the growth of errors: 60, 199 and 261976.
    CHECK(until(2) < 6e-9);
    CHECK(until(5) < 2e-8);
    CHECK(until(10) < 2.6e-5);
  }
}

TEST_CASE("where the partition changes the history stays: no restart, order and steps as before") {
  const std::string length = R"(analysis={"type": "dynamics", "duration": 20})";
  Simulation partitioned(example("slider_crank"),
                         {{R"(formulation={"type": "coordinate_partitioning"})", ddeabm(1e-9), length}, {}});
  Simulation projected(example("slider_crank"), {{R"(formulation={"type": "projection"})", ddeabm(1e-9), length}, {}});
  REQUIRE(partitioned.run() == RunStatus::completed);
  REQUIRE(projected.run() == RunStatus::completed);
  CHECK(number(partitioned, "partitions") >= 8);
  CHECK(number(partitioned, "restarts") == 0);
  CHECK(number(partitioned, "energy_drift") < 1e-5);
  CHECK(number(partitioned, "constraint_position") < 1e-12);
  // A restart at each partition would cost some thirty steps each.
  CHECK(number(partitioned, "steps") < 1.3 * number(projected, "steps"));
  // Two evaluations per attempt, also where the state is moved after each step.
  CHECK(number(projected, "evaluations") <= 2.02 * (number(projected, "steps") + number(projected, "rejected")) + 3);
}

TEST_CASE("dense output is as good as the steps: few outputs or many, the same motion") {
  const Table many = results(example("slider_crank"), {ddeabm(1e-9), "analysis.duration=2", "output.step=0.001"});
  const Table reference_run = results(
      example("slider_crank"),
      {R"(integrator={"type": "dopri853", "rtol": 1e-13, "atol": 1e-14})", "analysis.duration=2", "output.step=0.001"});
  // dopri853 at 1e-13 with its own dense output, which no step of ddeabm shares.
  CHECK(difference(many["rod.x"], reference_run["rod.x"]) < 1e-7);
  CHECK(difference(many["rod.vx"], reference_run["rod.vx"]) < 1e-6);
}
