// CVODE, ARKODE and IDA on models: against the closed form of the pendulum, under treatments that move the state, on
// driven and redundant models; and the Jacobian of IDA's equations against differences. Built where SUNDIALS is there.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "loaded_model.h"
#include "recorded_run.h"
#include "stabilized_index2.h"
#include "table.h"

using namespace trammel;

namespace {

std::string integrator(const std::string& keys, double tolerance) {
  char text[80];
  std::snprintf(text, sizeof text, R"(, "rtol": %g, "atol": %g})", tolerance, tolerance);
  return "integrator={" + keys + text;
}

double number(Simulation& simulation, const std::string& key) {
  const std::string summary = simulation.summary_json();
  const std::size_t at = summary.find("\"" + key + "\": ");
  REQUIRE(at != std::string::npos);
  return std::strtod(summary.c_str() + at + key.size() + 4, nullptr);
}

/// Benchmark A01 as one body on a pin, without formulation.
const char* const pendulum =
    R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {"bob": {"mass": 1,
  "inertia": 0, "position": [1, 0]}}, "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
  "analysis": {"type": "dynamics", "duration": 10}, "integrator": {"type": "ida"}, "output": {"step": 0.01}})";

}  // namespace

TEST_CASE("A01 pendulum: error, drift and constraint violations follow the tolerance") {
  const Table expected = reference("a01_pendulum.csv");
  struct Method {
    const char* keys;
    const char* formulation;  ///< "": none
  };
  for (const Method& method : {Method{R"("type": "ida")", ""}, Method{R"("type": "cvode")", "projection"},
                               Method{R"("type": "cvode")", "coordinate_partitioning"},
                               Method{R"("type": "cvode", "method": "bdf")", "projection"},
                               Method{R"("type": "arkode", "order": 5)", "projection"},
                               Method{R"("type": "arkode", "method": "dirk", "order": 5)", "baumgarte"}}) {
    CAPTURE(std::string(method.keys));
    for (const double tolerance : {1e-5, 1e-7}) {
      CAPTURE(tolerance);
      std::vector<std::string> set{integrator(method.keys, tolerance)};
      const std::string formulation = method.formulation;
      if (!formulation.empty()) {
        set.push_back("formulation={\"type\": \"" + formulation +
                      (formulation == "baumgarte" ? "\", \"alpha\": 5}" : "\"}"));
      }
      const Table run = results_of(pendulum, set);
      // Local errors of some hundred (BDF: thousand) steps; the pendulum loses phase with its energy.
      CHECK(difference(run["bob.x"], expected["x"]) < 1e4 * tolerance);
      CHECK(difference(run["bob.y"], expected["y"]) < 1e4 * tolerance);
      // Feedback leaves what a step's error feeds: with 0.1 s per step more than projection and partitioning leave.
      CHECK(largest(run["constraint.position"]) < (formulation == "baumgarte" ? 30 : 10) * tolerance);
    }
  }
}

TEST_CASE("ARKODE's Newton iteration leaves no error beyond the tolerance where its step grows") {
  // A body that spins and flies straight on. The matrix of a shorter step left errors of 4e-3 m at 1e-5.
  const char* const spinning = R"({"trammel": 1, "system": {"type": "spatial", "bodies": {"b": {"mass": 1.11,
    "inertia": [0.193, 0.251, 0.334], "velocity": [-0.354, -0.246, -0.677], "angular_velocity": [0, 0, -2.12]}}},
    "analysis": {"type": "dynamics", "duration": 6.28}, "formulation": {"type": "direct"},
    "integrator": {"type": "ida"}, "output": {"step": 0.02}})";
  for (const double tolerance : {1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8}) {
    CAPTURE(tolerance);
    const Table run = results_of(spinning, {integrator(R"("type": "arkode", "method": "dirk")", tolerance)});
    for (std::size_t row = 0; row < run["t"].size(); ++row) {
      REQUIRE(std::abs(run["b.x"][row] + 0.354 * run["t"][row]) < tolerance);
      REQUIRE(std::abs(run["b.z"][row] + 0.677 * run["t"][row]) < tolerance);
    }
  }
}

TEST_CASE("IDA on a driven mechanism follows the drive, on a redundant one it leaves rows out") {
  Simulation driven(plugin_case("constraints/angle_driver", "angle_driver"),
                    {{integrator(R"("type": "dopri853")", 1e-11)}, {}});
  REQUIRE(driven.run() == RunStatus::completed);
  std::ifstream stream(plugin_case("constraints/angle_driver", "angle_driver"));
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::size_t at = text.find("\"formulation\""), end = text.find("}", at);
  text.erase(at, text.find(",", end) + 1 - at);
  Simulation ida(temporary_run_file(text), {{integrator(R"("type": "ida")", 1e-8)}, {}});
  const RunStatus status = ida.run();
  INFO(ida.message());
  REQUIRE(status == RunStatus::completed);
  for (Index i = 0; i < ida.positions().size; ++i) {
    CHECK(std::abs(ida.positions()[i] - driven.positions()[i]) < 1e-5);
    CHECK(std::abs(ida.velocities()[i] - driven.velocities()[i]) < 1e-4);
  }
  Simulation loop(plugin_case("integrators/sundials", "ida"), {{}, {}});
  REQUIRE(loop.run() == RunStatus::completed);
  CHECK(number(loop, "constraint_position") < 1e-6);
  CHECK(number(loop, "evaluations") > number(loop, "steps"));
  CHECK(number(loop, "newton_iterations") < 2.5 * number(loop, "steps"));  // a wrong Jacobian needs its limit of 4
}

TEST_CASE("what IDA does not treat is refused") {
  for (const char* setting :
       {R"(formulation={"type": "projection"})", R"(integrator={"type": "ida", "step": 0.1})",
        R"(integrator={"type": "ida", "norm": "max"})", R"(integrator={"type": "ida", "max_order": 6})"}) {
    const std::filesystem::path file = temporary_run_file(pendulum);
    CHECK_THROWS_AS(Simulation(file, {{setting}, {}}), Error);
  }
}

TEST_CASE("the Jacobian of the stabilized index-2 form is that of its residual") {
  for (const char* file :
       {"configs/examples/slider_crank.json", "configs/examples/planar_four_bar.json",
        "plugins/constraints/angle_driver/cases/angle_driver.json", "plugins/constraints/screw/cases/screw.json"}) {
    CAPTURE(std::string(file));
    LoadedModel model(std::filesystem::path(TRAMMEL_SOURCE_DIR) / file);
    const Index n = model.numbers.coordinates(), m = model.numbers.constraints();
    sundials::StabilizedIndex2 equations(n, m);
    const Index N = equations.size();
    const double t = 0.3, c = 7;
    std::vector<double> Y(static_cast<std::size_t>(N)), Y_dot(Y), plus(Y), minus(Y);
    model.disturb(1, 0.05);
    std::copy(model.q.begin(), model.q.end(), Y.begin());
    std::copy(model.v.begin(), model.v.end(), Y.begin() + n);
    for (Index i = 0; i < N; ++i) Y_dot[static_cast<std::size_t>(i)] = std::sin(3.0 * i);
    for (Index i = 0; i < m; ++i) Y[static_cast<std::size_t>(2 * n + i)] = std::cos(2.0 * i);
    for (Index i = 0; i < m; ++i) Y[static_cast<std::size_t>(2 * n + m + i)] = std::sin(1.0 + i);  // mu, far from its 0
    Eigen::MatrixXd J(N, N);
    REQUIRE(equations.jacobian(model.numbers, t, c, Y.data(), Y_dot.data(), {J.data(), N, N, N}).ok());
    double worst = 0;
    for (Index j = 0; j < N; ++j) {
      const double step = 1e-6;
      const auto moved = [&](double s, std::vector<double>& F) {
        std::vector<double> y = Y, y_dot = Y_dot;
        y[static_cast<std::size_t>(j)] += s;
        y_dot[static_cast<std::size_t>(j)] += c * s;
        REQUIRE(equations.residual(model.numbers, t, y.data(), y_dot.data(), F.data()).ok());
      };
      moved(step, plus);
      moved(-step, minus);
      for (Index i = 0; i < N; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double difference = (plus[k] - minus[k]) / (2 * step);
        worst = std::max(worst, std::abs(difference - J(i, j)) / (1 + std::abs(difference)));
      }
    }
    CHECK(worst < 1e-7);  // central differences with 1e-6: rounding 1e-10 of forces of some 10 N, truncation 1e-12
    CHECK(worst > 0);
  }
}

// x'' = -w^2 x from x = 0 with w a = v_0 > 0, wall at x = d: it meets the wall at sin(w t) = d w / v_0, leaves it with e
// times its speed u there, and comes back when x = d again, (2 pi - 2 atan2(u / w, d)) / w later, with the speed u.
TEST_CASE("single impacts at every tolerance: a mass on a spring against a wall, by its closed form") {
  const double w = 5, v_0 = 3, d = 0.3, e = 0.7, duration = 4;
  std::vector<double> expected = {std::asin(d * w / v_0) / w};
  for (double u = e * std::sqrt(v_0 * v_0 - w * w * d * d); expected.back() < duration; u *= e)
    expected.push_back(expected.back() + (2 * std::acos(-1.0) - 2 * std::atan2(u / w, d)) / w);
  expected.pop_back();
  const auto file = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar",
    "bodies": {"mass": {"mass": 2, "inertia": 0.1, "velocity": [3, 0]}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0]},
      "wall": {"type": "impact", "bodies": ["ground", "mass"], "point_i": [0.3, 0], "axis_i": [-1, 0],
               "restitution": 0.7}},
    "forces": {"spring": {"type": "tsda", "bodies": ["ground", "mass"], "point_i": [-5, 0], "stiffness": 50,
                          "free_length": 5}}},
    "analysis": {"type": "dynamics", "duration": 4}, "formulation": {"type": "projection"},
    "integrator": {"type": "cvode"}, "output": {"at": "steps", "channels": ["mass"]}})",
                                       "wall.json");
  struct Method {
    const char* keys;
    double least;  // tolerance: low orders take too many steps below
  };
  for (const auto& [keys, least] :
       {Method{R"("type": "cvode")", 1e-12}, Method{R"("type": "cvode", "method": "bdf")", 1e-9},
        Method{R"("type": "arkode")", 1e-12}}) {
    for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      if (tolerance < least) continue;
      CAPTURE(keys);
      CAPTURE(tolerance);
      const RecordedRun run(file, {integrator(keys, tolerance)});
      REQUIRE(run.events.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::abs(run.events[i].t - expected[i]) < 1e2 * tolerance + 1e-11);
    }
  }
}
