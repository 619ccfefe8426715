// Motions of point masses against rigid bodies held or composed to the same thing, and against an ODE of their own.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <functional>

#include "finished_run.h"
#include "table.h"

namespace trammel {
namespace {

constexpr const char* formulations[] = {
    R"("formulation": {"type": "direct"}, )", R"("formulation": {"type": "baumgarte", "alpha": 5}, )",
    R"("formulation": {"type": "projection"}, )", R"("formulation": {"type": "coordinate_partitioning"}, )",
    R"("formulation": {"type": "hybrid"}, )"};

std::string run_file(const std::string& system, const std::string& method, double duration) {
  return R"({"trammel": 1, "system": {)" + system + R"(}, "analysis": {"type": "dynamics", "duration": )" +
         std::to_string(duration) + "}, " + method + R"(, "output": {"step": 0.05, "channels": "all"}})";
}
std::string method_of(const std::string& formulation) {
  return formulation + R"("integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";
}

double largest_difference(const Table& a, const Table& b, const std::vector<std::string>& names) {
  double most = 0;
  REQUIRE(a.rows() == b.rows());
  for (const std::string& name : names) {
    for (std::size_t i = 0; i < a.rows(); ++i) most = std::max(most, std::abs(a[name][i] - b[name][i]));
  }
  return most;
}

/// A ball on a massless rod about the origin: y' = (v, a), a = g - (v.v + g.r) r / l^2, by Runge-Kutta's method of order 4
/// with steps of 5e-5 s.
struct BallOnRod {
  std::array<double, 3> r, v, g;

  std::array<double, 3> acceleration(const std::array<double, 3>& at, const std::array<double, 3>& going) const {
    double square = 0, length = 0;
    for (std::size_t k = 0; k < 3; ++k) square += going[k] * going[k] + g[k] * at[k], length += at[k] * at[k];
    std::array<double, 3> a{};
    for (std::size_t k = 0; k < 3; ++k) a[k] = g[k] - square / length * at[k];
    return a;
  }
  void step(double h) {
    const auto moved = [](const std::array<double, 3>& x, double s, const std::array<double, 3>& by) {
      return std::array<double, 3>{x[0] + s * by[0], x[1] + s * by[1], x[2] + s * by[2]};
    };
    const auto a1 = acceleration(r, v), v1 = v, v2 = moved(v, h / 2, a1);
    const auto a2 = acceleration(moved(r, h / 2, v1), v2), v3 = moved(v, h / 2, a2);
    const auto a3 = acceleration(moved(r, h / 2, v2), v3), v4 = moved(v, h, a3);
    const auto a4 = acceleration(moved(r, h, v3), v4);
    for (std::size_t k = 0; k < 3; ++k) {
      r[k] += h / 6 * (v1[k] + 2 * v2[k] + 2 * v3[k] + v4[k]);
      v[k] += h / 6 * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]);
    }
  }
};

/// The largest distance of a run's ball from that one.
double error_of(const Table& run, bool planar, BallOnRod ball) {
  double most = 0;
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t row = 0; row < run.rows(); ++row) {
    for (int i = 0; row > 0 && i < 1000; ++i) ball.step(0.05 / 1000);
    for (std::size_t k = 0; k < (planar ? 2u : 3u); ++k)
      most = std::max({most, std::abs(run[std::string("ball.") + axes[k]][row] - ball.r[k]),
                       std::abs(run[std::string("ball.v") + axes[k]][row] - ball.v[k])});
  }
  return most;
}

std::string pendulum(bool planar, bool rigid) {
  const std::string body =
      rigid ? (planar ? R"("inertia": 0.3)" : R"("inertia": [0.1, 0.2, 0.25])") : R"("type": "point_mass")";
  return planar
             ? R"("type": "planar", "gravity": [0, -9.81], "bodies": {"ball": {"mass": 1.3, "position": [0.8, 0.2],
      "velocity": [-0.1, 0.4], )" +
                   body + R"(}}, "constraints": {"rod": {"type": "distance", "bodies": ["ground", "ball"]}})"
             : R"("type": "spatial", "gravity": [0, 0, -9.81], "bodies": {"ball": {"mass": 1.3, "position": [0.8, 0.2, 0],
      "velocity": [-0.5, 2, 0.3], )" +
                   body + R"(}}, "constraints": {"rod": {"type": "distance", "bodies": ["ground", "ball"]}})";
}
BallOnRod ball_of(bool planar) {
  if (planar) return {{0.8, 0.2, 0}, {-0.1, 0.4, 0}, {0, -9.81, 0}};
  return {{0.8, 0.2, 0}, {-0.5, 2, 0.3}, {0, 0, -9.81}};
}

std::vector<std::string> place_and_velocity(const std::string& body, bool planar) {
  std::vector<std::string> names;
  for (const char* column : {"x", "y", "vx", "vy", "z", "vz"}) {
    if (!planar || column[std::string(column).size() - 1] != 'z') names.push_back(body + "." + column);
  }
  return names;
}

}  // namespace

TEST_CASE("a point mass and a distance are a pendulum under every formulation") {
  // One name a string of its own: two literals in braces are a range of characters, too.
  const std::vector<std::string> reaction = {std::string("rod.force.x"), std::string("rod.lambda.0")};
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    for (const char* formulation : formulations) {
      CAPTURE(formulation);
      const Table point = results_of(run_file(pendulum(planar, false), method_of(formulation), 2));
      CHECK(error_of(point, planar, ball_of(planar)) < 1e-10);
      const Table rigid = results_of(run_file(pendulum(planar, true), method_of(formulation), 2));
      CHECK(largest_difference(point, rigid, place_and_velocity("ball", planar)) < 1e-10);
      CHECK(largest_difference(point, rigid, reaction) < 1e-8);
    }
  }
}

TEST_CASE("a point mass and a distance are a pendulum under methods for index 3") {
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    const std::string radau = R"("integrator": {"type": "radau_iia", "rtol": 1e-11, "atol": 1e-12})";
    CHECK(error_of(results_of(run_file(pendulum(planar, false), radau, 1)), planar, ball_of(planar)) < 1e-7);
    const std::string hht = R"("integrator": {"type": "hht", "step": 1e-3})";
    const Table point = results_of(run_file(pendulum(planar, false), hht, 0.2)),
                rigid = results_of(run_file(pendulum(planar, true), hht, 0.2));
    CHECK(largest_difference(point, rigid, place_and_velocity("ball", planar)) < 1e-10);
  }
}

namespace {

/// A rod of 1 kg and 1 m on a joint at the origin, with 0.4 kg at its end: one body, or two.
std::string loaded_rod(bool planar, bool composed) {
  // Together: 1.4 kg at 0.5 + 0.4/1.4 * 0.5 from the joint; about that 1/12 + 1 (1/7)^2 + 0.4 (5/14)^2.
  const double offset = 0.5 + 0.2 / 1.4, J = 0.08 + 1.0 / 49 + 0.4 * 25 / 196;
  const auto text = [](double x) {
    char out[40];
    std::snprintf(out, sizeof out, "%.17g", x);
    return std::string(out);
  };
  const std::string system = planar ? R"("type": "planar", "gravity": [0, -9.81], )" : R"("type": "spatial",
      "gravity": [0, -9.81, 0], )";
  const std::string zero = planar ? "[0, 0]" : "[0, 0, 0]", rest = planar ? ", 0]" : ", 0, 0]";
  const std::string spin = planar ? ""
                                  : R"(, "angular_velocity": [0, 2, 0.5], "velocity": [0, )" +
                                        text(0.5 * (composed ? offset : 0.5)) + ", " +
                                        text(-2 * (composed ? offset : 0.5)) + "]";
  const std::string joint = planar ? "revolute" : "spherical";
  const std::string inertia = planar ? text(composed ? J : 0.08)
                                     : "[0.01, " + text(composed ? J : 0.08) + ", " + text(composed ? J : 0.08) + "]";
  const std::string rod = R"("rod": {"mass": )" + std::string(composed ? "1.4" : "1") + R"(, "inertia": )" + inertia +
                          R"(, "position": [)" + text(composed ? offset : 0.5) + rest + spin + "}";
  const std::string tip_spin = planar ? "" : R"(, "velocity": [0, 0.5, -2])";
  const std::string tip = R"("tip": {"type": "point_mass", "mass": 0.4, "position": [1)" + rest + tip_spin + "}, ";
  const std::string weld = R"(, "weld": {"type": ")" + joint + R"(", "bodies": ["rod", "tip"], "at": [1)" + rest + "}";
  return system + R"("bodies": {)" + (composed ? "" : tip) + rod + R"(}, "constraints": {"joint": {"type": ")" + joint +
         R"(", "bodies": ["ground", "rod"], "at": )" + zero + "}" + (composed ? "" : weld) +
         R"(}, "points": {"end": {"body": "rod", "point": [)" + text(composed ? 1 - offset : 0.5) + rest + "}}";
}

}  // namespace

TEST_CASE("a rod with a point mass at its end is the rigid body that both are together") {
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    for (const char* formulation : formulations) {
      CAPTURE(formulation);
      const Table two = results_of(run_file(loaded_rod(planar, false), method_of(formulation), 1)),
                  one = results_of(run_file(loaded_rod(planar, true), method_of(formulation), 1));
      CHECK(largest_difference(two, one, place_and_velocity("end", planar)) < 1e-9);
      CHECK(largest_difference(two, one, {"energy.kinetic"}) < 1e-8);
      for (std::size_t i = 0; i < two.rows(); ++i) CHECK(std::abs(two["tip.x"][i] - one["end.x"][i]) < 1e-9);
    }
  }
}

namespace {

/// Rods and balls by turns on a chain, drawn aslant; balls are rigid or points.
std::string chain(bool planar, bool rigid) {
  std::string bodies, joints, before = "ground";
  const std::string rest = planar ? "]" : ", 0]";
  const auto number = [](double x) { return std::to_string(x); };
  for (int k = 0; k < 4; ++k) {
    const std::string name = std::to_string(k), x = number(1.5 * k), comma = k > 0 ? ", " : "";
    bodies += comma + R"("rod)" + name + R"(": {"mass": 1, "inertia": )" + (planar ? "0.09" : "[0.01, 0.09, 0.09]") +
              R"(, "position": [)" + number(1.5 * k + 0.5) + ", 0" + rest + "}, " + R"("ball)" + name +
              R"(": {"mass": 0.5, )" +
              (rigid ? (planar ? R"("inertia": 0.2)" : R"("inertia": [0.2, 0.1, 0.15])") : R"("type": "point_mass")") +
              R"(, "position": [)" + number(1.5 * k + 1.3) + ", 0.4" + rest + "}";
    if (k == 0) {
      joints += R"("pin": {"type": ")" + std::string(planar ? "revolute" : "spherical") +
                R"(", "bodies": ["ground", "rod0"], "at": [0, 0)" + rest + "}";
    } else {
      joints += R"(, "link)" + name + R"(": {"type": "distance", "bodies": ["ball)" + std::to_string(k - 1) +
                R"(", "rod)" + name + R"("], "point_j": [-0.5, 0)" + rest + "}";
    }
    joints += R"(, "cord)" + name + R"(": {"type": "distance", "bodies": ["rod)" + name + R"(", "ball)" + name +
              R"("], "point_i": [0.5, 0)" + rest + "}";
  }
  return std::string(planar ? R"("type": "planar", "gravity": [0, -9.81])" : R"("type": "spatial",
      "gravity": [0, -9.81, 1])") +
         R"(, "bodies": {)" + bodies + R"(}, "constraints": {)" + joints + R"(}, "forces": {"spring": {"type": "tsda",
      "bodies": ["ball1", "ball3"], "stiffness": 20, "damping": 0.4, "free_length": 2}, "air": {"type": "aerodynamic_drag",
      "body": "ball2", "area": 0.1, "coefficient": 0.5, "linear": 0.02}})";
}

}  // namespace

TEST_CASE("chains of rigid bodies and point masses move as those with rigid balls held at their centres") {
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    std::vector<std::string> names;
    for (const char* body : {"rod0", "ball0", "ball1", "rod2", "ball3"}) {
      for (const std::string& name : place_and_velocity(body, planar)) names.push_back(name);
    }
    for (const char* solver : {"auto", "dense", "sparse", "range_space"}) {
      CAPTURE(solver);
      const std::vector<std::string> set = {std::string("analysis.solver=") + solver};
      const Table point = results_of(run_file(chain(planar, false), method_of(formulations[2]), 0.5), set),
                  rigid = results_of(run_file(chain(planar, true), method_of(formulations[2]), 0.5), set);
      CHECK(largest_difference(point, rigid, names) < 1e-10);
    }
    for (const char* formulation : formulations) {
      CAPTURE(formulation);
      const Table point = results_of(run_file(chain(planar, false), method_of(formulation), 0.5)),
                  rigid = results_of(run_file(chain(planar, true), method_of(formulation), 0.5));
      CHECK(largest_difference(point, rigid, names) < 1e-9);
    }
    for (const char* integrator : {"hht", "generalized_alpha"}) {
      CAPTURE(integrator);
      const std::string method = R"("integrator": {"type": ")" + std::string(integrator) + R"(", "step": 1e-3})";
      const Table point = results_of(run_file(chain(planar, false), method, 0.2)),
                  rigid = results_of(run_file(chain(planar, true), method, 0.2));
      CHECK(largest_difference(point, rigid, names) < 1e-8);
    }
    const std::string partitioned = R"("formulation": {"type": "coordinate_partitioning"}, )";
    for (const char* integrator : {R"("integrator": {"type": "radau_iia", "rtol": 1e-10, "atol": 1e-11})",
                                   R"("integrator": {"type": "sdirk4", "rtol": 1e-9, "atol": 1e-10})"}) {
      CAPTURE(integrator);
      const Table point = results_of(run_file(chain(planar, false), partitioned + integrator, 0.2)),
                  rigid = results_of(run_file(chain(planar, true), method_of(formulations[3]), 0.2));
      CHECK(largest_difference(point, rigid, names) < 2e-7);
    }
  }
}

namespace {

/// Columns of results.csv and what the run says.
std::vector<std::string> columns_of(const std::string& json, const std::vector<std::string>& set = {}) {
  return results_of(json, set).names();
}

std::string system_of(const std::string& system, const std::string& analysis) {
  return R"({"trammel": 1, "system": {)" + system + R"(}, "analysis": )" + analysis +
         R"(, "output": {"channels": "all"}})";
}

}  // namespace

TEST_CASE("results have the columns that a point mass has, and no others") {
  const std::string columns = R"("bodies": {"a": {"type": "point_mass", "mass": 1}})";
  const std::string method = R"("formulation": {"type": "projection"}, "integrator": {"type": "rk4", "step": 0.01})";
  std::vector<std::string> of_space, of_plane;
  for (const std::string& name : columns_of(run_file(R"("type": "spatial", )" + columns, method, 0.1))) {
    if (name.starts_with("a.")) of_space.push_back(name);
  }
  for (const std::string& name : columns_of(run_file(R"("type": "planar", )" + columns, method, 0.1))) {
    if (name.starts_with("a.")) of_plane.push_back(name);
  }
  CHECK(of_space == std::vector<std::string>{"a.x", "a.y", "a.z", "a.vx", "a.vy", "a.vz", "a.ax", "a.ay", "a.az"});
  CHECK(of_plane == std::vector<std::string>{"a.x", "a.y", "a.vx", "a.vy", "a.ax", "a.ay"});
}

TEST_CASE("accelerations of a point mass and of a point on it") {
  const Table run = results_of(run_file(
      R"("type": "spatial", "gravity": [1, 2, -9.81], "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]},
      "a": {"type": "point_mass", "mass": 3, "velocity": [1, 0, 0]}}, "points": {"p": {"body": "a", "point": [0, 0, 0]}},
      "forces": {"push": {"type": "applied_force", "body": "a", "force": [3, 0, 6]}})",
      R"("formulation": {"type": "projection"}, "integrator": {"type": "rk4", "step": 0.01})", 0.5));
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run["t"][i];
    CHECK(run["a.ax"][i] == doctest::Approx(2).epsilon(1e-13));
    CHECK(run["a.az"][i] == doctest::Approx(-7.81).epsilon(1e-13));
    CHECK(run["p.ay"][i] == doctest::Approx(2).epsilon(1e-13));
    CHECK(run["a.x"][i] == doctest::Approx(t + t * t).epsilon(1e-12));
    CHECK(run["p.vx"][i] == doctest::Approx(1 + 2 * t).epsilon(1e-12));
  }
}

TEST_CASE("equilibrium: a weight between two springs at right angles") {
  // Springs without free length to (0, 0) and (2, 0): x = (0 k1 + 2 k2)/(k1 + k2), y = -m g/(k1 + k2).
  for (const char* method : {"minimum_potential", "newton", "settling"}) {
    CAPTURE(method);
    for (const bool planar : {true, false}) {
      CAPTURE(planar);
      const std::string z = planar ? "]" : ", 0]";
      const Table run = results_of(system_of(
          std::string(planar ? R"("type": "planar", "gravity": [0, -10)" : R"("type": "spatial", "gravity": [0, -10)") +
              z + R"(, "bodies": {"w": {"type": "point_mass", "mass": 2, "position": [0.5, 0.3)" + z +
              R"(}}, "forces": {
              "left": {"type": "tsda", "bodies": ["ground", "w"], "stiffness": 30, "free_length": 0},
              "right": {"type": "tsda", "bodies": ["ground", "w"], "point_i": [2, 0)" +
              z + R"(, "stiffness": 10,
              "free_length": 0}})",
          R"({"type": "equilibrium", "method": ")" + std::string(method) + R"("})"));
      CHECK(run["w.x"][0] == doctest::Approx(0.5).epsilon(1e-7));
      CHECK(run["w.y"][0] == doctest::Approx(-0.5).epsilon(1e-7));
    }
  }
}

TEST_CASE("modes: a point mass on springs, and two on a line") {
  const TemporaryFolder folder;
  write_text(
      folder.path() / "run.json",
      system_of(R"("type": "spatial", "bodies": {"a": {"type": "point_mass", "mass": 2}, "b": {"type": "point_mass",
             "mass": 2, "position": [1, 0, 0]}}, "constraints": {
             "ay": {"type": "coordinate_driver", "body": "a", "coordinate": "y", "function": 0},
             "az": {"type": "coordinate_driver", "body": "a", "coordinate": "z", "function": 0},
             "by": {"type": "coordinate_driver", "body": "b", "coordinate": "y", "function": 0},
             "bz": {"type": "coordinate_driver", "body": "b", "coordinate": "z", "function": 0}}, "forces": {
             "wall": {"type": "tsda", "bodies": ["ground", "a"], "point_i": [-1, 0, 0], "stiffness": 18, "free_length": 1},
             "between": {"type": "tsda", "bodies": ["a", "b"], "stiffness": 12, "free_length": 1}})",
                R"({"type": "modes"})"));
  FinishedRun run(folder.path() / "run.json");
  // K = [30 -12; -12 12], M = 2 I: s^2 - 21 s + 54 = 0, s = 3 and 18.
  const TemporaryFolder out;
  Simulation simulation(folder.path() / "run.json", {{}, {}});
  simulation.write_results(out.path());
  REQUIRE(simulation.run() == RunStatus::completed);
  const Table modes(out.path() / "modes.csv");
  REQUIRE(modes.rows() == 2);
  CHECK(modes["omega"][0] == doctest::Approx(std::sqrt(3.0)).epsilon(1e-9));
  CHECK(modes["omega"][1] == doctest::Approx(std::sqrt(18.0)).epsilon(1e-9));
  const Table shapes(out.path() / "mode_shapes.csv");
  CHECK(shapes.names().size() == 1 + 6);
}

TEST_CASE("kinematics and inverse dynamics: a point mass on a given path") {
  const auto json = [](const std::string& type) {
    return system_of(R"("type": "planar", "gravity": [0, -10], "bodies": {"a": {"type": "point_mass", "mass": 3}},
        "constraints": {"x": {"type": "coordinate_driver", "body": "a", "coordinate": "x", "function": {"type": "polynomial",
        "coefficients": [0, 0, 1]}}, "y": {"type": "coordinate_driver", "body": "a", "coordinate": "y", "function":
        {"type": "polynomial", "coefficients": [0, 2]}}})",
                     R"({"type": ")" + type + R"(", "duration": 1})");
  };
  for (const char* type : {"kinematics", "inverse_dynamics"}) {
    CAPTURE(type);
    const Table run = results_of(json(type));
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run["t"][i];
      CHECK(std::abs(run["a.x"][i] - t * t) < 1e-11);
      CHECK(std::abs(run["a.vx"][i] - 2 * t) < 1e-10);
      CHECK(std::abs(run["a.y"][i] - 2 * t) < 1e-11);
      if (std::string(type) != "inverse_dynamics") continue;
      CHECK(run["x.effort"][i] == doctest::Approx(6).epsilon(1e-9));
      CHECK(run["y.effort"][i] == doctest::Approx(30).epsilon(1e-9));
    }
  }
}

TEST_CASE("a start is found for rigid bodies and point masses together") {
  const std::string drawn = R"("type": "spatial", "gravity": [0, -9.81, 0], "bodies": {"tip": {"type": "point_mass",
      "mass": 1, "position": [1.2, 0.1, 0]}, "rod": {"mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [0.6, 0.05, 0]}},
      "constraints": {"ball": {"type": "spherical", "bodies": ["ground", "rod"], "point_i": [0, 0, 0],
      "point_j": [-0.5, 0, 0]}, "weld": {"type": "spherical", "bodies": ["rod", "tip"], "point_i": [0.5, 0, 0],
      "point_j": [0, 0, 0]}})";
  const Table run = results_of(R"({"trammel": 1, "system": {)" + drawn + R"(}, "analysis": {"type": "assembly",
      "conditions": [{"of": "tip.y", "value": 0.6, "rate": -1}]}, "output": {"channels": "all"}})");
  CHECK(run["tip.y"][0] == doctest::Approx(0.6).epsilon(1e-10));
  CHECK(run["tip.vy"][0] == doctest::Approx(-1).epsilon(1e-10));
  const double length = std::sqrt(run["tip.x"][0] * run["tip.x"][0] + run["tip.y"][0] * run["tip.y"][0] +
                                  run["tip.z"][0] * run["tip.z"][0]);
  CHECK(length == doctest::Approx(1).epsilon(1e-10));
}

TEST_CASE("what comes to turn a point mass at some place or time ends the run there, with its name") {
  // A torque by the distance, and a force that does not pass through the place of the ball.
  for (const char* force : {R"json({"type": "six_component_force", "bodies": ["ground", "ball"],
                                    "torque": "max(0, x - 4)"})json",
                            R"json({"type": "six_component_force", "bodies": ["ball", "bar"],
                                    "force_y": "if(x < -4, 1, 0)"})json"}) {
    CAPTURE(force);
    const auto file = temporary_run_file(std::string(R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"ball": {"type": "point_mass", "mass": 1, "position": [1, 0], "velocity": [1, 0]},
                 "bar": {"mass": 1, "inertia": 1}},
      "forces": {"late": )") + force + R"(}},
      "analysis": {"type": "dynamics", "duration": 10}, "formulation": {"type": "direct"},
      "integrator": {"type": "dopri5"}, "output": {"step": 1}})",
                                         "late.json");
    Simulation simulation(file, {{}, {}});
    CHECK(simulation.run() == RunStatus::failed);
    CAPTURE(simulation.message());
    CHECK(simulation.message().find("'late'") != std::string::npos);
    CHECK(simulation.message().find("turns a point mass") != std::string::npos);
    CHECK(simulation.time() == doctest::Approx(3).epsilon(0.05));
    // It never gets there: no harm.
    Simulation before(file, {{"analysis.duration=2"}, {}});
    CHECK(before.run() == RunStatus::completed);
  }
}

}  // namespace trammel
