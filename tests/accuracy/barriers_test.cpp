// What lies between two events: barriers that are entered and left inside one step, windows of run-file events.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

struct Run {
  explicit Run(const std::string& rest) : simulation(RunDescription::from_text("{\"trammel\": 1, " + rest + "}")) {
    const RunStatus status = simulation.run();
    INFO(simulation.message());
    REQUIRE(status == RunStatus::completed);
  }
  double q(Index i) { return simulation.positions()[i]; }
  double v(Index i) { return simulation.velocities()[i]; }
  Simulation simulation;
};

/// A rotor of 0.1 + 1 kg m^2 at `speed` rad/s whose tip meets what stands at its lowest place, 1e-4 m deep at most and
/// worth 16 times its kinetic energy: it turns back. `force` holds %s for the stiffness.
std::string rotor(const std::string& force, const std::string& method, double rtol) {
  const double speed = 50;
  return R"("system": {"type": "planar", "gravity": [0, 0], "bodies": {"a": {"mass": 1, "inertia": 0.1,
      "position": [0, 0], "angular_velocity": 50}}, "constraints": {"r": {"type": "revolute",
      "bodies": ["ground", "a"], "at": [0, 0]}}, "forces": {"s": )" +
         force + R"(}}, "analysis": {"type": "dynamics", "duration": )" +
         std::to_string(3 * std::numbers::pi / speed * 0.94) +
         R"(}, "formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": ")" + method +
         R"(", "rtol": )" + std::to_string(rtol) + R"(, "atol": 1e-10}, "output": {"step": 0.05})";
}

/// A body of 1 kg at 100 m/s along x, with a force that events set.
std::string passing(const std::string& events) {
  return R"("system": {"type": "planar", "gravity": [0, 0], "bodies": {"a": {"mass": 1, "inertia": 1,
      "position": [0, 0], "velocity": [100, 0]}}, "forces": {"k": {"type": "six_component_force",
      "bodies": ["ground", "a"], "force_x": "0"}}}, "analysis": {"type": "dynamics", "duration": 10, "events": {)" +
         events +
         R"(}}, "formulation": {"type": "projection"}, "integrator": {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8})";
}

}  // namespace

TEST_CASE("a rotor turns back at a barrier that it enters and leaves inside a step") {
  const char* barriers[] = {
      R"({"type": "stop", "bodies": ["ground", "a"], "point_i": [0, -0.9999], "axis_i": [0, 1], "point_j": [1, 0],
        "stiffness": 4e11, "exponent": 1})",
      R"({"type": "tsda", "bodies": ["ground", "a"], "point_i": [0, -1.3], "point_j": [1, 0], "stiffness": 4e11,
        "free_length": 0.3001, "one_sided": "compression"})",
      R"x({"type": "tsda", "bodies": ["ground", "a"], "point_i": [0, -1.3], "point_j": [1, 0], "free_length": 0.3001,
        "spring": {"type": "expression", "formula": "4e11*min(x, 0)"}})x",
  };
  for (const char* barrier : barriers) {
    for (const char* method : {"dopri5", "dopri853", "fehlberg45", "bdf", "sdirk4", "ddeabm"}) {
      for (const double rtol : {1e-5, 1e-6}) {
        CAPTURE(std::string(barrier));
        CAPTURE(std::string(method));
        CAPTURE(rtol);
        Run run(rotor(barrier, method, rtol));
        CHECK(run.v(2) == doctest::Approx(-50).epsilon(2000 * rtol));
      }
    }
  }
}

TEST_CASE("a pair of events on one function: one of them starts where the other happened") {
  // -20 000 N over 0.1 m of the way: 5000 J become 3000 J.
  Run run(passing(R"x("in": {"when": "min(a.x-400, 400.1-a.x)", "direction": "rising",
        "set": {"forces.k.force_x": "-20000.0"}}, "out": {"when": "min(a.x-400, 400.1-a.x)", "direction": "falling",
        "set": {"forces.k.force_x": "0"}})x"));
  CHECK(run.v(0) == doctest::Approx(std::sqrt(6000)).epsilon(1e-9));
}

TEST_CASE("events that last a moment: distances, products and branches of comparisons") {
  struct Moment {
    const char* when;
    double t;
  };
  for (const Moment& moment : {Moment{"sqrt((a.x-400)^2+(a.y-0.3)^2)-0.5", 3.996},
                               {"sqrt((a.x-437.7)^2+0.0009)-0.05", (437.7 - 0.04) / 100},
                               {"(a.x>400)*(a.x<400.01)-0.5", 4},
                               {"if(a.x>400, if(a.x<400.01, 1, -1), -1)", 4},
                               {"min(a.x>400, a.x<400.01)-0.5", 4}}) {
    CAPTURE(moment.when);
    Run run(passing(std::string(R"("e": {"when": ")") + moment.when + R"(", "action": "stop"})"));
    CHECK(run.simulation.time() == doctest::Approx(moment.t).epsilon(1e-9));
  }
}

// The grid of fixed steps begins anew at the impact, so that the last step goes past the end, where the partition is
// exchanged: coordinates were taken for others.
TEST_CASE("the end of a run is what a longer run shows there") {
  const auto run_until = [](double end) {
    return std::string(R"("system": {"type": "spatial", "bodies": {"b1": {"mass": 9.42, "inertia": [201, 73.4, 166],
      "position": [7.88, -2.7, -5.39], "rotation": {"axis": [-0.966, -0.254, 0.991], "angle": -0.19},
      "velocity": [1.52, 8.71, -0.688], "angular_velocity": [-1.09, -1.84, -1.56]}},
    "constraints": {"c1": {"type": "impact", "restitution": 0.923, "rest_speed": 0.05, "bodies": ["ground", "b1"],
      "point_i": [6.1332, -0.413345, -6.63834], "axis_i": [0, 0, 1], "point_j": [-2.15, 2.37, 2.45]}},
    "forces": {"f1": {"type": "tsda", "bodies": ["ground", "b1"], "point_i": [-5.06, 1.19, 8.37],
      "point_j": [-1.48, -3.91, 1.7], "stiffness": 5970, "free_length": {"type": "harmonic", "amplitude": 2.72,
      "omega": 3.61, "offset": 13.6}}}, "gravity": [0, 0, -98.1]},
    "formulation": {"type": "coordinate_partitioning"},
    "integrator": {"type": "conditionally_explicit", "set": "stable_6", "step": 0.003792, "step_check": false},
    "analysis": {"type": "dynamics", "duration": )") +
           std::to_string(end) + "}";
  };
  for (const double end : {0.944, 0.946, 0.947, 0.948, 0.9485}) {
    CAPTURE(end);
    Run whole(run_until(end));
    Simulation longer(RunDescription::from_text("{\"trammel\": 1, " + run_until(0.96) + "}"));
    REQUIRE(longer.advance_to(end));
    for (Index i = 0; i < 7; ++i) CHECK(whole.q(i) == doctest::Approx(longer.positions()[i]).epsilon(1e-9));
  }
}

TEST_CASE("fixed steps feel a law that acts between two events inside one of them") {
  // A hump of 2 cm on the way, worth 30 J: 50 J become 80 J. It is zero where the two events are; steps are 10 cm.
  const auto run_with = [](const std::string& method, double step) {
    return R"x("system": {"type": "planar", "gravity": [0, 0], "bodies": {"a": {"mass": 1, "inertia": 1,
        "position": [0, 0], "velocity": [10, 0]}}, "forces": {"hump": {"type": "six_component_force",
        "bodies": ["ground", "a"], "force_x": "max(0, 2250*(1-((x-5.033)/0.01)^2))"}}},
        "analysis": {"type": "dynamics", "duration": 1}, )x" +
           method + R"(, "step": )" + std::to_string(step) + R"(}, "output": {"step": 0.1})";
  };
  for (const char* method :
       {R"("formulation": {"type": "projection"}, "integrator": {"type": "rk4")",
        R"("formulation": {"type": "direct"}, "integrator": {"type": "euler")",
        R"("formulation": {"type": "direct"}, "integrator": {"type": "adams", "order": 5, "mode": "predictor")",
        R"("formulation": {"type": "hybrid"}, "integrator": {"type": "ampc", "order": 4)",
        R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "leapfrog")",
        R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "velocity_verlet")",
        R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "newmark")",
        R"("integrator": {"type": "hht", "alpha": -0.1)"}) {
    for (const double step : {0.01, 0.1}) {
      CAPTURE(std::string(method));
      CAPTURE(step);
      Run run(run_with(method, step));
      // Sums over eight parts of a parabola are 1/64 short, 1/32 with values extrapolated: 1 J of 80 J, 0.6 % of the speed.
      CHECK(run.v(0) == doctest::Approx(std::sqrt(160)).epsilon(0.0075));
    }
  }
}
