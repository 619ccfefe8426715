// Equilibria and modes against closed forms; what each method refuses and says.
#include <cmath>
#include <complex>
#include <fstream>
#include <map>
#include <sstream>

#include "bisection.h"
#include "finished_run.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double pi = 3.14159265358979323846, g = 9.81;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double number_in(const std::string& json, const std::string& key) {
  const std::size_t at = json.find("\"" + key + "\": ");
  REQUIRE_MESSAGE(at != std::string::npos, key);
  return std::strtod(json.c_str() + at + key.size() + 4, nullptr);
}

/// Rows of a table by its columns' names, the first column a text.
struct CsvRows {
  explicit CsvRows(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line, entry;
    const auto split = [&] {
      std::vector<std::string> entries;
      for (std::stringstream parts(line); std::getline(parts, entry, ',');) entries.push_back(entry);
      return entries;
    };
    std::getline(in, line);
    columns = split();
    while (std::getline(in, line)) rows.push_back(split());
  }
  double at(std::size_t row, const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    REQUIRE_MESSAGE(found != columns.end(), column);
    return std::strtod(rows.at(row).at(static_cast<std::size_t>(found - columns.begin())).c_str(), nullptr);
  }
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A rod of 2 kg hinged at one end, its centre 0.7 m from there, held by a torsion spring of 9 N m/rad that is free
/// upright: the weight bends it to theta from the vertical, m g s sin(theta) = k theta.
std::string bent_rod(const std::string& analysis, double angle, const std::string& more = "") {
  return R"json({ "trammel": 1, "parameters": { "tilt": )json" + std::to_string(angle) + R"json( },
    "system": { "type": "planar", "gravity": [0, -9.81],
      "bodies": { "rod": { "mass": 2, "inertia": 0.3, "position": ["=-0.7*sin(tilt)", "=0.7*cos(tilt)"], "angle": "=tilt" } },
      "constraints": { "hinge": { "type": "revolute", "bodies": ["ground", "rod"], "point_i": [0, 0], "point_j": [0, -0.7] } },
      "forces": { "spring": { "type": "rsda", "bodies": ["ground", "rod"], "stiffness": 9, "damping": 0.5 })json" +
         more + R"json( } },
    "analysis": )json" +
         analysis + " }";
}

const double bent_angle = bisection([](double x) { return 2 * g * 0.7 * std::sin(x) - 9 * x; }, 0.1, pi);

struct ModesRun : FinishedRun {
  ModesRun(const std::filesystem::path& file, std::vector<std::string> sets = {}) : FinishedRun(file, sets) {
    Simulation again(file, with_sets(sets));
    again.write_results(folder.path());
    CHECK(again.run() == RunStatus::completed);
  }
  CsvRows table(const char* name) const { return CsvRows(folder.path() / name); }
  TemporaryFolder folder;
};

TEST_CASE("every method finds the bent rod, its reaction and its stability") {
  for (const char* method :
       {R"("minimum_potential")", R"("minimum_potential", "optimizer": "lbfgs")", R"("settling")", R"("newton")"}) {
    CAPTURE(method);
    FinishedRun run(
        temporary_run_file(bent_rod(std::string(R"({ "type": "equilibrium", "method": )") + method + " }", 0.9)));
    const double tolerance = contains(method, "settling") ? 1e-6 : 1e-10;
    CHECK(std::abs(run.channel("rod.phi") - bent_angle) < tolerance);
    CHECK(run.channel("rod.omega") == 0);
    CHECK(run.channel("hinge.force.y") == doctest::Approx(2 * g).epsilon(tolerance));
    const std::string summary = run.simulation.summary_json();
    CHECK(contains(summary, "\"stable\": true"));
    const double V = 2 * g * 0.7 * std::cos(bent_angle) + 4.5 * bent_angle * bent_angle;
    CHECK(run.channel("energy.potential") == doctest::Approx(V).epsilon(tolerance));
    if (contains(method, "settling")) CHECK(contains(summary, "depends on the state it starts from"));
    if (contains(method, "newton")) CHECK(contains(summary, "finds stable and unstable states alike"));
  }
}

TEST_CASE("Newton finds the unstable equilibrium that the others leave, and tells") {
  FinishedRun newton(temporary_run_file(bent_rod(R"({ "type": "equilibrium", "method": "newton" })", 0.1)));
  CHECK(std::abs(newton.channel("rod.phi")) < 1e-10);
  const std::string summary = newton.simulation.summary_json();
  CHECK(contains(summary, "\"stable\": false"));
  CHECK(contains(summary, "unstable in 1 direction"));
  // Upright the stiffness is k - m g s, about the hinge J + m s^2.
  CHECK(number_in(summary, "lowest") == doctest::Approx((9 - 2 * g * 0.7) / (0.3 + 2 * 0.49)).epsilon(1e-10));
  FinishedRun fallen(temporary_run_file(bent_rod(R"({ "type": "equilibrium" })", 0.1)));
  CHECK(std::abs(fallen.channel("rod.phi") - bent_angle) < 1e-9);
}

TEST_CASE("a constant force has a potential, one that turns with the body has none") {
  const std::string push = R"(, "push": { "type": "applied_force", "body": "rod", "force": [3, -5], "point": [0, 0.7])";
  FinishedRun run(temporary_run_file(bent_rod(R"({ "type": "equilibrium" })", 0.5, push + " }")));
  const double theta = run.channel("rod.phi");
  // Moments about the hinge: weight and force at 1.4 m, (-sin, cos) from it, against the spring.
  const double moment = 2 * g * 0.7 * std::sin(theta) + 1.4 * (5 * std::sin(theta) - 3 * std::cos(theta)) - 9 * theta;
  CHECK(std::abs(moment) < 1e-8);
  const auto refused = [&](const std::string& analysis) {
    try {
      Simulation simulation(temporary_run_file(bent_rod(analysis, 0.5, push + R"(, "frame": "body" })")), with_sets());
      simulation.run();
      return std::string();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return std::string(error.what());
    }
  };
  const std::string text = refused(R"({ "type": "equilibrium", "method": "minimum_potential" })");
  CAPTURE(text);
  CHECK(contains(text,
                 "/analysis/method: minimum_potential needs forces that follow from a potential, which force 'push' "
                 "(type 'applied_force')"));
  CHECK(contains(text, "\"settling\""));
  CHECK(refused(R"({ "type": "equilibrium", "method": "settling" })") == "");
}

TEST_CASE("no equilibrium: how far each method got") {
  const auto failed = [&](const std::string& analysis, const std::string& text) {
    Simulation simulation(temporary_run_file(text), with_sets({"analysis=" + analysis}));
    CHECK(simulation.run() == RunStatus::failed);
    CHECK(contains(simulation.summary_json(), "\"found\": false"));
    return simulation.message();
  };
  const std::string falling = R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "stone": { "mass": 1, "inertia": 0.1 } } }, "analysis": { "type": "equilibrium" } })json";
  for (const char* method : {"minimum_potential", "newton", "settling"}) {
    const std::string text = failed(std::string(R"({"type":"equilibrium","method":")") + method +
                                        (std::string(method) == "settling" ? R"(","duration":3})" : R"("})"),
                                    falling);
    CAPTURE(text);
    CHECK(contains(text, "no equilibrium was found: "));
    CHECK(contains(text, std::string(method) == "settling" ? "velocities of " : "acceleration at rest is still 9.81"));
  }
  const std::string slow = failed(R"({"type":"equilibrium","method":"settling","damping":0.01,"duration":2})",
                                  bent_rod(R"({ "type": "equilibrium" })", 0.5));
  CHECK(contains(slow, "after settling for 2 s, which moved coordinates by up to "));
  CHECK(contains(slow, ", velocities of "));
}

TEST_CASE("springs at and near their free lengths are conservative, soft and stiff; what circulates is not") {
  const std::filesystem::path configs = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs";
  const std::vector<std::string> sets = {R"(analysis={"type":"equilibrium"})"};
  for (const char* file :
       {"examples/spring_mass.json", "examples/three_masses_modes.json", "papers/sandu/hmmwv.json"}) {
    CAPTURE(file);
    CHECK(contains(FinishedRun(configs / file, sets).simulation.summary_json(), "\"found\": true"));
  }
  // A block on a spring along x and a force of `law` N along the same line, spatial and planar; free at x = 1.
  const auto block = [](const std::string& stiffness, const std::string& forces, double at) {
    return R"json({ "trammel": 1, "system": { "type": "spatial", "bodies": { "block": { "mass": 2, "inertia": [1, 1, 1], "position": [)json" +
           std::to_string(at) + R"json(, 0, 0] } },
      "constraints": { "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [0, 0, 0], "axis": [1, 0, 0] } },
      "forces": { "spring": { "type": "tsda", "bodies": ["ground", "block"], "point_i": [0, 0, 0], "free_length": 1, "stiffness": )json" +
           stiffness + " }" + forces + R"json( } }, "analysis": { "type": "equilibrium" } })json";
  };
  for (const char* stiffness : {"1e-3", "10", "1e5", "1e9"}) {
    for (const double at : {1.0, 1.0 + 1e-9, 1.0 + 1e-5, 0.9}) {
      CAPTURE(stiffness);
      CAPTURE(at);
      FinishedRun run(temporary_run_file(block(stiffness, "", at)));
      CHECK(run.channel("block.x") == doctest::Approx(1).epsilon(1e-5));
    }
  }
  const auto refused = [](const std::string& text) {
    try {
      Simulation simulation(temporary_run_file(text), with_sets());
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  // Weak against the spring, and still found: a force that turns with the body.
  const std::string follower =
      R"(, "jet": { "type": "applied_force", "body": "block", "force": [0, 1e-6, 0], "frame": "body" })";
  CHECK(contains(refused(block("1e9", follower, 1)), "force 'jet' (type 'applied_force') does not"));
}

TEST_CASE("a chain let fall from a horizontal line") {
  FinishedRun run(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/benchmarks/revolute_chain_64.json",
                  {R"(analysis={"type":"equilibrium"})"});
  // 64 links of 0.1 m and 0.05 kg, one below the other.
  CHECK(run.channel("link64.y") == doctest::Approx(-6.35).epsilon(1e-10));
  const std::string summary = run.simulation.summary_json();
  CHECK(number_in(summary, "potential_energy") == doctest::Approx(-0.05 * 9.81 * 0.1 * 64 * 32).epsilon(1e-10));
  CHECK(contains(summary, "\"stable\": true"));
  CHECK(contains(summary, "\"stability_from\": \"stiffness\""));
}

TEST_CASE("dry friction is named where a potential is needed, dampers are not") {
  const auto told = [](const std::string& more) {
    try {
      Simulation simulation(temporary_run_file(bent_rod(R"({ "type": "equilibrium" })", 0.5, more)), with_sets());
      return std::string();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return std::string(error.what());
    }
  };
  const std::string joint = R"(, "rub": { "type": "joint_friction", "joint": "hinge", "damping": [1], "friction": [)";
  const std::string text = told(joint + "0.5] }");
  CAPTURE(text);
  CHECK(contains(
      text, "which the dry friction of force 'rub' (type 'joint_friction') does not; use \"method\": \"settling\""));
  CHECK(told(joint + "0] }") == "");
  const std::string damper =
      R"(, "strut": { "type": "tsda", "bodies": ["ground", "rod"], "point_i": [3, 0], "damping": 2)";
  CHECK(contains(told(damper + R"(, "friction": 4 })"), "the dry friction of force 'strut' (type 'tsda')"));
  CHECK(told(damper + " }") == "");
  CHECK(contains(told(R"(, "clutch": { "type": "rsda", "bodies": ["ground", "rod"], "friction": 1 })"),
                 "the dry friction of force 'clutch' (type 'rsda')"));
}

/// A mass of 2 kg on a guide, driven by an actuator that follows -k x - c x' with a lag tau.
std::string lagging(double k, double c, double lag, const std::string& analysis) {
  return R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "block": { "mass": 2, "inertia": 1, "position": [0.2, 0] } },
    "constraints": { "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0] } },
    "forces": { "motor": { "type": "actuator", "joint": "guide", "lag": )json" +
         std::to_string(lag) + R"json(, "law": "5)json" + (k < 0 ? " + " : " - ") + std::to_string(std::abs(k)) +
         "*x - " + std::to_string(c) + R"json(*rate" } } }, "analysis": )json" + analysis + " }";
}

TEST_CASE("internal states take part in equilibria, stability and modes") {
  // lambda^3 + lambda^2/tau + c lambda/(m tau) + k/(m tau) = 0 is stable exactly where c > k tau (Routh and Hurwitz).
  for (const char* method : {"newton", "settling"}) {
    for (const double lag : {0.05, 0.5}) {
      CAPTURE(method);
      CAPTURE(lag);
      const bool stable = lag < 0.2;
      FinishedRun run(temporary_run_file(lagging(
                          50, 10, lag, std::string(R"({ "type": "equilibrium", "method": ")") + method + R"(" })")),
                      {std::string(method) == "settling" && !stable ? "analysis.damping=20" : "title=x"});
      CHECK(run.channel("block.x") == doctest::Approx(0.3).epsilon(1e-5));
      const std::string summary = run.simulation.summary_json();
      CHECK(contains(summary, stable ? "\"stable\": true" : "\"stable\": false"));
      CHECK(contains(summary, "\"stability_from\": \"eigenvalues\""));
      if (std::string(method) == "settling") CHECK(number_in(summary, "moved") == doctest::Approx(0.1).epsilon(1e-4));
    }
  }
  const ModesRun run(temporary_run_file(
      lagging(50, 10, 0.5, R"({ "type": "modes", "at": "equilibrium", "method": "newton", "matrices": true })")));
  const CsvRows modes = run.table("modes.csv");
  REQUIRE(modes.rows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::complex<double> x(modes.at(i, "real"), modes.at(i, "imag"));
    CHECK(std::abs(x * x * x + 2.0 * x * x + 10.0 * x + 50.0) < 1e-10);  // m = 2, tau = 1/2
  }
  const CsvRows A = run.table("state_matrix.csv");
  REQUIRE(A.rows.size() == 3);
  CHECK(A.rows[2][0] == "motor.z.0");
  CHECK(A.at(1, "motor.z.0") == doctest::Approx(0.5));
  CHECK(A.at(2, "block.x") == doctest::Approx(-100));
  CHECK(A.at(2, "block.x_dot") == doctest::Approx(-20));
  CHECK(A.at(2, "motor.z.0") == doctest::Approx(-2));
}

TEST_CASE("a spatial pendulum swings down, with Euler parameters and neutral turning about its own axis") {
  // A ball joint: any turn about the vertical is an equilibrium too.
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1,
    "system": { "type": "spatial", "gravity": [0, 0, -9.81],
      "bodies": { "bob": { "mass": 2, "inertia": [0.3, 0.3, 0.1], "position": [0.7, 0, 0], "rotation": { "axis": [0, 1, 0], "angle": "=-pi/2" } } },
      "constraints": { "ball": { "type": "spherical", "bodies": ["ground", "bob"], "at": [0, 0, 0] } } },
    "analysis": { "type": "equilibrium", "acceleration_tolerance": 1e-8 } })json"));
  CHECK(std::abs(run.channel("bob.x")) + std::abs(run.channel("bob.y")) < 1e-7);
  CHECK(run.channel("bob.z") == doctest::Approx(-0.7).epsilon(1e-12));
  CHECK(run.channel("ball.force.z") == doctest::Approx(2 * g).epsilon(1e-10));
  CHECK(number_in(run.simulation.summary_json(), "neutral") == 1);
  CHECK(contains(run.simulation.summary_json(), "\"stable\": false"));
}

TEST_CASE("damped oscillator, from under- to overdamped, and a free mass") {
  const auto oscillator = [](double c) {
    return temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar",
      "bodies": { "block": { "mass": 2, "inertia": 1 }, "puck": { "mass": 1, "inertia": 1, "position": [0, 5] } },
      "constraints": {
        "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0] },
        "rail": { "type": "translational", "bodies": ["ground", "puck"], "at": [0, 5], "axis": [1, 0] } },
      "forces": { "spring": { "type": "tsda", "bodies": ["ground", "block"], "point_i": [-3, 0], "point_j": [0, 0], "stiffness": 50,
                              "damping": )json" +
                              std::to_string(c) + R"json(, "free_length": 3 } } },
      "analysis": { "type": "modes", "matrices": true } })json");
  };
  {
    const ModesRun run(oscillator(4));  // omega 5, zeta = c / (2 m omega) = 0.2
    const CsvRows modes = run.table("modes.csv");
    REQUIRE(modes.rows.size() == 2);
    CHECK(modes.at(0, "omega") == 0);
    CHECK(modes.at(1, "omega") == doctest::Approx(5).epsilon(1e-13));
    CHECK(modes.at(1, "frequency") == doctest::Approx(5 / (2 * pi)).epsilon(1e-13));
    CHECK(modes.at(1, "damping_ratio") == doctest::Approx(0.2).epsilon(1e-12));
    CHECK(modes.at(1, "real") == doctest::Approx(-1).epsilon(1e-12));
    CHECK(modes.at(1, "imag") == doctest::Approx(std::sqrt(24)).epsilon(1e-12));
    const CsvRows shapes = run.table("mode_shapes.csv");
    CHECK(shapes.at(0, "puck.x") == doctest::Approx(1));
    CHECK(shapes.at(0, "block.x") == doctest::Approx(0));
    CHECK(shapes.at(1, "block.x") == doctest::Approx(1));
    const CsvRows A = run.table("state_matrix.csv"), C = run.table("output_matrix.csv");
    REQUIRE(A.rows.size() == 4);
    CHECK(A.rows[2][0] == "block.x_dot");
    CHECK(A.at(0, "block.x_dot") == 1);
    CHECK(A.at(2, "block.x") == doctest::Approx(-25).epsilon(1e-13));
    CHECK(A.at(2, "block.x_dot") == doctest::Approx(-2).epsilon(1e-13));
    REQUIRE(C.rows.size() == 6);
    CHECK(C.at(0, "block.x") == 1);
    CHECK(C.at(3, "puck.x") == 1);
  }
  const ModesRun run(oscillator(52));  // lambda^2 + 26 lambda + 25 = 0: -1 and -25
  const CsvRows modes = run.table("modes.csv");
  REQUIRE(modes.rows.size() == 3);
  CHECK(modes.at(1, "real") == doctest::Approx(-1).epsilon(1e-12));
  CHECK(modes.at(1, "imag") == 0);
  CHECK(modes.at(2, "real") == doctest::Approx(-25).epsilon(1e-12));
  CHECK(modes.at(2, "damping_ratio") == doctest::Approx(1));
}

TEST_CASE("shapes of the double pendulum") {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/benchmarks/double_pendulum_modes.json";
  const double ratio[] = {1.3086354216201899, -1.2167037899222515};  // lower angle over upper, closed form
  const CsvRows shapes = ModesRun(file).table("mode_shapes.csv");
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(shapes.at(k, "lower.phi") / shapes.at(k, "upper.phi") == doctest::Approx(ratio[k]).epsilon(1e-12));
  }
}

TEST_CASE("loops of redundant spatial revolutes have the modes of the planar ones") {
  const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
  const std::vector<std::string> sets = {R"(analysis={"type":"modes","at":"equilibrium"})"};
  const ModesRun planar(examples / "planar_four_bar.json", sets);
  const CsvRows flat = planar.table("modes.csv");
  ModesRun spatial(examples / "spatial_four_bar.json", sets);
  const CsvRows solid = spatial.table("modes.csv");
  CHECK(contains(spatial.simulation.summary_json(), "\"redundant\": 3"));
  REQUIRE(solid.rows.size() == 1);
  CHECK(flat.at(0, "omega") > 1);
  CHECK(solid.at(0, "omega") == doctest::Approx(flat.at(0, "omega")).epsilon(1e-8));
  // The shape is a turn of all links about z: Euler parameters change by half the angles.
  const CsvRows shape = spatial.table("mode_shapes.csv");
  CHECK(std::abs(shape.at(0, "crank.e1")) + std::abs(shape.at(0, "rocker.z")) < 1e-9);
}

TEST_CASE("modes of a motion and of an upright pendulum are told as such") {
  Simulation moving(temporary_run_file(bent_rod(R"({ "type": "modes" })", 0.5)), with_sets());
  CHECK(moving.run() == RunStatus::completed);
  REQUIRE(moving.warnings().size() == 1);
  CHECK(contains(moving.warnings()[0], "modes of a motion, not of an equilibrium"));
  Simulation spinning(temporary_run_file(R"json({ "trammel": 1,
    "system": { "type": "spatial", "gravity": [0, 0, -9.81],
      "bodies": { "b": { "mass": 1, "inertia": [0.1, 0.1, 0.02], "position": [0, 0, -0.5], "angular_velocity": [0, 0, 50] } },
      "constraints": { "p": { "type": "spherical", "bodies": ["ground", "b"], "at": [0, 0, 0] } } },
    "analysis": { "type": "modes" } })json"),
                      with_sets());
  CHECK(spinning.run() == RunStatus::completed);
  REQUIRE(spinning.warnings().size() == 1);
  CHECK(contains(spinning.warnings()[0], "modes of a motion, not of an equilibrium"));
  const ModesRun upright(temporary_run_file(bent_rod(R"({ "type": "modes" })", 0)), {"system.forces.spring.damping=0"});
  const CsvRows modes = upright.table("modes.csv");
  REQUIRE(modes.rows.size() == 2);
  const double rate = std::sqrt((2 * g * 0.7 - 9) / (0.3 + 2 * 0.49));
  CHECK(modes.at(0, "real") == doctest::Approx(rate).epsilon(1e-12));
  CHECK(modes.at(1, "real") == doctest::Approx(-rate).epsilon(1e-12));
}

/// A mass on a rail and a spring of w rad/s, free at L, drawn out to 2 L: it rests at x = L.
std::string soft_spring(const std::string& method, double w, double L) {
  std::ostringstream text;
  text.precision(17);
  text << R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "b": { "mass": 1, "inertia": )json"
       << L * L << R"json(, "position": [)json" << 2 * L << R"json(, 0] } },
    "constraints": { "g": { "type": "translational", "bodies": ["ground", "b"], "at": [0, 0], "axis": [1, 0] } },
    "forces": { "f": { "type": "tsda", "bodies": ["ground", "b"], "stiffness": )json"
       << w * w << R"json(, "free_length": )json" << L << R"json( } } },
    "analysis": { "type": "equilibrium", "method": ")json"
       << method << R"json(" } })json";
  return text.str();
}

TEST_CASE("slow and small models: rest is a share of what acts, no number of m/s^2") {
  for (const char* method : {"minimum_potential", "newton"}) {
    for (const auto& [w, L] : {std::pair(1.0, 1e-6), std::pair(0.1, 1e-6), std::pair(1e-2, 1e-3), std::pair(1e-4, 1.0),
                               std::pair(1e-3, 1.0), std::pair(1e-6, 1e3), std::pair(1e4, 1e-6)}) {
      CAPTURE(method);
      CAPTURE(w);
      CAPTURE(L);
      Simulation run(temporary_run_file(soft_spring(method, w, L)), with_sets({"output.channels=[\"b\"]"}));
      CHECK_MESSAGE(run.run() == RunStatus::completed, run.message());
      const double x = run.channel_values()[0];
      CHECK(std::abs(x / L - 1) < 1e-6);
      CHECK(contains(run.summary_json(), "\"stable\": true"));
    }
  }
}

TEST_CASE("settling does not take a slow start for rest") {
  for (const auto& [w, L] : {std::pair(1.0, 1e-6), std::pair(1e-4, 1.0), std::pair(0.5, 1e-3)}) {
    CAPTURE(w);
    CAPTURE(L);
    Simulation run(temporary_run_file(soft_spring("settling", w, L)), with_sets({"output.channels=[\"b\"]"}));
    const bool found = run.run() == RunStatus::completed;
    if (found)
      CHECK(std::abs(run.channel_values()[0] / L - 1) < 1e-5);
    else
      CHECK(contains(run.message(), "no equilibrium was found"));
  }
}

TEST_CASE("a pendulum hangs in microgravity, and modes find its equilibrium") {
  const std::string pendulum = R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -1e-6],
    "bodies": { "b": { "mass": 1, "inertia": 0.08333333333333333, "position": [1, 0] } },
    "constraints": { "g": { "type": "revolute", "bodies": ["ground", "b"], "at": [0, 0] } } },
    "analysis": { "type": "equilibrium", "method": "minimum_potential" } })json";
  Simulation run(temporary_run_file(pendulum), with_sets({"output.channels=[\"b\"]"}));
  CHECK_MESSAGE(run.run() == RunStatus::completed, run.message());
  CHECK(std::abs(run.channel_values()[1] + 1) < 1e-6);
  Simulation settling(temporary_run_file(pendulum), with_sets({"analysis.method=settling"}));
  CHECK(settling.run() == RunStatus::failed);
  CHECK(contains(settling.message(), "so that it settles slowly"));
  Simulation modes(temporary_run_file(pendulum),
                   with_sets({"analysis={\"type\":\"modes\",\"at\":\"equilibrium\"}", "output.channels=[\"b\"]"}));
  CHECK_MESSAGE(modes.run() == RunStatus::completed, modes.message());
  CHECK(std::abs(modes.channel_values()[1] + 1) < 1e-6);
}

}  // namespace
}  // namespace trammel
