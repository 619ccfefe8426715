// Rows that hold for velocities only, beside their motion: redundant ones, mobility, statics, and who refuses them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "rolling_disc.h"
#include "table.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

/// What the run file is refused with, or "".
std::string refusal(const std::string& json, const std::vector<std::string>& set) {
  const TemporaryFolder folder;
  write_text(folder.path() / "run.json", json);
  try {
    Simulation simulation(folder.path() / "run.json", {set, {}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Two discs of radius R on one axle of length 2 w, a rigid body that rolls down a slope: m g sin(a) = (m + I/R^2) x''.
constexpr const char* wheelset = R"({"trammel": 1,
"system": {"type": "spatial", "gravity": [1.5, 0, -9.6],
  "bodies": {"axle": {"mass": 20, "inertia": [3, 0.4, 3], "position": [0, 0, 0.2], "velocity": [0.5, 0, 0],
    "angular_velocity": [0, 2.5, 0]}},
  "constraints": {
    "left": {"type": "rolling_disc", "bodies": ["ground", "axle"], "radius": 0.2, "axis_i": [0, 0, 1],
             "point_j": [0, 0.5, 0], "axis_j": [0, 1, 0]},
    "right": {"type": "rolling_disc", "bodies": ["ground", "axle"], "radius": 0.2, "axis_i": [0, 0, 1],
              "point_j": [0, -0.5, 0], "axis_j": [0, 1, 0]}}},
"analysis": {"type": "dynamics", "duration": 2},
"formulation": {"type": "projection"},
"integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-12},
"output": {"step": 0.1, "channels": "all"}})";

/// A disc with its mass centre e beside its own, upright on a slope: it rests where that stands over the point that touches.
struct Slope {
  double R = 0.1, e = 0.05, alpha = std::asin(0.2), m = 1, g = 9.81;
  /// Angle of the mass centre from the slope's horizontal direction, below the centre.
  double rest() const { return -std::acos(R * std::sin(alpha) / e); }
  std::string run_file(double angle) const {
    char text[1500];
    const double x = e * std::cos(angle), z = e * std::sin(angle);
    std::snprintf(text, sizeof text, R"({"trammel": 1,
"system": {"type": "spatial", "gravity": [0, 0, %.17g],
  "bodies": {"disc": {"mass": %.17g, "inertia": [0.003, 0.005, 0.003], "position": [%.17g, 0, %.17g],
    "rotation": {"axis": [0, 1, 0], "angle": %.17g}}},
  "constraints": {"slope": {"type": "rolling_disc", "bodies": ["ground", "disc"], "radius": %.17g,
    "point_i": [%.17g, 0, %.17g], "axis_i": [%.17g, 0, %.17g], "point_j": [%.17g, 0, 0], "axis_j": [0, 1, 0]}}},
"analysis": {"type": "equilibrium", "method": "newton"}, "output": {"channels": "all"}})",
                  -g, m, x, z, -angle, R, R * std::sin(alpha), -R * std::cos(alpha), -std::sin(alpha), std::cos(alpha),
                  -e);
    return text;
  }
};

}  // namespace

TEST_CASE("two wheels on one axle: redundant rows are left out, the motion is that of one body on rails") {
  for (const char* formulation :
       {R"(formulation={"type": "projection"})", R"(formulation={"type": "coordinate_partitioning"})",
        R"(formulation={"type": "recursive"})"}) {
    CAPTURE(formulation);
    const TemporaryFolder folder;
    write_text(folder.path() / "run.json", wheelset);
    Simulation simulation(folder.path() / "run.json", {{formulation}, {}});
    simulation.write_results(folder.path());
    REQUIRE_MESSAGE(simulation.run() == RunStatus::completed, simulation.message());
    const auto summary = nlohmann::json::parse(text_of(folder.path() / "summary.json"));
    const auto& dimensions = summary.at("dimensions");
    CHECK(dimensions.at("velocity_rows") == 4);
    // Across the axle's own direction both say the same; along it and over height each speaks for itself.
    CHECK(dimensions.at("redundant") == 1);
    CHECK(dimensions.at("degrees_of_freedom") == 1);  // the axle is rigid: straight on
    const Table run(folder.path() / "results.csv");
    const double acceleration = 20 * 1.5 / (20 + 0.4 / 0.04);
    CHECK(difference(run, "axle.x", [&](double t) { return 0.5 * t + 0.5 * acceleration * t * t; }) < 1e-9);
    CHECK(difference(run, "axle.z", [](double) { return 0.2; }) < 1e-12);
    CHECK(difference(run, "left.force.z", [](double) { return 20 * 9.6 / 2; }) < 1e-6);
  }
}

TEST_CASE("mobility: freedoms of position and of velocity") {
  const TemporaryFolder folder;
  write_text(folder.path() / "run.json", Disc().run_file(1, 0, 0, 0));
  Simulation simulation(folder.path() / "run.json", {});
  const std::string text = simulation.mobility();
  CAPTURE(text);
  CHECK(contains(text, "3 degrees of freedom"));
  CHECK(contains(text, "2 of the rows hold for velocities only: 5 freedoms of position, 3 of velocity"));
}

TEST_CASE("a disc with its mass beside its centre rests on a slope: rolling holds it") {
  const Slope slope;
  const TemporaryFolder folder;
  write_text(folder.path() / "run.json", slope.run_file(slope.rest() + 0.1));
  Simulation simulation(folder.path() / "run.json", {});
  simulation.write_results(folder.path());
  REQUIRE_MESSAGE(simulation.run() == RunStatus::completed, simulation.message());
  const Table run(folder.path() / "results.csv");
  const double turned = 2 * std::atan2(run["disc.e2"][0], run["disc.e0"][0]);
  CHECK(-turned == doctest::Approx(slope.rest()).epsilon(1e-9));
  CHECK(std::abs(run["slope.force.x"][0]) < 1e-9);
  CHECK(run["slope.force.z"][0] == doctest::Approx(slope.m * slope.g).epsilon(1e-9));
  CHECK(std::abs(run["slope.contact_x"][0] - run["disc.x"][0]) < 1e-9);  // the mass stands over the point that touches
}

TEST_CASE("equilibria of what rolls: upright, the point that touches moves by R times the angle, by every method") {
  const Slope slope;
  const struct {
    const char* name;
    std::vector<std::string> set;
    double tolerance;
  } ways[] = {{"newton", {}, 1e-10},
              {"settling", {R"(analysis.method="settling")"}, 1e-5},  // the tolerance of its integrator
              {"start",
               {R"(analysis={"type": "dynamics", "duration": 0.001, "start": "equilibrium"})",
                R"(formulation={"type": "projection"})", R"(integrator={"type": "dopri5"})", "output.step=0.001"},
               1e-10}};
  for (const auto& way : ways) {
    for (const double away : {-0.7, 0.1, 0.5, 1.2}) {
      CAPTURE(way.name);
      CAPTURE(away);
      const TemporaryFolder folder;
      write_text(folder.path() / "run.json", slope.run_file(slope.rest() + away));
      Simulation simulation(folder.path() / "run.json", {way.set, {}});
      simulation.write_results(folder.path());
      REQUIRE_MESSAGE(simulation.run() == RunStatus::completed, simulation.message());
      const Table run(folder.path() / "results.csv");
      const double turned = 2 * std::atan2(run["disc.e2"][0], run["disc.e0"][0]) + slope.rest() + away;
      const double along = std::cos(slope.alpha) * (run["slope.contact_x"][0] - slope.R * std::sin(slope.alpha)) +
                           std::sin(slope.alpha) * (run["slope.contact_z"][0] + slope.R * std::cos(slope.alpha));
      CHECK(std::abs(turned) > 0.05);  // it did move
      CHECK(std::abs(along - slope.R * std::remainder(turned, 2 * std::acos(-1.0))) < way.tolerance);
      // Upright, and at rest: the mass stands over the point that touches.
      CHECK(std::abs(run["disc.e1"][0]) < way.tolerance);
      CHECK(std::abs(run["disc.e3"][0]) < way.tolerance);
      CHECK(std::abs(run["slope.contact_x"][0] - run["disc.x"][0]) < way.tolerance);
    }
  }
}

TEST_CASE("who cannot carry rows for velocities refuses the model with the element's name") {
  const std::string json = Disc().run_file(1, -2, 0, -20);
  const struct {
    const char* what;
    std::vector<std::string> set;
    const char* says;
  } refused[] = {
      {"rattle", {"formulation=null", R"(integrator={"type": "rattle", "step": 0.001})"}, "integrator 'rattle'"},
      {"conditionally explicit",
       {"formulation=null", R"(integrator={"type": "conditionally_explicit", "step": 0.001})"},
       "integrator 'conditionally_explicit'"},
      {"second-order view",
       {R"(formulation={"type": "coordinate_partitioning"})", R"(integrator={"type": "sdirk4"})"},
       "the second-order view that formulation 'coordinate_partitioning' gives integrator 'sdirk4'"},
      {"modes", {R"(analysis={"type": "modes"})", "formulation=null", "integrator=null"}, "use dynamics"},
      {"modes at an equilibrium",
       {R"(analysis={"type": "modes", "at": "equilibrium", "method": "newton"})", "formulation=null",
        "integrator=null"},
       "use dynamics"},
      {"kinematics",
       {R"(analysis={"type": "kinematics", "duration": 1})", "formulation=null", "integrator=null"},
       "use dynamics"},
      {"inverse dynamics",
       {R"(analysis={"type": "inverse_dynamics", "duration": 1})", "formulation=null", "integrator=null"},
       "use dynamics"},
      {"minimum of potential energy",
       {R"(analysis={"type": "equilibrium"})", "formulation=null", "integrator=null"},
       "'newton' or 'settling'"}};
  for (const auto& way : refused) {
    CAPTURE(way.what);
    const std::string text = refusal(json, way.set);
    CAPTURE(text);
    CHECK(contains(text, "'floor' (type 'rolling_disc') has rows that hold for velocities only"));
    if (std::string(way.what) != "minimum of potential energy") CHECK(contains(text, way.says));
  }
}

TEST_CASE("a disc that lies flat has no point that touches: refused at the start") {
  CHECK(contains(refusal(Disc().run_file(0, 0, 0, 0), {}), "lies flat"));
}

TEST_CASE("points and axes of a rolling disc by name are those by numbers") {
  const auto end_of = [](const std::vector<std::string>& set) {
    const TemporaryFolder folder;
    write_text(folder.path() / "run.json", Disc().run_file(1, -2, 0.3, -20));
    Simulation simulation(folder.path() / "run.json", {set, {}});
    REQUIRE(simulation.run() == RunStatus::completed);
    return std::vector<double>(simulation.positions().data, simulation.positions().data + 7);
  };
  const std::vector<double> numbers = end_of({"analysis.duration=0.3"});
  const std::vector<double> names = end_of(
      {"analysis.duration=0.3",
       R"(system.points={"place": {"body": "ground", "point": [0, 0, 0]}, "hub": {"body": "disc", "point": [0, 0, 0]}})",
       R"(system.constraints.floor={"type": "rolling_disc", "bodies": ["ground", "disc"], "radius": 0.1,
                  "point_i": "place", "axis_i": "place.z", "point_j": "hub", "axis_j": "hub.z"})"});
  for (std::size_t i = 0; i < 7; ++i) CHECK(names[i] == doctest::Approx(numbers[i]).epsilon(1e-9));
}

TEST_CASE("a driver that comes to contradict rolling is told with the row, not with tolerances") {
  const TemporaryFolder folder;
  write_text(folder.path() / "run.json", wheelset);
  const std::vector<std::string> set = {
      R"(system.constraints.aside={"type": "coordinate_driver", "body": "axle", "coordinate": "y",
          "function": {"type": "step", "begin": 0.3, "end": 0.6, "to": 0.1}})"};
  Simulation simulation(folder.path() / "run.json", {set, {}});
  simulation.write_results(folder.path());
  simulation.run();
  const std::string summary = text_of(folder.path() / "summary.json");
  CAPTURE(summary);
  CHECK(contains(summary, "the constraints contradict each other: row '"));
  CHECK(contains(summary, "'aside'"));
  CHECK(!contains(summary, "try smaller tolerances"));
}
