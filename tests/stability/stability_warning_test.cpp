// Warnings about steps beyond a method's stability limit, and about methods that have none.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

/// A mass of 2 kg that slides along x on a spring of 5000 N/m: omega = 50 rad/s; a slower one, 5 rad/s, beside it.
const char* const slider = R"({
  "trammel": 1,
  "system": {
    "type": "planar",
    "bodies": {
      "fast": {"mass": 2, "inertia": 1, "position": [1, 0], "velocity": [0.1, 0]},
      "slow": {"mass": 2, "inertia": 1, "position": [1, 1]}
    },
    "constraints": {
      "rail": {"type": "translational", "bodies": ["ground", "fast"], "at": [0, 0], "axis": [1, 0]},
      "other": {"type": "translational", "bodies": ["ground", "slow"], "at": [0, 1], "axis": [1, 0]}
    },
    "forces": {
      "stiff": {"type": "tsda", "bodies": ["ground", "fast"], "point_i": [0, 0], "point_j": [0, 0],
                "stiffness": 5000, "free_length": 1},
      "soft": {"type": "tsda", "bodies": ["ground", "slow"], "point_i": [0, 1], "point_j": [0, 0],
               "stiffness": 50, "free_length": 1}
    }
  },
  "analysis": {"type": "dynamics", "duration": 1},
  "integrator": {"type": "velocity_verlet", "step": 0.01},
  "formulation": {"type": "coordinate_partitioning"}
})";

std::string slider_file() {
  const std::filesystem::path file = std::filesystem::path(TRAMMEL_BUILD_DIR) / "tests" / "stability_slider.json";
  std::ofstream(file) << slider;
  return file.string();
}

/// What a run set up like this says about stability, "" if nothing.
std::string told(const std::string& integrator, const std::string& formulation) {
  static const std::string file = slider_file();
  Simulation simulation(file, {{"formulation=" + formulation, "integrator=" + integrator}, {}});
  std::string found;
  for (const std::string& warning : simulation.warnings()) {
    if (warning.find("stability limit") != std::string::npos || warning.find("unstable") != std::string::npos) {
      CHECK(found.empty());
      found = warning;
    }
  }
  return found;
}

std::string method(const std::string& type, double step, const std::string& more = "") {
  return "{\"type\": \"" + type + "\", \"step\": " + std::to_string(step) + more + "}";
}

const std::string reduced = R"({"type": "coordinate_partitioning"})", bare = "null";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("steps beyond the limit: the warning has limit and frequency") {
  // h omega = 2.05 and 1.95; all four have the limit 2
  for (const char* type : {"velocity_verlet", "leapfrog", "beeman", "central_differences"}) {
    CAPTURE(type);
    const std::string warning = told(method(type, 0.041), reduced);
    CHECK(contains(warning, type));
    CHECK(contains(warning, "about 50 rad/s; the limit is 2,"));
    CHECK(told(method(type, 0.039), reduced).empty());
  }
  CHECK(contains(told(method("rattle", 0.041), bare), "about 50 rad/s; the limit is 2,"));
  CHECK(told(method("rattle", 0.039), bare).empty());
}

TEST_CASE("parameter sets of the conditionally explicit family, both views") {
  for (const std::string& formulation : {reduced, bare}) {
    CAPTURE(formulation);
    const std::string set = R"(, "set": "alpha_3_4")";
    CHECK(contains(told(method("conditionally_explicit", 0.036, set), formulation), "the limit is 1.732,"));
    CHECK(told(method("conditionally_explicit", 0.034, set), formulation).empty());  // 1.7
  }
}

TEST_CASE("Newmark's method is explicit enough below beta = gamma/2") {
  CHECK(contains(told(method("newmark", 0.07, R"(, "beta": 0.16666666666666666)"), reduced), "the limit is 3.464,"));
  CHECK(told(method("newmark", 0.069, R"(, "beta": 0.16666666666666666)"), reduced).empty());
  CHECK(told(method("newmark", 0.5), reduced).empty());
  CHECK(told(method("hht", 0.5), bare).empty());
}

TEST_CASE("beyond the end of an interval there may be another") {
  // BDF of order 5 is unstable for h omega around 1 and stable for large ones.
  const std::string order_5 = R"(, "order": 5, "control": "fixed")";
  CHECK(contains(told(method("bdf", 0.02, order_5), reduced), "beyond the stability limit"));
  CHECK(told(method("bdf", 0.4, order_5), reduced).empty());
}

TEST_CASE("sets that are unstable for every step say how much errors grow") {
  const std::string weak = told(method("conditionally_explicit", 0.002, R"(, "set": "alpha_4_5")"), reduced);
  CHECK(contains(weak, "weakly unstable for every step"));
  CHECK(contains(weak, "1 + 0.267 (h omega)^2"));
  CHECK(contains(weak, "grow by 0.00267 per step"));  // h omega = 0.1
  CHECK(contains(told(method("conditionally_explicit", 1e-4, R"(, "set": "taylor_5")"), bare),
                 "unstable for every step: its spectral radius is 3.73"));
  CHECK(contains(
      told(method("conditionally_explicit", 1e-4, R"(, "weights": [1.2, 0.25, 0.3333333333333333, 0.5])"), bare),
      "spectral radius is 3.73"));
}

TEST_CASE("sets that damping makes unstable") {
  // x'' + 2 zeta omega x' + omega^2 x with zeta = 0.05: radius 1 + 0.033 h omega, in 5000 steps of h omega = 0.1
  const std::string file = std::string(TRAMMEL_SOURCE_DIR) + "/configs/papers/bustos/vibration.json";
  const auto warned = [&](const std::string& set, const std::string& damping) {
    Simulation simulation(
        file, {{"system.damping_ratio=" + damping, "integrator.set=\"" + set + "\"", "integrator.step=0.1"}, {}});
    for (const std::string& warning : simulation.warnings()) {
      if (contains(warning, "unstable for a damped motion")) return warning;
    }
    return std::string();
  };
  const std::string warning = warned("alpha_3_4", "0.05");
  CHECK(contains(warning, "eigenvalue -0.05 +- 0.9987 i 1/s"));
  CHECK(contains(warning, "grow by 0.0033"));
  CHECK(warned("alpha_3_4", "0").empty());
  CHECK(warned("balanced_4", "0.05").empty());
  // The spring of the sliding mass, damped twice as much: zeta = c / (2 m omega) = 0.1.
  Simulation constrained(slider_file(),
                         {{"formulation=null", "system.forces.stiff.damping=20",
                           "integrator=" + method("conditionally_explicit", 0.002, R"(, "set": "alpha_3_4")")},
                          {}});
  bool told_so = false;
  for (const std::string& text : constrained.warnings()) told_so = told_so || contains(text, "-5 +- 49.75 i 1/s");
  CHECK(told_so);
}

TEST_CASE("a growth that was foreseen and did not show is taken back at the end of the run") {
  const auto growth_told = [](Simulation& simulation) {
    bool told = false;
    for (const std::string& text : simulation.warnings()) told = told || contains(text, "unstable for a damped motion");
    return told;
  };
  const auto options = [](const char* speed) {
    return SimulationOptions{{"formulation=null", "system.forces.soft.damping=1",
                              "system.bodies.slow.velocity=[" + std::string(speed) + ", 0]",
                              "system.bodies.fast.velocity=[0, 0]", "system.forces.stiff.damping=20",
                              "integrator=" + method("conditionally_explicit", 0.002, R"(, "set": "alpha_3_4")")},
                             {}};
  };
  // The fast mass is at rest: its motion, whose errors the method would let grow, is not excited beyond rounding.
  Simulation calm(slider_file(), options("0.1"));
  CHECK(growth_told(calm));
  REQUIRE(calm.run() == RunStatus::completed);
  CHECK(contains(calm.report(), "are withdrawn"));
  CHECK_FALSE(growth_told(calm));
}

TEST_CASE("a growth that shows late is told, whenever the run ends") {
  // The fast mass moves by 1e-10 m/s at the start: 2e-12 m, which have become 3e-8 m after 5 s. About 7 s, where exactly
  // depends on rounding, the run is stopped because its energy has grown a thousandfold.
  for (const char* duration : {"4", "5", "5.25", "5.5", "5.75", "6", "6.5", "6.9"}) {
    CAPTURE(std::string(duration));
    Simulation run(slider_file(), {{"formulation=null", std::string("analysis.duration=") + duration,
                                    "system.bodies.fast.velocity=[1e-10, 0]", "system.bodies.slow.velocity=[0.1, 0]",
                                    "system.forces.stiff.damping=20",
                                    "integrator=" + method("conditionally_explicit", 0.002, R"(, "set": "alpha_3_4")")},
                                   {}});
    REQUIRE(run.run() == RunStatus::completed);
    run.report();
    const bool right = std::abs(run.positions()[0] - 1) < 1e-5;  // 1e-4 of the other mass's way
    CHECK((right || !run.warnings().empty()));
  }
}

TEST_CASE("methods on first-order views, by how much the model's motions grow in the run") {
  // rk4 is stable up to h omega = sqrt 8 on the imaginary axis; omega = 50 rad/s.
  CHECK(contains(told(method("rk4", 0.06), reduced), "h omega = 3)"));  // radius 1.5
  CHECK(contains(told(method("rk4", 0.2), R"({"type": "projection"})"), "beyond the stability limit of 'rk4'"));
  CHECK(told(method("rk4", 0.056), reduced).empty());
  // Heun: 1 + (h omega)^4 / 8 per step; 1.0078 in 100 steps, 1.5 in 50.
  CHECK(told(method("heun", 0.01), reduced).empty());
  CHECK(contains(told(method("heun", 0.02), reduced), "h omega = 1)"));
  // PECE of orders 4: its limit on the imaginary axis lies below 1.2, off it the damped motion of 10 rad/s is harmless.
  CHECK(contains(told(method("ampc", 0.024, R"(, "order": 4)"), reduced), "h omega = 1.2"));
  CHECK(told(method("ampc", 0.008, R"(, "order": 4)"), reduced).empty());
}

TEST_CASE("implicit methods at index 3 that damp nothing are named, whatever their steps") {
  const auto undamped = [](const std::string& integrator, const std::string& formulation) {
    static const std::string file = slider_file();
    Simulation simulation(file, {{"formulation=" + formulation, "integrator=" + integrator}, {}});
    for (const std::string& warning : simulation.warnings()) {
      if (contains(warning, "does not damp infinitely fast motions")) return true;
    }
    return false;
  };
  CHECK(undamped(method("newmark", 1e-3), bare));
  CHECK(undamped(method("hht", 1e-3, R"(, "alpha": 0)"), bare));
  CHECK(undamped(R"({"type": "generalized_alpha", "rho_infinity": 1, "rtol": 1e-4, "atol": 1e-6})", bare));
  CHECK_FALSE(undamped(method("newmark", 1e-3), reduced));
  CHECK_FALSE(undamped(method("newmark", 1e-3, R"(, "gamma": 0.6, "beta": 0.3025)"), bare));
  CHECK_FALSE(undamped(method("hht", 1e-3), bare));
  CHECK_FALSE(undamped(method("generalized_alpha", 1e-3), bare));
  CHECK_FALSE(undamped(method("rattle", 1e-3), bare));
}

TEST_CASE("controlled steps are not judged") {
  CHECK(told(R"({"type": "dopri5", "rtol": 1e-4, "atol": 1e-6})", reduced).empty());
  CHECK(told(R"({"type": "generalized_alpha", "rtol": 1e-4, "atol": 1e-6})", bare).empty());
}
