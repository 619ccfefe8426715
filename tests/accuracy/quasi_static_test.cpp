// Motions through equilibria against equations of statics that are solved here, and what ends or loses them.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "bisection.h"
#include "finished_run.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

const std::string cases = std::string(TRAMMEL_SOURCE_DIR) + "/plugins/analyses/quasi_static/cases/";

/// A rod of length 1 on a hinge with a spiral spring of 10 Nm/rad, upright at 0, pressed by a vertical load at its tip that
/// grows by 1 N/s, and turned by a small moment.
std::string column(double moment, double duration) {
  return temporary_run_file(
             R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0, 0.5]}},
      "constraints": {"hinge": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}},
      "forces": {"spring": {"type": "rsda", "bodies": ["ground", "rod"], "stiffness": 10},
        "load": {"type": "applied_force", "body": "rod", "point": [0, 0.5], "force": [0, -1],
                 "function": {"type": "polynomial", "coefficients": [0, 1]}},
        "push": {"type": "applied_torque", "body": "rod", "torque": )" +
                 std::to_string(moment) + R"(}}},
    "analysis": {"type": "quasi_static", "duration": )" +
                 std::to_string(duration) + R"(}, "output": {"channels": "all"}})",
             "column.json")
      .string();
}

}  // namespace

TEST_CASE(
    "a lever between springs: angle and reaction are those of its moment and force balance, inside steps as well") {
  Simulation run(cases + "slow_lever.json", with_sets({"output.channels=\"all\""}));
  for (const double t : {0.0, 0.37, 2.5, 6.283, 10.0}) {
    CAPTURE(t);
    REQUIRE(run.advance_to(t));
    struct Forces {
      double x, y, moment;
    };
    const auto forces = [t](double angle) {
      Forces sum{0, 0, 0};
      const auto add = [&](double at, double fx, double fy) {  // at the distance `at` from the hinge
        sum.x += fx, sum.y += fy;
        sum.moment += at * (std::cos(angle) * fy - std::sin(angle) * fx);
      };
      const auto spring = [&](double x, double y, double at, double k, double l0) {
        const double dx = x - at * std::cos(angle), dy = y - at * std::sin(angle), l = std::hypot(dx, dy);
        add(at, k * (l - l0) * dx / l, k * (l - l0) * dy / l);
      };
      spring(0.6, 0.5, 0.6, 400, 0.45);
      spring(0.2, -0.4, 0.3, 250, 0.3);
      add(0.3, 0, -2 * 9.81);
      add(0.6, 0, -4 * t);
      return sum;
    };
    const double angle = bisection([&](double a) { return forces(a).moment; }, -0.6, 0.6);
    CHECK(run.positions()[2] == doctest::Approx(angle).epsilon(1e-10));
    // On the lever: what holds it in the hinge.
    CHECK(channel(run, "hinge.force.x") == doctest::Approx(-forces(angle).x).epsilon(1e-8));
    CHECK(channel(run, "hinge.force.y") == doctest::Approx(-forces(angle).y).epsilon(1e-8));
    CHECK(run.velocities().map().norm() == 0);
    CHECK(run.accelerations().map().norm() < 1e-8);
  }
}

TEST_CASE("a motor turns a slider-crank against a spring: its torque is dV/d(angle) of the potential energy") {
  Simulation run(cases + "driven_clamp.json", with_sets({"output.channels=\"all\""}));
  constexpr double a = 0.1, b = 0.3, g = 9.81;
  const auto potential = [&](double angle) {
    const double rod = -std::asin(a * std::sin(angle) / b), x = a * std::cos(angle) + b * std::cos(rod);
    const double spring = 0.8 - x - 0.42;
    return 1.0 * g * a / 2 * std::sin(angle) + 1.5 * g * (a * std::sin(angle) + b / 2 * std::sin(rod)) +
           0.5 * 3000 * spring * spring;
  };
  for (const double t : {0.0, 1.7, 9.99, 20.0}) {
    CAPTURE(t);
    REQUIRE(run.advance_to(t));
    const double angle = 0.3 + 0.2 * t, h = 1e-4;
    const double torque =
        (8 * (potential(angle + h) - potential(angle - h)) - (potential(angle + 2 * h) - potential(angle - 2 * h))) /
        (12 * h);
    CHECK(channel(run, "motor.effort") == doctest::Approx(torque).epsilon(1e-7));
    CHECK(channel(run, "motor.rate") == 0);
  }
  CHECK(run.status() != RunStatus::failed);
}

TEST_CASE("a column that stays straight is followed beyond its critical load, with a warning that says when") {
  Simulation run(column(0, 15), with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(warned(run, "is unstable in 1 direction"));
  CHECK(warned(run, "at t = 10."));  // P l = k
  Simulation stable(column(0, 9.9), with_sets());
  CHECK(stable.run() == RunStatus::completed);
  CHECK(!warned(stable, "unstable"));
}

TEST_CASE("a column with an imperfection bends: k angle = P l sin(angle) + moment") {
  Simulation run(column(0.1, 30), with_sets());
  for (const double t : {5.0, 9.0, 12.345, 30.0}) {
    REQUIRE(run.advance_to(t));
    const double angle = bisection([t](double x) { return 10 * x - t * std::sin(x) - 0.1; }, 0.01, 3.1);
    CHECK(run.positions()[2] == doctest::Approx(angle).epsilon(1e-9));
  }
  CHECK(!warned(run, "unstable"));
}

TEST_CASE("a flat truss snaps over: the run ends at the limit load and says so") {
  // Two springs from (-1, 0) and (1, 0) to a mass at (0, 0.2), which a growing load presses down. With l the length of a
  // spring the balance is P = 2 k (l0 - l) y / l; its largest value is the limit.
  const auto file = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"top": {"mass": 1, "inertia": 0.1, "position": [0, 0.2]}},
      "constraints": {"guide": {"type": "translational", "bodies": ["ground", "top"], "at": [0, 0], "axis": [0, 1]}},
      "forces": {
        "left": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [-1, 0], "point_j": [0, 0], "stiffness": 1000, "free_length": 1.0198039027185569},
        "right": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [1, 0], "point_j": [0, 0], "stiffness": 1000, "free_length": 1.0198039027185569},
        "load": {"type": "applied_force", "body": "top", "force": [0, -1], "function": {"type": "polynomial", "coefficients": [0, 1]}}}},
    "analysis": {"type": "quasi_static", "duration": 20}})",
                                       "truss.json");
  const auto load = [](double y) {
    const double l = std::hypot(1, y);
    return 2 * 1000 * (1.0198039027185569 - l) * y / l;
  };
  double limit = 0;
  for (double y = 0; y < 0.2; y += 1e-6) limit = std::max(limit, load(y));
  Simulation run(file, with_sets());
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.time() == doctest::Approx(limit).epsilon(1e-6));
  CAPTURE(run.message());
  CHECK(run.message().find("no equilibrium follows near this one; the mechanism snaps over, or runs away") !=
        std::string::npos);
}

TEST_CASE("a body that a driver moves far does not hide one that snaps over") {
  // The flat truss again, with a load of 1 N/s, beside a block that is driven at 20 m/s.
  const auto file = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"top": {"mass": 1, "inertia": 0.1, "position": [0, 0.05]}, "block": {"mass": 1, "inertia": 0.1, "position": [5, 0]}},
      "constraints": {"guide": {"type": "translational", "bodies": ["ground", "top"], "at": [0, 0], "axis": [0, 1]},
        "rail": {"type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0]},
        "travel": {"type": "coordinate_driver", "body": "block", "coordinate": "x", "rate": {"type": "constant", "value": 20}}},
      "forces": {
        "left": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [-0.5, 0], "point_j": [0, 0], "stiffness": 10000, "free_length": 0.502493781056044},
        "right": {"type": "tsda", "bodies": ["ground", "top"], "point_i": [0.5, 0], "point_j": [0, 0], "stiffness": 10000, "free_length": 0.502493781056044},
        "load": {"type": "applied_force", "body": "top", "force": [0, -1], "function": {"type": "polynomial", "coefficients": [0, 1]}}}},
    "analysis": {"type": "quasi_static", "duration": 10}})",
                                       "hidden.json");
  double limit = 0;
  for (double y = 0; y < 0.05; y += 1e-7) {
    const double l = std::hypot(0.5, y);
    limit = std::max(limit, 2 * 10000 * (0.502493781056044 - l) * y / l);
  }
  Simulation run(file, with_sets());
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.time() == doctest::Approx(limit).epsilon(1e-5));
}

TEST_CASE("a model without rows") {
  const auto free = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"mass": {"type": "point_mass", "mass": 1, "position": [0, 0]}},
      "forces": {"spring": {"type": "tsda", "bodies": ["ground", "mass"], "point_i": [1, 0], "stiffness": 100, "free_length": 1},
        "load": {"type": "applied_force", "body": "mass", "force": [3, 0], "function": {"type": "polynomial", "coefficients": [0, 1]}}}},
    "analysis": {"type": "quasi_static", "duration": 2}})",
                                       "free.json");
  Simulation run(free, with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(0.06).epsilon(1e-9));
}

TEST_CASE("what a motion through equilibria cannot treat is refused by name") {
  const auto told = [](const std::vector<std::string>& set, const std::string& words) {
    std::string message;
    try {
      Simulation run(column(0, 1), with_sets(set));
    } catch (const Error& error) {
      message = error.what();
    }
    CAPTURE(message);
    CHECK(message.find(words) != std::string::npos);
  };
  told({"analysis.duration=null"}, "missing key 'duration' for an analysis of type 'quasi_static'");
  told({"analysis.longest_step=-1"}, "longest_step");
  told({"analysis.longest_stp=1"}, "did you mean 'longest_step'?");
  told({"analysis.events={}"}, "/analysis/events: unknown key for type 'quasi_static'");
  told({"analysis.type=\"quasi_statik\""}, "did you mean 'quasi_static'?");
  told({"analysis.type=\"dynamic\""}, "did you mean 'dynamics'?");
}
