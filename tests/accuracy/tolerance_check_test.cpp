// The check of loose tolerances: motions that multiply errors are told of, tame ones are not, and results keep their
// bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "table.h"
#include "trammel/host/run_description.h"

using namespace trammel;

namespace {

// Two rods of 1 m, released from rest upside down but for 0.1: they turn over and over, and errors grow about e^4 times
// in a second.
const std::string rods = R"("system": {"type": "planar", "gravity": [0, -9.81],
  "bodies": {"a": {"mass": 1, "inertia": 0.0833333333333333, "position": [0.049916708323414, 0.497502082639013], "angle": 1.470796326794897},
             "b": {"mass": 1, "inertia": 0.0833333333333333, "position": [0.149750124970242, 1.492506247917039], "angle": 1.470796326794897}},
  "constraints": {"p": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
                  "q": {"type": "revolute", "bodies": ["a", "b"], "at": [0.099833416646828, 0.995004165278026]}}})";
const std::string pendulum =
    R"("system": {"type": "pendulum_angle", "length": 1, "mass": 1, "gravity": 9.81, "angle": 0})";

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
                       [](const std::string& w) { return w.find("multiplies errors") != std::string::npos; });
  }
  bool looked() const { return summary.find("\"tolerance_check\"") != std::string::npos; }
  Simulation simulation;
  std::vector<double> bits;
  std::string summary;
};

const std::string projected = R"("formulation": {"type": "projection"}, )",
                  reduced = R"("formulation": {"type": "coordinate_partitioning"}, )";
const std::string loose = R"(, "rtol": 1e-5, "atol": 1e-7)", loosest = R"(, "rtol": 1e-4, "atol": 1e-6)";
const std::string methods[] = {R"("type": "dopri5")", R"("type": "adams", "control": "haug", "order": 8)",
                               R"("type": "ddeabm")"};

}  // namespace

TEST_CASE("a motion that multiplies errors is told of at loose tolerances, whatever the method") {
  for (const std::string& method : methods) {
    CAPTURE(method);
    CHECK(Run(rods, 10, projected, method + loosest).told());
    CHECK(Run(rods, 10, reduced, method + loosest).told());
    CHECK(!Run(rods, 0.5, projected, method + loosest).told());
  }
}

TEST_CASE("a tame motion is not told of") {
  for (const std::string& method : methods) {
    CAPTURE(method);
    const Run run(pendulum, 5, "", method + loose);
    CHECK(run.looked());
    CHECK(!run.told());
  }
}

TEST_CASE("the check leaves bits as they are, and is made for loose tolerances only") {
  const std::string method = R"("type": "ddeabm")" + loose;
  const Run with(rods, 8, projected, method), without(rods, 8, projected, method + R"(, "step_check": false)");
  CHECK(with.looked());
  CHECK(!without.looked());
  CHECK(with.bits == without.bits);
  CHECK(!Run(rods, 1, projected, R"("type": "ddeabm", "rtol": 1e-6, "atol": 1e-8)").looked());
  CHECK(!Run(rods, 1, projected, R"("type": "ddeabm")").looked());
}

TEST_CASE("tolerances of every component are scaled one by one") {
  CHECK(Run(pendulum, 5, "", R"("type": "dopri5", "rtol": [1e-4, 1e-5], "atol": [1e-6, 1e-7])").looked());
}

// A light mass on a heavy one, for eighty of its periods: (w h)^2/24 of the phase of central differences is 2 rad at
// w h = 0.3.
TEST_CASE("a method that chooses its steps without tolerances is run with shorter ones") {
  const std::string masses = R"x("system": {"type": "linear", "coordinates": ["heavy", "light"], "mass": [10, 0.1],
    "stiffness": [2000, -1000, -1000, 1000], "velocity": [0, 1]})x";
  const auto told = [&](const std::string& limit, double duration) {
    const Run run(masses, duration, "", R"("type": "park_underwood", "frequency_limit": )" + limit);
    CHECK(run.looked());
    const std::vector<std::string>& all = run.simulation.warnings();
    return std::any_of(all.begin(), all.end(),
                       [](const std::string& w) { return w.find("too long for this motion") != std::string::npos; });
  };
  CHECK(told("0.3", 5));
  CHECK_FALSE(told("0.02", 1));
}

// Of x = cos(2 pi t) over 500 periods the first stretch is run again; phase errors grow in proportion to time.
TEST_CASE("what adds up over a long run is found in its first stretch") {
  const std::string oscillator =
      R"("system": {"type": "linear", "coordinates": ["x"], "mass": [1], "stiffness": [39.47841760435743], "position": [1]})";
  const auto warned = [](const Run& run) {
    const std::vector<std::string>& all = run.simulation.warnings();
    return std::any_of(all.begin(), all.end(),
                       [](const std::string& w) { return w.find("errors add up") != std::string::npos; });
  };
  const std::string trapezoidal = R"("type": "trapezoidal", "rtol": 1e-5, "atol": 1e-7)";
  const Run run(oscillator, 800, "", trapezoidal);
  const double error =
      std::abs(run.simulation.positions()[0] - 1) + std::abs(run.simulation.velocities()[0]) / (2 * std::numbers::pi);
  CHECK(error > 0.06);  // of a range of 2
  CHECK(warned(run));
  CHECK_FALSE(warned(Run(oscillator, 800, "", R"("type": "dopri5", "rtol": 1e-5, "atol": 1e-9)")));
}

// x = A cos(2 pi t): rtol alone is tight, but what atol allows is measured by A.
TEST_CASE("an atol that is loose for the motion that happened is told of") {
  const auto oscillate = [](double amplitude, const std::string& tolerances, double duration) {
    return Run(R"("system": {"type": "linear", "coordinates": ["x"], "mass": [1], "stiffness": [39.47841760435743], )"
               R"("position": [)" +
                   std::to_string(1e6 * amplitude) + "e-6]}",
               duration, "", R"("type": "dopri5")" + tolerances);
  };
  const auto told = [](const Run& run, const std::string& remedy) {
    const std::vector<std::string>& all = run.simulation.warnings();
    return std::any_of(all.begin(), all.end(), [&](const std::string& w) {
      return w.find("is loose for this motion") != std::string::npos && w.find(remedy) != std::string::npos;
    });
  };
  const auto error = [](const Run& run, double amplitude) {
    return std::abs(run.simulation.positions()[0] / amplitude - 1) +
           std::abs(run.simulation.velocities()[0]) / (2 * std::numbers::pi * amplitude);
  };
  const Run loose_atol = oscillate(1, R"(, "rtol": 1e-8, "atol": 1e-2)", 100);
  CHECK(error(loose_atol, 1) > 0.1);
  CHECK(told(loose_atol, R"(try "atol": )"));
  const Run micrometre = oscillate(1e-6, "", 100);
  CHECK(told(micrometre, R"(try "atol": )"));
  // Steps that the tolerances leave to themselves, at a tenth of these too.
  for (const char* atol : {"1", "1e2", "1e4", "1e8"}) {
    CAPTURE(atol);
    CHECK(told(oscillate(1, std::string(R"(, "rtol": 1e-8, "atol": )") + atol, 20), ""));
    CHECK(told(oscillate(1e-6, std::string(R"(, "atol": )") + atol, 20), ""));
  }
  const Run fitting = oscillate(1e-6, R"(, "atol": 1e-14)", 100);
  CHECK(error(fitting, 1e-6) < 1e-3);
  CHECK_FALSE(fitting.looked());
  CHECK_FALSE(oscillate(1, "", 100).looked());
  CHECK_FALSE(told(oscillate(1e-3, "", 100), ""));
}

TEST_CASE("components that hardly move beside others do not make a run loose") {
  const std::string two = R"("system": {"type": "linear", "coordinates": ["x", "y"], "mass": [1, 1],
    "stiffness": [40, -1e-7, -1e-7, 50], "position": [1, 0]})";
  CHECK_FALSE(Run(two, 10, "", R"("type": "dopri5")").looked());
  const std::string fall = R"("system": {"type": "planar", "gravity": [0, -9.81],
    "bodies": {"a": {"mass": 1, "inertia": 1, "position": [0, 0]}}})";
  CHECK_FALSE(Run(fall, 1, projected, R"("type": "dopri5")").looked());
}
