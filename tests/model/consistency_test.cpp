// Initial conditions: minimal corrections, refusals, rank and definiteness, with the words users read.
#include "model/consistency.h"

#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

std::string pendulum(const std::string& body, const std::string& constraints, const std::string& more = "") {
  return R"({"trammel": 1, "system": {"type": "spatial", "gravity": [0, 0, -9.81], "bodies": {"bob": {)" + body +
         R"(}}, "constraints": {)" + constraints + R"(}}, "analysis": {"type": "dynamics", "duration": 0.1)" + more +
         R"(}, "formulation": {"type": "direct"}, "integrator": {"type": "dopri5"}})";
}

const std::string regular = R"("mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [1, 0, 0])";
const std::string pin =
    R"("pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0, 0], "axis": [0, 1, 0]})";

std::string refusal(const std::string& text) {
  try {
    Simulation simulation(temporary_run_file(text), {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("positions slightly off are moved by the minimal-norm correction") {
  // A distance constraint of length 1 from the origin: the nearest point of the unit sphere is on the same ray.
  const std::string rod = R"("rod": {"type": "distance", "bodies": ["ground", "bob"], "point_i": [0, 0, 0],
      "point_j": [0, 0, 0], "length": 1})";
  LoadedModel m(temporary_run_file(pendulum(
      R"("mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.6012, 0, 0.8016], "velocity": [0.001, 0.5, 0])", rod)));
  InitialReport report;
  StartOptions start;
  start.correction_limit = 1e-2;
  make_consistent(m.numbers, 0, LoadedModel::view(m.q), LoadedModel::view(m.v), LoadedModel::view(m.z), start, report);
  CHECK(m.q[0] == doctest::Approx(0.6).epsilon(1e-13));
  CHECK(m.q[2] == doctest::Approx(0.8).epsilon(1e-13));
  CHECK(report.positions.correction == doctest::Approx(0.0016).epsilon(1e-9));
  CHECK(report.position_coordinate == "bob.z");
  // The velocity loses its component along the rod: 0.001 * 0.6 along (0.6, 0, 0.8).
  CHECK(m.v[0] == doctest::Approx(0.001 - 0.6 * 0.0006));
  CHECK(m.v[1] == doctest::Approx(0.5));
  CHECK(m.v[2] == doctest::Approx(-0.8 * 0.0006));
}

TEST_CASE("initial states too far off are refused with constraint, amount and limit") {
  const std::string rod = R"("rod": {"type": "distance", "bodies": ["ground", "bob"], "point_i": [0, 0, 0],
      "point_j": [0, 0, 0], "length": 1.5})";
  const std::string text = refusal(pendulum(regular, rod));
  CHECK(contains(text, "run.json:"));
  CHECK(contains(text, "/system/constraints/rod: "));
  CHECK(contains(text, "'rod' by 0.5"));
  CHECK(contains(text, "bob.x"));
  CHECK(contains(text, "analysis.correction_limit"));
  CHECK(refusal(pendulum(regular, rod, R"(, "correction_limit": 1)")) == "accepted");

  const std::string moving = refusal(pendulum(regular + R"(, "velocity": [3, 0, 0])", pin));
  CHECK(contains(moving, "initial velocities violate the constraints by 3"));
}

TEST_CASE("redundant constraints are accepted and named, contradictory ones refused") {
  const std::filesystem::path file = temporary_run_file(
      pendulum(regular, pin + R"(, "spare": {"type": "spherical", "bodies": ["ground", "bob"], "at": [0, 0, 0]})"));
  Simulation twice(file, {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  REQUIRE(twice.warnings().size() == 1);
  CHECK(contains(twice.warnings()[0], "3 of 9 constraint rows are redundant"));
  CHECK(contains(twice.warnings()[0], "'pin'"));
  CHECK(contains(twice.warnings()[0], "spare"));
  CHECK(contains(twice.summary_json(), "\"degrees_of_freedom\": 1"));
  // A second ball joint a tenth of a metre away: no position of the body satisfies both.
  const std::string apart = refusal(
      pendulum(regular, pin + R"(, "spare": {"type": "spherical", "bodies": ["ground", "bob"], "point_i": [0.1, 0, 0],
      "point_j": [-1, 0, 0]})"));
  CHECK(contains(apart, "contradict"));
  CHECK(contains(apart, "disagrees with it by 0.1"));
  // Two drivers of one angle at different speeds: the positions agree at the start, the velocities do not.
  const std::string driver = R"("type": "angle_driver", "bodies": ["ground", "bob"], "axis": [0, 1, 0], "function":
      {"type": "polynomial", "coefficients": )";
  const std::string speeds = refusal(
      pendulum(regular, pin + R"(, "slow": {)" + driver + R"([0, 0]}}, "fast": {)" + driver + R"([0, 1e-3]}})"));
  CHECK(contains(speeds, "disagrees with it by 0.001 per second"));
}

TEST_CASE("a body without inertia in a direction it can move is named") {
  const std::string text = refusal(pendulum(
      R"("mass": 1, "inertia": [0, 0, 0], "position": [1, 0, 0])",
      R"("ball": {"type": "spherical", "bodies": ["ground", "bob"], "point_i": [1, 0, 0], "point_j": [0, 0, 0]})"));
  CHECK(contains(text, "body 'bob'"));
  CHECK(contains(text, "no inertia"));
  // A rod's own axis carries no inertia; a revolute across it leaves only directions that have some.
  CHECK(refusal(pendulum(R"("mass": 1, "inertia": [0, 0.1, 0.1], "position": [1, 0, 0])", pin)) == "accepted");
}

TEST_CASE("an element that joins a body with itself is refused at its key") {
  const std::string text = refusal(pendulum(
      regular, R"("pin": {"type": "revolute", "bodies": ["bob", "bob"], "at": [0, 0, 0], "axis": [0, 1, 0]})"));
  CHECK(contains(text, "/system/constraints/pin/bodies"));
}

TEST_CASE("an element that cannot be evaluated at the start is named at its place") {
  const std::string text = refusal(
      R"({"trammel": 1, "system": {"type": "planar", "bodies": {"bob": {"mass": 1, "inertia": 1, "position": [0, 0]}},
      "forces": {"spring": {"type": "tsda", "bodies": ["ground", "bob"], "point_i": [0, 0], "point_j": [0, 0],
      "stiffness": 1, "damping": 0, "free_length": 1}}}, "analysis": {"type": "dynamics", "duration": 1},
      "formulation": {"type": "direct"}, "integrator": {"type": "dopri5"}})");
  CHECK(contains(text, "/system/forces/spring: "));
  CHECK(contains(text, "'spring' (type 'tsda') out of domain"));
}
