// Kinematic and inverse dynamic analysis: closed forms, redundant loops, lock-up, bifurcation, drivers miscounted.
#include <cmath>

#include "finished_run.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A four-bar of cranks a and c, coupler b, frame d on the x axis, drawn roughly; the crank follows `function`.
std::string four_bar(double a, double b, double c, double d, const char* start, const char* function,
                     const char* analysis, const char* output = R"({ "step": 0.01, "channels": "all" })") {
  const auto number = [](double x) { return std::to_string(x); };
  return R"json({ "trammel": 1, "parameters": { "a": )json" + number(a) + R"json(, "b": )json" + number(b) +
         R"json(, "c": )json" + number(c) + R"json(, "d": )json" + number(d) + "," + start + R"json( },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": {
      "crank": { "mass": 1, "inertia": 0.1, "position": ["=a/2*cos(t2)", "=a/2*sin(t2)"], "angle": "=t2" },
      "coupler": { "mass": 1, "inertia": 0.1, "position": ["=a*cos(t2)+b/2*cos(t3)", "=a*sin(t2)+b/2*sin(t3)"], "angle": "=t3" },
      "rocker": { "mass": 1, "inertia": 0.1, "position": ["=d+c/2*cos(t4)", "=c/2*sin(t4)"], "angle": "=t4" } },
    "constraints": {
      "A": { "type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": ["=-a/2", 0] },
      "B": { "type": "revolute", "bodies": ["crank", "coupler"], "point_i": ["=a/2", 0], "point_j": ["=-b/2", 0] },
      "C": { "type": "revolute", "bodies": ["coupler", "rocker"], "point_i": ["=b/2", 0], "point_j": ["=c/2", 0] },
      "D": { "type": "revolute", "bodies": ["ground", "rocker"], "point_i": ["=d", 0], "point_j": ["=-c/2", 0] },
      "motor": { "type": "angle_driver", "bodies": ["ground", "crank"], "function": )json" +
         function + R"json( } } },
  "analysis": )json" +
         analysis + R"json(, "output": )json" + output + " }";
}

/// What running ends with, or what the file is refused with.
std::string message_of(const std::string& text) {
  try {
    Simulation simulation(temporary_run_file(text), with_sets());
    CHECK(simulation.run() == RunStatus::failed);
    return simulation.message();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("driven pendulum: torque and reaction in closed form") {
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1,
    "system": { "type": "planar", "gravity": [0, -9.81],
      "bodies": { "arm": { "mass": 2, "inertia": 0.3, "position": [0, -0.7], "angle": "=-pi/2" } },
      "constraints": {
        "pin": { "type": "revolute", "bodies": ["ground", "arm"], "point_i": [0, 0], "point_j": [-0.7, 0] },
        "motor": { "type": "angle_driver", "bodies": ["ground", "arm"],
                   "function": { "type": "expression", "formula": "0.2 + 3*t + t^3" } } } },
    "analysis": { "type": "inverse_dynamics", "duration": 1.5 }, "output": { "step": 0.1 } })json"));
  const double t = 1.5, m = 2, s = 0.7, J = 0.3, g = 9.81;
  const double theta = 0.2 + 3 * t + t * t * t, w = 3 + 3 * t * t, alpha = 6 * t;
  CHECK(run.channel("arm.phi") == doctest::Approx(theta).epsilon(1e-14));
  CHECK(run.channel("arm.alpha") == doctest::Approx(alpha).epsilon(1e-13));
  CHECK(run.channel("motor.effort") ==
        doctest::Approx((J + m * s * s) * alpha + m * g * s * std::cos(theta)).epsilon(1e-13));
  CHECK(run.channel("pin.force.x") ==
        doctest::Approx(-m * s * (std::sin(theta) * alpha + std::cos(theta) * w * w)).epsilon(1e-12));
  CHECK(run.channel("pin.force.y") ==
        doctest::Approx(m * (g + s * (std::cos(theta) * alpha - std::sin(theta) * w * w))).epsilon(1e-12));
}

TEST_CASE("large output steps and motions from rest are followed in shorter steps") {
  // A crank-rocker turned by 60 degrees per row, and by a cubic that begins with neither rate nor acceleration.
  const char* start = R"("t2": 0.3, "t3": 0.9, "t4": 1.8)";
  for (const char* law : {R"({ "type": "polynomial", "coefficients": [0.3, 10] })",
                          R"({ "type": "polynomial", "coefficients": [0.3, 0, 0, 10] })"}) {
    CAPTURE(law);
    const std::string analysis = R"({ "type": "kinematics", "duration": 1.05 })";
    FinishedRun coarse(
        temporary_run_file(four_bar(0.1, 0.35, 0.3, 0.4, start, law, analysis.c_str(), R"({ "step": 0.105 })")));
    const double fine = FinishedRun(temporary_run_file(four_bar(0.1, 0.35, 0.3, 0.4, start, law, analysis.c_str(),
                                                                R"({ "step": 0.001 })")))
                            .channel("rocker.phi");
    CHECK(std::abs(coarse.channel("rocker.phi") - fine) < 1e-12);
  }
}

TEST_CASE("redundant loops of spatial revolutes move as the planar ones") {
  const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
  const std::vector<std::string> common = {R"(analysis={"type":"inverse_dynamics","duration":1})",
                                           R"(output={"step":0.01,"channels":"all"})"};
  std::vector<std::string> planar = common, spatial = common;
  planar.push_back(R"(system.constraints.motor={"type":"angle_driver","bodies":["ground","crank"],"rate":10})");
  spatial.push_back(
      R"(system.constraints.motor={"type":"angle_driver","bodies":["ground","crank"],"axis":[0,0,1],"rate":10})");
  FinishedRun flat(examples / "planar_four_bar.json", planar), solid(examples / "spatial_four_bar.json", spatial);
  CHECK(contains(solid.simulation.summary_json(), "\"redundant\": 3"));
  for (const char* channel :
       {"crank.x", "coupler.x", "coupler.y", "rocker.vx", "rocker.vy", "coupler.ax", "motor.effort"}) {
    CAPTURE(channel);
    CHECK(solid.channel(channel) == doctest::Approx(flat.channel(channel)).epsilon(1e-9));
  }
}

TEST_CASE("lock-up of a slider pushed beyond its reach") {
  const std::string text = R"json({ "trammel": 1, "parameters": { "a": 0.3, "b": 0.5 },
    "system": { "type": "planar",
      "bodies": { "crank": { "mass": 1, "inertia": 0.01, "position": [0.1, 0.1], "angle": 0.8 },
        "rod": { "mass": 1, "inertia": 0.01, "position": [0.4, 0.1], "angle": -0.5 },
        "slider": { "mass": 1, "inertia": 0.01, "position": [0.6, 0] } },
      "constraints": {
        "pin": { "type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": ["=-a/2", 0] },
        "crank_pin": { "type": "revolute", "bodies": ["crank", "rod"], "point_i": ["=a/2", 0], "point_j": ["=-b/2", 0] },
        "piston_pin": { "type": "revolute", "bodies": ["rod", "slider"], "point_i": ["=b/2", 0], "point_j": [0, 0] },
        "guide": { "type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0] },
        "push": { "type": "coordinate_driver", "body": "slider", "coordinate": "x",
                  "function": { "type": "polynomial", "coefficients": [0.6, 0.1] } } } },
    "analysis": { "type": "kinematics", "duration": 5 }, "output": { "step": 0.07 } })json";
  const std::string message = message_of(text);
  CAPTURE(message);
  REQUIRE(contains(message, "lock-up at t = "));
  const double time = std::strtod(message.c_str() + message.find("t = ") + 4, nullptr);
  CHECK(std::abs(time - 2) <
        1e-6);  // x = a + b; the time is known to 1e-10 of the duration and to the rounding of the rows
  CHECK(contains(message, "cannot follow 'push'"));
  CHECK(contains(message, "'crank_pin'"));
}

TEST_CASE("lock-up of a four-bar whose crank cannot turn all the way round") {
  // a + d = 0.9 > b + c = 0.7: coupler and rocker come into line where their ends are b + c apart.
  const double a = 0.4, b = 0.4, c = 0.3, d = 0.5, limit = std::acos((a * a + d * d - (b + c) * (b + c)) / (2 * a * d));
  const std::string message = message_of(four_bar(a, b, c, d, R"("t2": 0.5, "t3": 0.9, "t4": 1.8)",
                                                  R"({ "type": "polynomial", "coefficients": [0.5, 1] })",
                                                  R"({ "type": "kinematics", "duration": 6 })"));
  CAPTURE(message);
  REQUIRE(contains(message, "lock-up at t = "));
  CHECK(std::abs(std::strtod(message.c_str() + message.find("t = ") + 4, nullptr) - (limit - 0.5)) < 1e-6);
  CHECK(contains(message, "'motor'"));
}

TEST_CASE("a parallelogram stays one through the positions in line, and the bifurcation is told") {
  for (const char* law : {R"({ "type": "polynomial", "coefficients": [1, 3] })",  // no row of the results in line
                          R"({ "type": "polynomial", "coefficients": [1, "=pi-1"] })"}) {  // a row exactly there
    CAPTURE(law);
    FinishedRun run(temporary_run_file(four_bar(0.2, 0.5, 0.2, 0.5, R"("t2": 1, "t3": 0, "t4": 1)", law,
                                                R"({ "type": "kinematics", "duration": 2 })")));
    CHECK(std::abs(run.channel("rocker.phi") - run.channel("crank.phi")) < 1e-9);
    CHECK(std::abs(run.channel("coupler.phi")) < 1e-9);
    const std::string summary = run.simulation.summary_json();
    const std::size_t told = summary.find("singular configuration near t = ");
    REQUIRE(told != std::string::npos);
    const double rate = contains(law, "=pi") ? pi - 1 : 3;
    CHECK(std::abs(std::strtod(summary.c_str() + told + 32, nullptr) - (pi - 1) / rate) < 1e-2);
  }
}

/// A slider-crank of links of 1 m, whose slider passes the crank's bearing where the crank is upright.
std::string equal_slider_crank(const char* rate, const char* analysis, double step) {
  return R"json({ "trammel": 1, "parameters": { "t2": 0.5 },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": {
      "crank": { "mass": 1, "inertia": 0.1, "position": ["=cos(t2)/2", "=sin(t2)/2"], "angle": "=t2" },
      "rod": { "mass": 1, "inertia": 0.1, "position": ["=1.5*cos(t2)", "=sin(t2)/2"], "angle": "=-t2" },
      "slider": { "mass": 1, "inertia": 0.1, "position": ["=2*cos(t2)", 0] } },
    "constraints": {
      "O": { "type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": [-0.5, 0] },
      "A": { "type": "revolute", "bodies": ["crank", "rod"], "point_i": [0.5, 0], "point_j": [-0.5, 0] },
      "B": { "type": "revolute", "bodies": ["rod", "slider"], "point_i": [0.5, 0], "point_j": [0, 0] },
      "G": { "type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0] },
      "motor": { "type": "angle_driver", "bodies": ["ground", "crank"],
                 "function": { "type": "polynomial", "coefficients": ["=t2", )json" +
         std::string(rate) + R"json(] } } } },
  "analysis": )json" +
         analysis + R"json(, "output": { "step": )json" + std::to_string(step) + " } }";
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("a bifurcation is told once, with its time, whatever the output step") {
  const std::string words = "singular configuration near t = ";
  for (const double step : {0.5, 0.2, 0.1, 0.02, 0.01}) {
    CAPTURE(step);
    FinishedRun run(temporary_run_file(equal_slider_crank("1", R"({ "type": "kinematics", "duration": 2 })", step)));
    const std::string summary = run.simulation.summary_json();
    REQUIRE(occurrences(summary, words) == 1);
    // Six digits are printed.
    const double told = std::strtod(summary.c_str() + summary.find(words) + words.size(), nullptr);
    CHECK(std::abs(told - (pi / 2 - 0.5)) < 1e-5);
  }
}

TEST_CASE("rows beside a bifurcation at an output time are right, the one there is told to be unreliable") {
  // The crank is upright at t = 1, where a row of the results is; the run ends at the next one. There and one row later
  // the slider is at 2 cos(theta).
  FinishedRun run(
      temporary_run_file(equal_slider_crank(R"("=pi/2-0.5")", R"({ "type": "kinematics", "duration": 1.01 })", 0.01)));
  const double w = pi / 2 - 0.5, theta = 0.5 + w * 1.01;
  // Phi_q is within 0.01 of singular: rounding of positions is amplified by its inverse, for accelerations twice.
  CHECK(run.channel("slider.vx") == doctest::Approx(-2 * w * std::sin(theta)).epsilon(1e-10));
  CHECK(std::abs(run.channel("slider.ax") + 2 * w * w * std::cos(theta)) < 1e-6);
  CHECK(std::abs(run.channel("rod.omega") + w) < 1e-8);
  Simulation written(
      temporary_run_file(equal_slider_crank(R"("=pi/2-0.5")", R"({ "type": "kinematics", "duration": 1.01 })", 0.01)),
      {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  const TemporaryFolder folder;
  written.write_results(folder.path());
  CHECK(written.run() == RunStatus::completed);
  CHECK(contains(written.summary_json(), "the position at t = 1 is singular"));
  CHECK(contains(written.summary_json(), "are not reliable"));
}

TEST_CASE("drivers that are missing, too many, or no use where the motion starts") {
  const char* start = R"("t2": 0.3, "t3": 0.9, "t4": 1.8)";
  const std::string good =
      four_bar(0.1, 0.35, 0.3, 0.4, start, R"({ "type": "polynomial", "coefficients": [0.3, 10] })",
               R"({ "type": "kinematics", "duration": 1 })");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string missing = message_of(changed(
      R"("D": { "type": "revolute", "bodies": ["ground", "rocker"], "point_i": ["=d", 0], "point_j": ["=-c/2", 0] },)",
      ""));
  CAPTURE(missing);
  CHECK(contains(missing, "1 driver for 3 freedoms; 2 drivers are missing; nothing drives "));
  CHECK(contains(missing, "'C.angle'"));
  CHECK_FALSE(contains(missing, "'A.angle'"));

  const std::string same = message_of(changed("\"motor\"", R"("again": { "type": "coordinate_driver", "body": "crank",
      "coordinate": "phi", "function": { "type": "polynomial", "coefficients": [0.3, 10] } }, "motor")"));
  CHECK(contains(same,
                 "2 drivers for 1 freedom, 1 too many; 'again', 'motor' repeat what the other constraints prescribe"));

  const std::string other =
      message_of(changed("\"motor\"", R"("other": { "type": "angle_driver", "bodies": ["ground", "rocker"],
      "function": { "type": "polynomial", "coefficients": [0.1, 10] } }, "motor")"));
  CHECK(contains(other, "there are 2 drivers for 1 freedom: leave 1 of 'other', 'motor' out"));

  const std::string singular = message_of(four_bar(0.2, 0.5, 0.2, 0.5, R"("t2": 0, "t3": 0, "t4": 0)",
                                                   R"({ "type": "polynomial", "coefficients": [0, 1] })",
                                                   R"({ "type": "kinematics", "duration": 1 })"));
  CAPTURE(singular);
  CHECK(contains(singular, "the initial position is singular"));
}

TEST_CASE("a start at a dead centre names the lock-up and the driver; output steps may not be too short") {
  // Both links in line; the slider is to come nearer at a rate.
  std::string text = equal_slider_crank("1", R"({ "type": "kinematics", "duration": 2 })", 0.01);
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(contains(text, from));
    text.replace(text.find(from), from.size(), to);
  };
  replace(R"("t2": 0.5)", R"("t2": 0)");
  replace(R"("type": "angle_driver", "bodies": ["ground", "crank"])",
          R"("type": "coordinate_driver", "body": "slider", "coordinate": "x")");
  replace(R"(["=t2", 1])", "[2, -1]");
  const std::string locked = message_of(text);
  CAPTURE(locked);
  CHECK(contains(locked, "/system/constraints/motor: lock-up at the start"));
  CHECK(contains(locked, "'motor'"));
  const std::string tiny = message_of(four_bar(0.1, 0.35, 0.3, 0.4, R"("t2": 0.3, "t3": 0.9, "t4": 1.8)",
                                               R"({ "type": "polynomial", "coefficients": [0.3, 1] })",
                                               R"({ "type": "kinematics", "duration": 2 })", R"({ "step": 1e-12 })"));
  CAPTURE(tiny);
  CHECK(contains(tiny, "/output/step: a row every 1e-12 s in a run of 2 s would be 2e+12 rows"));
}

TEST_CASE("integrator and formulation are not used, forces with states are refused for inverse dynamics") {
  const char* start = R"("t2": 0.3, "t3": 0.9, "t4": 1.8)";
  const std::string good =
      four_bar(0.1, 0.35, 0.3, 0.4, start, R"({ "type": "polynomial", "coefficients": [0.3, 10] })",
               R"({ "type": "kinematics", "duration": 0.1 })");
  Simulation simulation(temporary_run_file(good), with_sets({R"(integrator={"type":"rk4","step":0.1})"}));
  REQUIRE(simulation.warnings().size() == 1);
  CHECK(simulation.warnings()[0] == "'integrator' is not used in a motion that constraints and drivers determine");
}

}  // namespace
}  // namespace trammel
