// Partitions judged by amplification: the same method is about as accurate under partitioning as under projection,
// whatever the independent coordinates do, at every tolerance.
#include <doctest/doctest.h>

#include "table.h"

using namespace trammel;

namespace {

const char* const dumbbell = R"("a": {"mass": 1, "inertia": 0.1, "position": [0, 0], "velocity": [0, 3]},
  "b": {"mass": 2, "inertia": 0.1, "position": [1, 0], "velocity": [0, -3]})";
const char* const second_dumbbell = R"("c": {"mass": 1, "inertia": 0.1, "position": [5, 0], "velocity": [0, 3]},
  "d": {"mass": 2, "inertia": 0.1, "position": [6, 0], "velocity": [0, -3]})";
const char* const rod = R"("rod": {"type": "distance", "bodies": ["a", "b"]})";
const char* const second_rod = R"("second": {"type": "distance", "bodies": ["c", "d"]})";
const char* const pendulum = R"("p": {"mass": 1, "inertia": 0.1, "position": [0.5, 4]},
  "q": {"mass": 1, "inertia": 0.1, "position": [1.5, 4]})";
const char* const hinges = R"("r": {"type": "revolute", "bodies": ["ground", "p"], "at": [0, 4]},
  "s": {"type": "revolute", "bodies": ["p", "q"], "at": [1, 4]})";
const char* const tumbling =
    R"("free": {"mass": 1, "inertia": [0.2, 0.3, 0.4], "position": [0, 0, 5], "velocity": [1, 0, 0],
  "angular_velocity": [3, 2, 4]})";
const char* const same =
    R"("other": {"mass": 1, "inertia": [0.2, 0.3, 0.4], "position": [0, 0, -5], "velocity": [1, 0, 0],
  "angular_velocity": [3, 2, 4]})";
const char* const ball_jointed = R"("big": {"mass": 2, "inertia": [0.2, 0.3, 0.4], "position": [0.5, 0, 0],
  "angular_velocity": [2, 0, 0]}, "small": {"mass": 0.05, "inertia": [1e-4, 2e-4, 2e-4], "position": [1.05, 0, 0],
  "angular_velocity": [2, 0, 0]})";
const char* const ball_joints = R"("near": {"type": "spherical", "bodies": ["ground", "big"], "at": [0, 0, 0]},
  "far": {"type": "spherical", "bodies": ["big", "small"], "at": [1, 0, 0]})";
const char* const bead = R"("bead": {"mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4], "position": [1, 0, 0.1],
  "velocity": [0.0467618507, 2.97843006, -0.356044551]})";
const char* const wire =
    R"("wire": {"type": "point_on_spline", "bodies": ["ground", "bead"], "closed": true, "points": [1, 0, 0.1,
  0.7, 0.7, -0.1, 0, 1, -0.1, -0.7, 0.7, 0.1, -1, 0, 0.2, -0.7, -0.7, 0, 0, -1, -0.2, 0.7, -0.7, 0]})";

struct Model {
  const char* name;
  bool planar;
  std::vector<const char*> bodies, constraints;
  double gravity, duration;
  bool kinked =
      false;  ///< the wire's third derivative jumps at its knots, which scatters the errors of both treatments
};

const Model models[] = {
    {"dumbbell", true, {dumbbell}, {rod}, 0, 5},
    {"two dumbbells in step", true, {dumbbell, second_dumbbell}, {rod, second_rod}, 1, 5},
    {"dumbbell beside a double pendulum", true, {dumbbell, pendulum}, {rod, hinges}, 9.81, 3},
    {"dumbbells beside a double pendulum",
     true,
     {dumbbell, second_dumbbell, pendulum},
     {rod, second_rod, hinges},
     9.81,
     3},
    {"free body", false, {tumbling}, {}, 0, 5},
    {"two free bodies in step", false, {tumbling, same}, {}, 0, 5},
    {"bodies on ball joints", false, {ball_jointed}, {ball_joints}, 9.81, 2},
    {"free body beside ball joints", false, {tumbling, ball_jointed}, {ball_joints}, 9.81, 2},
    {"bead", false, {bead}, {wire}, 9.81, 2, true},
    {"bead, free body, ball joints", false, {bead, tumbling, ball_jointed}, {wire, ball_joints}, 9.81, 2, true},
};

std::string joined(const std::vector<const char*>& parts) {
  std::string text;
  for (const char* part : parts) text += (text.empty() ? "" : ", ") + std::string(part);
  return text;
}

Table motion(const Model& model, const std::string& formulation, const std::string& method, const std::string& rtol,
             const std::string& atol) {
  const std::string gravity = std::to_string(-model.gravity);
  return results_of(R"({"trammel": 1, "system": {"type": ")" + std::string(model.planar ? "planar" : "spatial") +
                    R"(", "gravity": [0, )" + (model.planar ? gravity : "0, " + gravity) + R"(], "bodies": {)" +
                    joined(model.bodies) + R"(}, "constraints": {)" + joined(model.constraints) +
                    R"(}}, "analysis": {"type": "dynamics", "duration": )" + std::to_string(model.duration) +
                    R"(}, "formulation": {"type": ")" + formulation + R"("}, "integrator": {"type": ")" + method +
                    R"(", "rtol": )" + rtol + R"(, "atol": )" + atol +
                    R"(}, "output": {"step": 0.1, "channels": "all"}})");
}

/// Largest difference of positions and orientations of bodies.
double error(const Table& run, const Table& exact) {
  double worst = 0;
  for (const std::string& name : run.names()) {
    const std::string entry = name.substr(name.find('.') + 1);
    for (const char* position : {"x", "y", "z", "phi", "e0", "e1", "e2", "e3"}) {
      if (entry == position) worst = std::max(worst, difference(run[name], exact[name]));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("partitioning is as accurate as projection within a factor of ten, at tolerances of 1e-4 to 1e-10") {
  for (const Model& model : models) {
    const std::string name = model.name;
    CAPTURE(name);
    const Table exact = motion(model, "projection", "dopri853", "1e-13", "1e-14");
    for (const std::string method : {"dopri5", "dopri853"}) {
      CAPTURE(method);
      std::vector<double> parted, projected;
      for (int k = 4; k <= 10; ++k) {
        const std::string rtol = "1e-" + std::to_string(k), atol = "1e-" + std::to_string(k + 2);
        projected.push_back(std::max(error(motion(model, "projection", method, rtol, atol), exact), 1e-12));
        parted.push_back(error(motion(model, "coordinate_partitioning", method, rtol, atol), exact));
      }
      double product = 1;
      for (std::size_t k = 0; k < parted.size(); ++k) {
        const double before = k > 0 ? projected[k - 1] : 0, behind = k + 1 < projected.size() ? projected[k + 1] : 0;
        const double scattered = model.kinked ? std::max(before, behind) : 0;
        CAPTURE(k + 4);
        CHECK(parted[k] <= 10 * std::max(projected[k], scattered));
        product *= parted[k] / projected[k];
      }
      CHECK(std::pow(product, 1.0 / 7) < 5);  // not by chance
    }
  }
}

TEST_CASE("hundreds of bodies: columns are exchanged in sparse form too") {
  std::string bodies, rods;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i), x = std::to_string(3 * i);
    bodies += (i > 0 ? ", " : "") + ("\"a" + n) + R"(": {"mass": 1, "inertia": 0.1, "position": [)" + x +
              R"(, 0], "velocity": [0, 3]},
      "b)" + n +
              R"(": {"mass": 2, "inertia": 0.1, "position": [)" + std::to_string(3 * i + 1) +
              R"(, 0], "velocity": [0, -3]})";
    rods +=
        (i > 0 ? ", " : "") + ("\"d" + n) + R"(": {"type": "distance", "bodies": ["a)" + n + R"(", "b)" + n + R"("]})";
  }
  const Table run = motion({"many", true, {bodies.c_str()}, {rods.c_str()}, 0, 1}, "coordinate_partitioning", "dopri5",
                           "1e-7", "1e-9");
  Column exact;
  for (double t : run["t"]) exact.push_back(2.0 / 3 - 2.0 / 3 * std::cos(6 * t));
  CHECK(difference(run["a0.x"], exact) < 1e-5);
  CHECK(difference(shifted(run["a199.x"], -597), exact) < 1e-5);
}

TEST_CASE("what drivers determine is exact under every treatment, alone and beside what moves freely") {
  // Dependent coordinates are no part of the error control; where all motion is driven, first-order views let all
  // estimates count, and in every view a solution has to continue the way of the motion.
  const auto theta = [](double t) { return 3 * t * t + 0.3 * (1 - std::cos(20 * t)); };
  for (const char* free : {"", R"(, "ball": {"mass": 1, "inertia": 1, "position": [5, 5]})"}) {
    for (const char* formulation : {"coordinate_partitioning", "hybrid"}) {
      for (const char* method :
           {"dopri5", "dopri853", "fehlberg45", "ddeabm", "rosenbrock_nystrom", "sdirk4", "trapezoidal", "bdf"}) {
        const bool first_order = std::string(method).find_first_of("dfe") == 0;
        if (!first_order && formulation[0] == 'h') continue;
        CAPTURE(std::string(free));
        CAPTURE(std::string(formulation));
        CAPTURE(std::string(method));
        const Table run =
            results_of(R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
            "crank": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}, "rod": {"mass": 1, "inertia": 0.2, "position": [2, 0]})" +
                       std::string(free) +
                       R"json(}, "constraints": {"o": {"type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0]},
            "a": {"type": "revolute", "bodies": ["crank", "rod"], "at": [1, 0]},
            "slide": {"type": "point_on_line", "bodies": ["ground", "rod"], "at": [3, 0], "axis": [1, 0]},
            "turn": {"type": "angle_driver", "bodies": ["ground", "crank"],
              "function": {"type": "expression", "formula": "3*t^2 + 0.3*(1 - cos(20*t))"}}}},
          "analysis": {"type": "dynamics", "duration": 4}, "output": {"step": 0.05, "channels": "all"}, "formulation": {"type": ")json" +
                       formulation + R"("}, "integrator": {"type": ")" + method + R"(", "rtol": 1e-6, "atol": 1e-8}})");
        const double bound = formulation[0] == 'h' ? 1e-6 : 1e-9;  // step 5a accepts violations of 1e-7
        CHECK(difference(run, "crank.phi", theta) < bound);
        CHECK(difference(run, "rod.phi", [&](double t) { return std::asin(-0.5 * std::sin(theta(t))); }) < bound);
      }
    }
  }
}
