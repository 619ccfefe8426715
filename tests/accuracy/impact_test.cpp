// Impacts against closed forms: bouncing ball, pendulum against a stop, colliding pendulums, a chain of two links.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"
#include "recorded_run.h"
#include "reference_error.h"

using namespace trammel;

namespace {

const char* const ball = R"json({ "trammel": 1,
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "ball": { "mass": 0.5, "inertia": 0.001, "position": [0, 1] } },
    "constraints": { "floor": { "type": "impact", "bodies": ["ground", "ball"], "axis_i": [0, 1], "restitution": 0.8 } } },
  "analysis": { "type": "dynamics", "duration": 3 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri5", "rtol": 1e-9, "atol": 1e-11 },
  "output": { "step": 0.05, "channels": ["ball", "energy"] } })json";

/// A rod of length 1 and mass 2 on a hinge at the origin, let go 1 rad off the vertical; its end meets the plane x = 0.
const char* const pendulum = R"json({ "trammel": 1, "parameters": { "a": 1.0 },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "rod": { "mass": 2, "inertia": "=2/12", "position": ["=0.5*sin(a)", "=-0.5*cos(a)"], "angle": "=a" } },
    "constraints": {
      "hinge": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0] },
      "wall": { "type": "impact", "bodies": ["ground", "rod"], "axis_i": [1, 0], "point_j": [0, -0.5], "restitution": 0.7 } } },
  "analysis": { "type": "dynamics", "duration": 3 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri853", "rtol": 1e-12, "atol": 1e-13 },
  "output": { "at": "steps", "channels": ["rod", "energy", "constraint"] } })json";

/// Quarter of the pendulum's period at this amplitude, omega0^2 = 3 g / (2 l): K(sin(a/2)) / omega0 by the
/// arithmetic-geometric mean.
double quarter_period(double amplitude) {
  double x = 1, y = std::cos(0.5 * amplitude);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (x + y);
    y = std::sqrt(x * y), x = mean;
  }
  return M_PI / (2 * x) / std::sqrt(1.5 * 9.81);
}

}  // namespace

TEST_CASE("a bouncing ball: times are a geometric series, under every treatment and method") {
  const auto file = temporary_run_file(ball, "ball.json");
  const std::string formulations[] = {
      R"(formulation={"type":"projection"})", R"(formulation={"type":"baumgarte","alpha":5})",
      R"(formulation={"type":"coordinate_partitioning"})", R"(formulation={"type":"hybrid","alpha":5})",
      R"(formulation={"type":"recursive"})"};
  struct Method {
    std::string set;
    double tolerance;  // of times of impact, s; what the method's tolerance or order leaves
    bool second_order = false;
  };
  const Method methods[] = {
      {R"(integrator={"type":"dopri5","rtol":1e-9,"atol":1e-11})", 1e-11},
      {R"(integrator={"type":"rk4","step":0.013})", 1e-11},
      {R"(integrator={"type":"adams","order":8,"control":"haug","rtol":1e-9,"atol":1e-11})", 1e-9},
      {R"(integrator={"type":"ddeabm","rtol":1e-9,"atol":1e-11})", 1e-9},
      {R"(integrator={"type":"rodas43","rtol":1e-9,"atol":1e-11})", 1e-9, true},
      {R"(integrator={"type":"newmark","step":0.01})", 1e-9, true}};
  for (const std::string& formulation : formulations) {
    for (const Method& method : methods) {
      const bool both =
          formulation.find("partitioning") != std::string::npos || formulation.find("recursive") != std::string::npos;
      if (method.second_order && !both) continue;
      CAPTURE(formulation);
      CAPTURE(method.set);
      const RecordedRun run(file, {formulation, method.set});
      REQUIRE(run.events.size() == 6);
      double expected = std::sqrt(2 / 9.81), speed = 9.81 * expected, worst = 0;
      for (const RecordedEvent& event : run.events) {
        CHECK(event.element == "floor");
        CHECK(event.name == "impact");
        CHECK(event.direction == -1);
        worst = std::max(worst, std::abs(event.t - expected));
        speed *= 0.8;
        expected += 2 * speed / 9.81;
      }
      CHECK(noted("planar impact", "bouncing ball, times in a geometric series", worst) < method.tolerance);
      CHECK(run.energy_drift < 1e-9);  // of 4.9 J; the losses are accounted as dissipated
      CHECK(run.final("energy.dissipated") == doctest::Approx(4.905 * (1 - std::pow(0.64, 6))).epsilon(1e-9));
    }
  }
}

TEST_CASE("behind an impact the first step is chosen anew: what vibrates now was at rest before") {
  // Two masses on a stiff spring fall as one, in steps of a tenth of a second, and vibrate at 1400 rad/s when one has
  // met the floor. The step of before makes two more attempts void.
  const std::string text = R"json({ "trammel": 1,
    "system": { "type": "planar", "gravity": [0, -9.81],
      "bodies": { "a": { "mass": 1, "inertia": 1, "position": [0, 1] }, "b": { "mass": 1, "inertia": 1, "position": [0, 2] } },
      "constraints": { "floor": { "type": "impact", "bodies": ["ground", "a"], "axis_i": [0, 1], "restitution": 0.5 } },
      "forces": { "s": { "type": "tsda", "bodies": ["a", "b"], "stiffness": 1e6, "free_length": 1 } } },
    "analysis": { "type": "dynamics", "duration": 0.46 }, "formulation": { "type": "coordinate_partitioning" },
    "integrator": { "type": "trapezoidal", "rtol": 1e-6, "atol": 1e-8 } })json";
  FinishedRun run(temporary_run_file(text));
  const std::string summary = run.simulation.summary_json();
  const double rejected = std::strtod(summary.c_str() + summary.find("\"rejected\": ") + 12, nullptr);
  CHECK(rejected < 4);
}

TEST_CASE("a ball at rest hops below every scale of interest, and stays") {
  const auto file = temporary_run_file(ball, "ball.json");
  const RecordedRun run(file, {"analysis.duration=6"});
  CHECK(run.final("ball.y") < 0.005 * 0.005 / (2 * 9.81) + 1e-12);  // the height of a hop at rest_speed
  CHECK(run.final("ball.y") > -1e-10);
  CHECK(run.events.size() < 40);  // hops write no rows
  CHECK(run.energy_drift < 1e-9);
  const RecordedRun lying(file, {"system.bodies.ball.position=[0,0]", "analysis.duration=1"});
  CHECK(std::abs(lying.final("ball.y")) < 2e-6);
}

TEST_CASE("a pendulum against a stop: times by elliptic integrals, rates by the restitution") {
  const auto file = temporary_run_file(pendulum, "pendulum.json");
  for (const char* set : {R"(formulation={"type":"projection"})", R"(formulation={"type":"coordinate_partitioning"})",
                          R"(formulation={"type":"recursive"})", R"(formulation={"type":"baumgarte","alpha":10})"}) {
    CAPTURE(set);
    const RecordedRun run(file, {set});
    double amplitude = 1, expected = quarter_period(1);
    REQUIRE(run.events.size() >= 4);
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      CHECK(std::abs(run.events[i].t - expected) < 1e-9);  // dense output of order 7 at the tolerance of 1e-12
      amplitude = std::acos(1 - 0.49 * (1 - std::cos(amplitude)));
      expected += 2 * quarter_period(amplitude);
    }
    CHECK(run.energy_drift < 1e-9);
    CHECK(run.largest("constraint.velocity") < 1e-8);  // v+ obeys the constraints
  }
}

TEST_CASE("index-3 methods go through impacts at their order") {
  const auto file = temporary_run_file(pendulum, "pendulum.json");
  for (const char* type : {"hht", "generalized_alpha"}) {
    CAPTURE(type);
    const auto error = [&](double h) {
      const RecordedRun run(file, {"formulation=null", "integrator={\"type\":\"" + std::string(type) +
                                                           "\",\"step\":" + std::to_string(h) + "}"});
      REQUIRE(run.events.size() >= 3);
      CHECK(run.largest("constraint.velocity") < 1e-2);
      const double amplitude = std::acos(1 - 0.49 * (1 - std::cos(1.0)));
      const double second = quarter_period(1) + 2 * quarter_period(amplitude);
      return std::abs(run.events[1].t - second);
    };
    const double coarse = error(0.004), fine = error(0.001);
    CHECK(coarse < 1e-4);
    CHECK(fine < coarse / 10);  // order 2 gives 16
  }
}

TEST_CASE("two pendulums meet: the impulse of all constraints gives the jump of the hand calculation") {
  // Rods of length 1 hang side by side, 0.4 apart; the first swings against the second, plane to point, at its end:
  // with I1, I2 about the hinges, I1 w1+ + I2 w2+ = I1 w1-, w2+ - w1+ = e w1-.
  const char* text = R"json({ "trammel": 1, "parameters": { "a": -0.8 },
    "system": { "type": "planar", "gravity": [0, -9.81],
      "bodies": {
        "first": { "mass": 3, "inertia": 0.25, "position": ["=0.5*sin(a)", "=-0.5*cos(a)"], "angle": "=a" },
        "second": { "mass": 1.2, "inertia": 0.1, "position": [0.4, -0.5] } },
      "constraints": {
        "hinge1": { "type": "revolute", "bodies": ["ground", "first"], "at": [0, 0] },
        "hinge2": { "type": "revolute", "bodies": ["ground", "second"], "at": [0.4, 0] },
        "meet": { "type": "impact", "bodies": ["first", "second"], "axis_i": [1, 0], "point_i": [0.4, -0.5],
                  "point_j": [0, -0.5], "restitution": 0.6 } } },
    "analysis": { "type": "dynamics", "duration": 2, "events": { "met": { "when": "meet.gap", "action": "stop" } } },
    "formulation": { "type": "projection" },
    "integrator": { "type": "dopri853", "rtol": 1e-12, "atol": 1e-13 },
    "output": { "at": "steps", "channels": ["first", "second", "energy"] } })json";
  for (const char* host : {"planar"}) {
    CAPTURE(host);
    const RecordedRun run(temporary_run_file(text, "collide.json"));
    const double I1 = 0.25 + 3 * 0.25, I2 = 0.1 + 1.2 * 0.25;
    const double before = std::sqrt(2 * 3 * 9.81 * 0.5 * (1 - std::cos(0.8)) / I1);
    const double w1 = before * (I1 - 0.6 * I2) / (I1 + I2), w2 = before * 1.6 * I1 / (I1 + I2);
    CHECK(std::abs(run.final("first.omega") - w1) < 1e-9);
    CHECK(std::abs(run.final("second.omega") - w2) < 1e-9);
    CHECK(run.final("energy.dissipated") ==
          doctest::Approx(0.5 * (I1 * before * before - I1 * w1 * w1 - I2 * w2 * w2)).epsilon(1e-9));
  }
}

TEST_CASE("spatial: a double pendulum's end strikes a wall; the jump is that of the two angles") {
  // Joint space: M(theta) dw = J^T p with the two absolute angles of equal rods (m = 1, l = 1, I = 1/12).
  const char* text = R"json({ "trammel": 1,
    "system": { "type": "spatial", "gravity": [0, -9.81, 0],
      "bodies": {
        "upper": { "mass": 1, "inertia": [0.01, 0.08333333333333333, 0.08333333333333333], "position": [0.5, 0, 0] },
        "lower": { "mass": 1, "inertia": [0.01, 0.08333333333333333, 0.08333333333333333], "position": [1.5, 0, 0] } },
      "constraints": {
        "top": { "type": "revolute", "bodies": ["ground", "upper"], "at": [0, 0, 0], "axis": [0, 0, 1] },
        "middle": { "type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0, 0], "axis": [0, 0, 1] },
        "wall": { "type": "impact", "bodies": ["ground", "lower"], "axis_i": [0, 1, 0], "point_i": [0, -1, 0],
                  "point_j": [0.5, 0, 0], "restitution": 0.5 } } },
    "analysis": { "type": "dynamics", "duration": 2 },
    "formulation": { "type": "projection" },
    "integrator": { "type": "dopri853", "rtol": 1e-12, "atol": 1e-13 },
    "output": { "at": "steps", "channels": ["top", "middle", "wall", "energy", "constraint"] } })json";
  const auto file = temporary_run_file(text, "wall.json");
  const RecordedRun first(file, {R"(analysis.events={"met":{"when":"wall.gap","action":"stop"}})"});
  // The same motion without the wall gives the state before.
  const RecordedRun before(file, {R"(analysis.events={"met":{"when":"lower_end.y + 1","action":"stop"}})",
                                  R"(system.points={"lower_end":{"body":"lower","point":[0.5,0,0]}})",
                                  "system.constraints.wall.point_i=[0,-9,0]"});
  REQUIRE(first.t() == doctest::Approx(before.t()).epsilon(1e-11));
  const double a1 = before.final("top.angle"), a2 = a1 + before.final("middle.angle");
  const double w1 = before.final("top.rate"), w2 = w1 + before.final("middle.rate");
  const double M11 = 1.0 / 3 + 1, M12 = 0.5 * std::cos(a1 - a2), M22 = 1.0 / 3, det = M11 * M22 - M12 * M12;
  const double J1 = std::cos(a1), J2 = std::cos(a2);  // y of the end = sin a1 + sin a2
  const double X1 = (M22 * J1 - M12 * J2) / det, X2 = (M11 * J2 - M12 * J1) / det;
  const double p = -1.5 * (J1 * w1 + J2 * w2) / (J1 * X1 + J2 * X2);
  CHECK(noted("spatial impact", "double pendulum against a wall, impulse by hand",
              std::abs(first.final("top.rate") - (w1 + X1 * p))) < 1e-9);
  CHECK(std::abs(first.final("top.rate") + first.final("middle.rate") - (w2 + X2 * p)) < 1e-9);
  CHECK(first.final("constraint.velocity") < 1e-13);
  CHECK(first.energy_drift < 1e-9);
}

TEST_CASE("several contacts at once: two feet, a redundant middle one, and no pull") {
  const char* text = R"json({ "trammel": 1,
    "system": { "type": "planar", "gravity": [0, -10],
      "bodies": { "table": { "mass": 2, "inertia": 0.3, "position": [0, 1.25] } },
      "constraints": {
        "left": { "type": "impact", "bodies": ["ground", "table"], "axis_i": [0, 1], "point_j": [-1, 0], "restitution": 0.5 },
        "right": { "type": "impact", "bodies": ["ground", "table"], "axis_i": [0, 1], "point_j": [1, 0], "restitution": 0.5 },
        "centre": { "type": "impact", "bodies": ["ground", "table"], "axis_i": [0, 1], "restitution": 0.5 } } },
    "analysis": { "type": "dynamics", "duration": 0.9 },
    "formulation": { "type": "projection" },
    "integrator": { "type": "dopri5", "rtol": 1e-9, "atol": 1e-11 },
    "output": { "step": 0.1, "channels": ["table", "energy"] } })json";
  const RecordedRun run(temporary_run_file(text, "table.json"));
  REQUIRE(run.events.size() == 3);
  for (const RecordedEvent& event : run.events) CHECK(std::abs(event.t - 0.5) < 1e-12);
  // 5 m/s down, 2.5 up: at 0.9 s, 0.4 s later
  CHECK(std::abs(run.final("table.y") - (2.5 * 0.4 - 5 * 0.16)) < 1e-11);
  CHECK(std::abs(run.final("table.omega")) < 1e-12);
}
