// Quasi-static motions at the edges of arithmetic and of stability, against closed forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "bisection.h"
#include "finished_run.h"
#include "refusal.h"

using namespace trammel;

namespace {

std::string model(const std::string& system, const std::string& analysis = R"("duration": 1)") {
  return temporary_run_file(R"({"trammel": 1, "system": {)" + system + R"(}, "analysis": {"type": "quasi_static", )" +
                                analysis + R"(}, "output": {"step": 0.1}})",
                            "quasi_static_edge.json")
      .string();
}

/// Where a warning says that the equilibrium becomes unstable, s; NaN: none does.
double unstable_from(const Simulation& run) {
  for (const std::string& text : run.warnings()) {
    const std::size_t at = text.find("the equilibrium at t = ");
    if (at != std::string::npos && text.find("is unstable") != std::string::npos)
      return std::strtod(text.c_str() + at + 23, nullptr);
  }
  return std::nan("");
}

}  // namespace

TEST_CASE("bushings carry a body without rows: x = F / k") {
  Simulation run(model(R"("type": "planar", "bodies": {"a": {"mass": 1, "inertia": 0.1}},
    "forces": {"s": {"type": "bushing", "bodies": ["ground", "a"], "at": [0, 0], "stiffness": [100, 100], "torsional_stiffness": 5},
      "l": {"type": "applied_force", "body": "a", "force": [1, 0], "function": {"type": "polynomial", "coefficients": [0, 1]}}})"),
                 with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(0.01).epsilon(1e-9));
}

TEST_CASE(
    "a spring of 1 N/m moves as it should beside one of 1e13 N/m, and an upright pendulum is not taken for stable") {
  Simulation run(
      model(
          R"("type": "planar", "bodies": {"a": {"mass": 1, "inertia": 0.01}, "b": {"mass": 1, "inertia": 0.01, "position": [0, 1]}},
    "constraints": {"ga": {"type": "translational", "bodies": ["ground", "a"], "at": [0, 0], "axis": [1, 0]},
      "gb": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 1], "axis": [1, 0]}},
    "forces": {"soft": {"type": "tsda", "bodies": ["ground", "a"], "point_i": [-1, 0], "stiffness": 1, "free_length": 1},
      "stiff": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [-1, 1], "stiffness": 1e13, "free_length": 1},
      "load": {"type": "applied_force", "body": "a", "force": [0.1, 0], "function": {"type": "polynomial", "coefficients": [0, 1]}}})"),
      with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(0.1).epsilon(1e-6));
  Simulation lamp(model(R"("type": "planar", "gravity": [0, -9.81],
    "bodies": {"p": {"mass": 0.1, "inertia": 0.001, "position": [0.0003, 0.3]}, "b": {"mass": 1, "inertia": 0.01, "position": [3, 1]}},
    "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "p"], "at": [0, 0]},
      "gb": {"type": "translational", "bodies": ["ground", "b"], "at": [3, 1], "axis": [1, 0]}},
    "forces": {"stiff": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [2, 1], "stiffness": 1e10, "free_length": 1}})"),
                  with_sets());
  CHECK(lamp.run() == RunStatus::completed);
  CHECK(lamp.positions()[1] == doctest::Approx(-0.3).epsilon(1e-6));
  CHECK(std::isnan(unstable_from(lamp)));
}

TEST_CASE("a double pendulum under a follower force flutters where the eigenvalues of its two equations meet") {
  Simulation run(
      model(R"("type": "planar", "bodies": {"l1": {"mass": 1, "inertia": 0.08333333333333333, "position": [0.5, 0]},
      "l2": {"mass": 1, "inertia": 0.08333333333333333, "position": [1.5, 0]}},
    "constraints": {"p1": {"type": "revolute", "bodies": ["ground", "l1"], "at": [0, 0]},
      "p2": {"type": "revolute", "bodies": ["l1", "l2"], "at": [1, 0]}},
    "forces": {"s1": {"type": "rsda", "bodies": ["ground", "l1"], "stiffness": 10}, "s2": {"type": "rsda", "bodies": ["l1", "l2"], "stiffness": 10},
      "P": {"type": "applied_force", "body": "l2", "point": [0.5, 0], "force": [-45, 0], "frame": "body",
        "function": {"type": "polynomial", "coefficients": [0, 1]}}})"),
      with_sets());
  CHECK(run.run() == RunStatus::completed);
  // [4/3 1/2; 1/2 1/3] w'' + [2 k - P, P - k; -k, k] w = 0 in absolute angles, of rods of 1 kg and 1 m.
  const auto discriminant = [](double P) {
    const double k = 10, a = 4.0 / 3 / 3 - 0.25;
    const double b = (4.0 / 3) * k + (1.0 / 3) * (2 * k - P) - 0.5 * (P - k) + 0.5 * k,
                 c = (2 * k - P) * k + k * (P - k);
    return b * b - 4 * a * c;
  };
  const double flutters = bisection(discriminant, 0, 45);
  CHECK(unstable_from(run) >= flutters / 45);
  CHECK(unstable_from(run) <= flutters / 45 + 0.0051);
}

TEST_CASE("many short steps come to the end") {
  Simulation run(model(R"("type": "planar", "bodies": {"m": {"mass": 1, "inertia": 0.1}},
    "constraints": {"g": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"s": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [-1, 0], "stiffness": 100, "free_length": 1},
      "load": {"type": "applied_force", "body": "m", "force": [10, 0], "function": {"type": "polynomial", "coefficients": [0, 1]}}})",
                       R"("duration": 1, "longest_step": 1e-4)"),
                 with_sets());
  CHECK(run.run() == RunStatus::completed);
  CAPTURE(run.message());
  CHECK(run.positions()[0] == doctest::Approx(0.1).epsilon(1e-9));
}

TEST_CASE("a spatial double pendulum hangs, and nothing holds it against turning about the vertical") {
  Simulation run(model(R"("type": "spatial", "gravity": [0, 0, -9.81], "bodies": {
      "upper": {"mass": 2, "inertia": [0.001, 0.17, 0.17], "position": [0.5, 0, 0]},
      "lower": {"mass": 1, "inertia": [0.001, 0.055, 0.055], "position": [1, 0.4, 0], "rotation": {"axis": [0, 0, 1], "angle": 1.5707963267948966}}},
    "constraints": {"shoulder": {"type": "spherical", "bodies": ["ground", "upper"], "at": [0, 0, 0]},
      "elbow": {"type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0, 0], "axis": [0, 0, 1]}})"),
                 with_sets());
  CHECK(run.run() == RunStatus::completed);
  CAPTURE(run.message());
  const auto total = [&](Index i) { return 2 * run.positions()[i] + run.positions()[7 + i]; };
  CHECK(std::hypot(total(0), total(1)) < 1e-9);  // the mass centre below the pin
  CHECK(total(2) < -1);
}

TEST_CASE("a load whose rate is not defined ends the motion as that, not as one that snaps over or stands still") {
  const auto pushed = [](const char* formula) {
    return model(std::string(R"("type": "planar", "bodies": {"m": {"mass": 1, "inertia": 0.1}},
    "constraints": {"g": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"s": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [-1, 0], "stiffness": 100, "free_length": 1},
      "load": {"type": "applied_force", "body": "m", "force": [10, 0], "function": {"type": "expression", "formula": ")") +
                 formula + R"("}}})");
  };
  Simulation inside(pushed("sqrt(0.5 - t)"), with_sets());
  CHECK(inside.run() == RunStatus::failed);
  CHECK(inside.time() == doctest::Approx(0.5).epsilon(1e-9));
  CAPTURE(inside.message());
  CHECK(inside.message().find("out of domain") != std::string::npos);
  CHECK(inside.message().find("snaps over") == std::string::npos);
  CHECK(
      refusal([&] { Simulation at_once(pushed("sqrt(t)"), with_sets()); }, ErrorKind::compute).find("out of domain") !=
      std::string::npos);
}

TEST_CASE("where stability is not looked at, one warning says so and why") {
  std::string bodies, springs;
  for (int i = 0; i < 151; ++i) {
    const std::string comma = i == 0 ? "" : ", ", name = "\"m" + std::to_string(i) + "\"";
    bodies += comma + name + R"(: {"type": "point_mass", "mass": 1, "position": [1, 0]})";
    springs += comma + "\"s" + std::to_string(i) + R"(": {"type": "tsda", "bodies": ["ground", )" + name +
               R"(], "stiffness": 100, "free_length": 0.9})";
  }
  Simulation run(
      model(R"("type": "planar", "gravity": [10, 0], "bodies": {)" + bodies + R"(}, "forces": {)" + springs + "}",
            R"("duration": 1, "longest_step": 0.5)"),
      with_sets());
  CHECK(run.run() == RunStatus::completed);
  CHECK(run.positions()[0] == doctest::Approx(1).epsilon(1e-9));
  const auto times = std::count_if(run.warnings().begin(), run.warnings().end(), [](const std::string& text) {
    return text.find("stability is not looked at") != std::string::npos;
  });
  CHECK(times == 1);
  CHECK(warned(run, "stability is not looked at from t = 0 on: the model has more than 300 coordinates"));
}
