// The check of fixed steps: steps far too long are told in every view, right ones are not, and results keep their bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "table.h"
#include "trammel/host/run_description.h"

using namespace trammel;

namespace {

// Two rods of 1 m on a spring, released at rest; energies of 16 J are in play.
const std::string rods = R"("system": {"type": "planar", "gravity": [0, -9.81],
  "bodies": {"a": {"mass": 1, "inertia": 0.0833333333333333, "position": [0.5, 0]},
             "b": {"mass": 1, "inertia": 0.0833333333333333, "position": [1.5, 0]}},
  "constraints": {"p": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
                  "q": {"type": "revolute", "bodies": ["a", "b"], "at": [1, 0]}},
  "forces": {"s": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [0, 1], "stiffness": 50, "free_length": 1}}})";
// Released at rest from the horizontal. Its period, 4 sqrt(L/g) K(sin(pi/4)), is 2.37 s.
const std::string pendulum =
    R"("system": {"type": "pendulum_angle", "length": 1, "mass": 1, "gravity": 9.81, "angle": 0})";
const std::string slow = R"("system": {"type": "exponential", "rate": -1.5})";

struct Run {
  Run(const std::string& system, double duration, const std::string& formulation, const std::string& integrator)
      : simulation(RunDescription::from_text(
            "{\"trammel\": 1, " + system + ", \"analysis\": {\"type\": \"dynamics\", \"duration\": " +
            std::to_string(duration) + "}, " + formulation + "\"integrator\": {" + integrator + "}}")) {
    const RunStatus status = simulation.run();
    INFO(simulation.message());
    REQUIRE(status == RunStatus::completed);
    const ConstVectorView q = simulation.positions(), v = simulation.velocities();
    bits.assign(q.data, q.data + q.size);
    bits.insert(bits.end(), v.data, v.data + v.size);
    summary = simulation.summary_json();
  }
  bool told() const {
    const std::vector<std::string>& all = simulation.warnings();
    return std::any_of(all.begin(), all.end(),
                       [](const std::string& w) { return w.find("here: with shorter steps") != std::string::npos; });
  }
  long number(const std::string& key) const {
    const std::size_t at = summary.find("\"" + key + "\": ");
    REQUIRE(at != std::string::npos);
    return std::strtol(summary.c_str() + at + key.size() + 4, nullptr, 10);
  }
  Simulation simulation;
  std::vector<double> bits;
  std::string summary;
};

const std::string projected = R"("formulation": {"type": "projection"}, )",
                  reduced = R"("formulation": {"type": "coordinate_partitioning"}, )";

}  // namespace

TEST_CASE("steps far too long are told in every view") {
  CHECK(Run(rods, 1, projected, R"("type": "rk4", "step": 0.5)").told());
  CHECK(Run(rods, 1, projected, R"("type": "euler", "step": 0.002)").told());
  CHECK(Run(rods, 2, projected, R"("type": "adams", "order": 3, "step": 0.04)").told());
  CHECK(Run(rods, 2, reduced, R"("type": "newmark", "step": 0.1)").told());
  CHECK(Run(rods, 2, "", R"("type": "hht", "step": 0.1)").told());
}

TEST_CASE("steps short enough are not told") {
  for (const char* method : {R"("type": "rk4", "step": 0.005)", R"("type": "heun", "step": 0.001)",
                             R"("type": "adams", "order": 3, "step": 0.001)"}) {
    CAPTURE(method);
    CHECK(!Run(rods, 1, projected, method).told());
  }
  CHECK(!Run(rods, 1, reduced, R"("type": "newmark", "step": 0.001)").told());
  CHECK(!Run(rods, 1, "", R"("type": "hht", "step": 0.001)").told());
}

// x' = -1.5 x: Euler's steps of 0.5 leave 0.25^4 after 2 s where exp(-3) is right; of 0.6 after the first already 0.1
// for 0.41.
TEST_CASE("problems without bodies") {
  CHECK(Run(slow, 3, "", R"("type": "euler", "step": 0.6)").told());
  CHECK(!Run(slow, 3, "", R"("type": "rk4", "step": 0.1)").told());
  CHECK(Run(pendulum, 5, "", R"("type": "euler", "step": 0.02)").told());
  CHECK(!Run(pendulum, 5, "", R"("type": "rk4", "step": 0.02)").told());
}

TEST_CASE("the check leaves bits and counts of the run as they are, and can be left out") {
  for (const char* method : {R"("type": "euler", "step": 0.002)", R"("type": "adams", "order": 3, "step": 0.04)"}) {
    CAPTURE(method);
    const Run with(rods, 1, projected, method),
        without(rods, 1, projected, std::string(method) + R"(, "step_check": false)");
    CHECK(!without.told());
    CHECK(with.bits == without.bits);
    const std::string counts = with.summary.substr(with.summary.find("\"statistics\""), 60);
    CHECK(without.summary.find(counts) != std::string::npos);
    CHECK(with.number("pieces") == 2);
    CHECK(without.summary.find("fixed_step_check") == std::string::npos);
  }
}

namespace {

// A slider of 1 kg at 1 m/s that meets a wall 16 m ahead: F = 400 N exp((l - 16 m)/depth) turns it round within some
// depth/v.
std::string wall(const std::string& depth) {
  return R"x("system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "position": [0.5, 0], "velocity": [1, 0]}},
    "constraints": {"slide": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"wall": {"type": "tsda", "bodies": ["ground", "b"], "law": "400*exp((l-16)/)x" +
         depth + R"x()"}}})x";
}
// The same on a spring of 10 N/m that grows to `stiffness` around t = 16 s.
std::string stiffening(const std::string& stiffness) {
  return R"x("system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "position": [1.3, 0]}},
    "constraints": {"slide": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"s": {"type": "tsda", "bodies": ["ground", "b"], "law": "(l-1)*(10+)x" +
         stiffness + R"x(*exp(-((t-16)/0.5)^2))"}}})x";
}

}  // namespace

TEST_CASE("runs that are calm first and violent later are told, by pieces from all over the run") {
  for (const char* method : {R"("type": "rk4", "step": 0.01)", R"("type": "heun", "step": 0.01)",
                             R"("type": "adams", "order": 3, "step": 0.01)"}) {
    CAPTURE(method);
    CHECK(Run(wall("0.002"), 20, projected, method).told());
  }
  CHECK(Run(stiffening("30000"), 20, reduced, R"("type": "newmark", "step": 0.0125)").told());
  CHECK(Run(wall("0.001"), 20, "", R"("type": "hht", "step": 0.01)").told());
  CHECK(Run(stiffening("30000"), 20, projected, R"("type": "rk4", "step": 0.0125)").told());
}

TEST_CASE("velocities count where impacts happen") {
  // One body hits a stiff spring, another falls on a rigid floor. Against dopri853 at 1e-12 heun at 0.7 ms is off by
  // 0.25 % in positions and 4.5 % in velocities, rk4 at 3 ms by 0.15 % and 2.9 %, at 0.1 ms by less than 0.01 %.
  const auto told = [](const std::string& method, double step) {
    const std::string two = R"("system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
        "soft": {"mass": 0.7, "inertia": 0.1, "position": [0, 0.8]}, "ball": {"mass": 1, "inertia": 0.1, "position": [3, 0.4]}},
      "constraints": {"floor": {"type": "impact", "bodies": ["ground", "ball"], "axis_i": [0, 1], "restitution": 0.57}},
      "forces": {"stop": {"type": "stop", "bodies": ["ground", "soft"], "axis_i": [0, 1], "stiffness": 38000, "dissipation": 0.2}}})";
    return Run(two, 2.15, projected, "\"type\": \"" + method + "\", \"step\": " + std::to_string(step)).told();
  };
  CHECK(told("heun", 0.0007));
  CHECK(told("rk4", 0.003));
  CHECK_FALSE(told("rk4", 0.0001));
}

TEST_CASE("a contact at rest, which hops at other times in every run, is no error") {
  for (const char* step : {"0.01", "0.004", "0.0013"}) {
    CAPTURE(std::string(step));
    const Run run(R"("system": {"type": "planar", "gravity": [0, -9.81],
      "bodies": {"ball": {"mass": 1, "inertia": 0.1, "position": [3, 0.02], "velocity": [0.1, 0]}},
      "constraints": {"floor": {"type": "impact", "bodies": ["ground", "ball"], "axis_i": [0, 1], "point_j": [0.05, 0], "restitution": 0.3}}})",
                  1, projected, std::string(R"("type": "rk4", "step": )") + step);
    CHECK_FALSE(run.told());
  }
}

TEST_CASE("steps short enough for what comes later are not told") {
  CHECK(!Run(wall("0.05"), 20, projected, R"("type": "rk4", "step": 0.005)").told());
  CHECK(!Run(wall("0.1"), 20, projected, R"("type": "adams", "order": 3, "step": 0.005)").told());
  CHECK(!Run(wall("0.2"), 20, reduced, R"("type": "newmark", "step": 0.005)").told());
  CHECK(!Run(wall("0.2"), 20, "", R"("type": "hht", "step": 0.005)").told());
  CHECK(!Run(stiffening("30"), 20, projected, R"("type": "rk4", "step": 0.01)").told());
}

TEST_CASE("a long run's pieces cost little and leave its bits") {
  const char* method = R"("type": "rk4", "step": 0.0005)";
  const Run with(wall("0.1"), 30, projected, method),
      without(wall("0.1"), 30, projected, std::string(method) + R"(, "step_check": false)");
  CHECK(with.bits == without.bits);
  CHECK(with.number("pieces") >= 5);
  const std::size_t at = with.summary.find("\"fixed_step_check\"");
  const long checked = std::strtol(with.summary.c_str() + with.summary.find("\"evaluations\": ", at) + 15, nullptr, 10);
  CHECK(checked < 0.08 * static_cast<double>(with.number("evaluations")));
}

TEST_CASE("long runs cost a small share of their evaluations") {
  const Run run(slow, 3, "", R"("type": "rk4", "step": 2.5e-5)");  // 120000 steps of 4 evaluations
  const std::size_t at = run.summary.find("\"fixed_step_check\"");
  REQUIRE(at != std::string::npos);
  const long checked = std::strtol(run.summary.c_str() + run.summary.find("\"evaluations\": ", at) + 15, nullptr, 10);
  CHECK(checked > 0);
  CHECK(checked < 0.06 * 4 * 120000);
}

// (omega h)^2/24 of the phase over 12 000 s: 8 % of the range, of which the 20 000 steps that are run again see a
// thirtieth.
TEST_CASE("phase errors of a long run are extrapolated to its end") {
  Simulation simulation(RunDescription::from_text(R"x({"trammel": 1, "system": {"type": "linear", "coordinates": ["x"],
    "mass": [1], "stiffness": [1], "position": [1]}, "analysis": {"type": "dynamics", "duration": 12000},
    "integrator": {"type": "velocity_verlet", "step": 0.02}})x"));
  CHECK(simulation.run() == RunStatus::completed);
  CHECK(std::abs(simulation.positions()[0] - std::cos(12000.0)) > 0.05);
  const std::vector<std::string>& all = simulation.warnings();
  CHECK(std::any_of(all.begin(), all.end(),
                    [](const std::string& w) { return w.find("at the end, since it grows") != std::string::npos; }));
}

// A wheel bonded to a wavy road meets a floor 20 times within 26 ms, ever faster, and rests on it. Steps of 2.4 ms lose
// the phase of these bounces while positions stay right: velocities are off by 14 % of their range for 10 ms, which
// few of the run's samples see.
TEST_CASE("bounces whose phase is lost are told") {
  const std::string wheel =
      R"("system": {"type": "planar", "gravity": [0, -9.81], "bodies": {"b": {"mass": 0.889, "inertia": 0.257,
    "position": [0.254, -0.335], "angle": -1.06, "velocity": [-0.311, 0.568], "angular_velocity": 7.82}},
  "constraints": {"floor": {"type": "impact", "restitution": 0.91, "rest_speed": 0.005, "bodies": ["ground", "b"],
    "point_i": [-0.10419, -0.665953], "axis_i": [0, 1], "point_j": [-0.101, -0.354]}},
  "forces": {"tyre": {"type": "tyre_vertical", "body": "b", "stiffness": 13300, "damping": 133, "radius": 0.424,
      "contact": "bonded", "road": {"type": "sum", "offset": -0.759,
      "of": [{"type": "harmonic", "amplitude": 0.03, "omega": 10.1}]}},
    "bushing": {"type": "bushing", "bodies": ["ground", "b"], "at": [0.254, -0.335], "stiffness": [65.9, 77.7],
      "damping": [1.35, 1.35], "angle": -0.704, "torsional_stiffness": 6.77}}})";
  CHECK(Run(wheel, 0.3, projected, R"("type": "adams", "order": 3, "step": 0.0024)").told());
  CHECK(!Run(wheel, 0.3, projected, R"("type": "adams", "order": 3, "step": 0.00002)").told());
}
