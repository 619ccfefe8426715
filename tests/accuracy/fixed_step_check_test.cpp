// The check of fixed steps: steps far too long are told in every view, right ones are not, and results keep their bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "table.h"
#include "trammel/run_description.h"

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
const std::string pendulum = R"("system": {"type": "pendulum_angle", "length": 1, "mass": 1, "gravity": 9.81, "angle": 0})";
const std::string slow = R"("system": {"type": "exponential", "rate": -1.5})";

struct Run {
  Run(const std::string& system, double duration, const std::string& formulation, const std::string& integrator)
      : simulation(RunDescription::from_text("{\"trammel\": 1, " + system + ", \"analysis\": {\"type\": \"dynamics\", \"duration\": " +
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
    return std::any_of(all.begin(), all.end(), [](const std::string& w) { return w.find("with steps half as long") != std::string::npos; });
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

const std::string projected = R"("formulation": {"type": "projection"}, )", reduced = R"("formulation": {"type": "coordinate_partitioning"}, )";

}  // namespace

TEST_CASE("steps far too long are told in every view") {
  CHECK(Run(rods, 1, projected, R"("type": "rk4", "step": 0.5)").told());
  CHECK(Run(rods, 1, projected, R"("type": "euler", "step": 0.002)").told());
  CHECK(Run(rods, 2, projected, R"("type": "adams", "order": 3, "step": 0.04)").told());
  CHECK(Run(rods, 2, reduced, R"("type": "newmark", "step": 0.1)").told());
  CHECK(Run(rods, 2, "", R"("type": "hht", "step": 0.1)").told());
}

TEST_CASE("steps short enough are not told") {
  for (const char* method : {R"("type": "rk4", "step": 0.005)", R"("type": "heun", "step": 0.001)", R"("type": "adams", "order": 3, "step": 0.001)"}) {
    CAPTURE(method);
    CHECK(!Run(rods, 1, projected, method).told());
  }
  CHECK(!Run(rods, 1, reduced, R"("type": "newmark", "step": 0.001)").told());
  CHECK(!Run(rods, 1, "", R"("type": "hht", "step": 0.001)").told());
}

// x' = -1.5 x: Euler's steps of 0.5 leave 0.25^4 after 2 s where exp(-3) is right; of 0.6 after the first already 0.1 for 0.41.
TEST_CASE("problems without bodies") {
  CHECK(Run(slow, 3, "", R"("type": "euler", "step": 0.6)").told());
  CHECK(!Run(slow, 3, "", R"("type": "rk4", "step": 0.1)").told());
  CHECK(Run(pendulum, 5, "", R"("type": "euler", "step": 0.02)").told());
  CHECK(!Run(pendulum, 5, "", R"("type": "rk4", "step": 0.02)").told());
}

TEST_CASE("the check leaves bits and counts of the run as they are, and can be left out") {
  for (const char* method : {R"("type": "euler", "step": 0.002)", R"("type": "adams", "order": 3, "step": 0.04)"}) {
    CAPTURE(method);
    const Run with(rods, 1, projected, method), without(rods, 1, projected, std::string(method) + R"(, "step_check": false)");
    CHECK(!without.told());
    CHECK(with.bits == without.bits);
    const std::string counts = with.summary.substr(with.summary.find("\"statistics\""), 60);
    CHECK(without.summary.find(counts) != std::string::npos);
    CHECK(with.number("pieces") == 2);
    CHECK(without.summary.find("fixed_step_check") == std::string::npos);
  }
}

TEST_CASE("long runs cost a small share of their evaluations") {
  const Run run(slow, 3, "", R"("type": "rk4", "step": 1e-4)");  // 30000 steps of 4 evaluations
  const std::size_t at = run.summary.find("\"fixed_step_check\"");
  REQUIRE(at != std::string::npos);
  const long checked = std::strtol(run.summary.c_str() + run.summary.find("\"evaluations\": ", at) + 15, nullptr, 10);
  CHECK(checked > 0);
  CHECK(checked < 0.06 * 4 * 30000);
}
