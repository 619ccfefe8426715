// What elements keep and see where no step leads: behind impacts and changed laws, at states outside a run, at equilibria
// that a run starts from; and how a memory that fails is told.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "process.h"
#include "table.h"
#include "trammel/error.h"
#include "trammel/host/mechanics.h"
#include "trammel/host/simulation.h"
#include "yielding_slider.h"

using namespace trammel;

namespace {

const std::string folder = TRAMMEL_BUILD_DIR "/tests/accepted_step";
const std::string cases = TRAMMEL_SOURCE_DIR "/sdk/examples/acme_dynamics/friction/cases/";

SimulationOptions options(const std::vector<std::string>& set) {
  return {set, {TRAMMEL_BUILD_DIR "/lib/trammel/plugins", folder}};
}

Table run_of(const std::string& file, const std::vector<std::string>& set) {
  const TemporaryFolder out;
  Simulation run(file.front() == '/' ? file : cases + file, options(set));
  run.write_results(out.path());
  REQUIRE_MESSAGE(run.run() == RunStatus::completed, run.message());
  return Table(out.path() / "results.csv");
}

struct Method {
  const char *integrator, *formulation;
  double force;  ///< N, bound of its error
};

const std::string exact_tolerances = R"("rtol": 1e-9, "atol": 1e-11})";

std::vector<std::string> settings(const Method& method, std::vector<std::string> more) {
  std::string integrator = method.integrator;
  if (integrator.find("step") == std::string::npos) integrator += exact_tolerances;
  more.push_back("integrator=" + integrator);
  more.push_back(std::string("formulation=") + method.formulation);
  return more;
}

const Method methods[] = {
    {R"({"type": "dopri5", )", R"({"type": "projection"})", 1e-5},
    {R"({"type": "ddeabm", )", R"({"type": "direct"})", 1e-5},
    {R"({"type": "rosenbrock_nystrom", )", R"({"type": "coordinate_partitioning"})", 1e-4},
    {R"({"type": "radau_iia", )", "null", 1e-4},
    {R"({"type": "rk4", "step": 0.002, "step_check": false})", R"({"type": "projection"})", 1e-3},
};

/// A pendulum whose pin rubs: J = 0.1, m = 2, l = 0.5, N = |m (r'' - g) - F| with a force F on the centre of mass.
struct RubbingPin {
  double mu_R = 0.5 * 0.1, v_s = 0.01, F_x = 0;
  static constexpr double m = 2, J = 0.1, l = 0.5, g = 9.81;

  double load(double angle, double omega, double alpha) const {
    const double x = -l * (alpha * std::sin(angle) + omega * omega * std::cos(angle)),
                 y = l * (alpha * std::cos(angle) - omega * omega * std::sin(angle)) + g;
    return std::hypot(m * x - F_x, m * y);
  }
  double acceleration(double angle, double omega) const {
    double alpha = 0;
    for (int k = 0; k < 200; ++k) {
      alpha = (-m * g * l * std::cos(angle) - F_x * l * std::sin(angle) -
               mu_R * load(angle, omega, alpha) * std::tanh(omega / v_s)) /
              (J + m * l * l);
    }
    return alpha;
  }
};

std::string told(const std::string& file, const std::vector<std::string>& set) {
  try {
    Simulation run(file, options(set));
    run.run();
    return run.message();
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("rows inside steps show the branch that held there, whatever the formulation") {
  YieldingSlider exact;
  exact.begin(0, 3);
  exact.follow(3);
  for (const Method& method : methods) {
    CAPTURE(method.integrator);
    const Table run = run_of("jenkins.json", settings(method, {"output.step=0.0025"}));
    CHECK(difference(run, "slider.force", [&](double t) { return exact.force(t); }) < method.force);
    Column balance;
    for (std::size_t i = 0; i < run.rows(); ++i)
      balance.push_back(run["energy.total"][i] + run["energy.dissipated"][i] - 9);
    CHECK(largest(balance) < 1e-3);
  }
}

TEST_CASE("an impact turns a slider round: it sticks from there on") {
  YieldingSlider exact;
  exact.wall = 0.3, exact.restitution = 0.7;
  exact.begin(0, 3);
  exact.follow(2);
  const auto hits = std::count_if(exact.pieces.begin(), exact.pieces.end(),
                                  [](const auto& p) { return std::abs(p.x - 0.3) < 1e-9 && p.v < 0; });
  CHECK(hits >= 1);
  for (const Method& method : methods) {
    CAPTURE(method.integrator);
    const Table run = run_of(
        "jenkins.json", settings(method, {R"(system.constraints.wall={"type": "impact", "bodies": ["ground", "mass"],
                             "point_i": [0.3, 0], "axis_i": [-1, 0], "restitution": 0.7})",
                                          "analysis.duration=2", "output.step=0.005"}));
    CHECK(difference(run, "mass.x", [&](double t) { return exact.place(t); }) < method.force / 10);
    // Within rounding of the impact a row shows either side of the jump of velocity, the force is the same on both.
    CHECK(difference(run, "slider.force", [&](double t) { return exact.force(t); }) < method.force);
  }
}

TEST_CASE("an event changes the law of a slider: what it keeps follows at once") {
  struct Change {
    double at, K, yield;
  };
  for (const Change& change : {Change{0.005, 400, 1}, Change{0.3, 400, 4}, Change{0.8, 900, 10}}) {
    YieldingSlider exact;
    exact.change_at = change.at, exact.new_K = change.K, exact.new_yield = change.yield;
    exact.begin(0, 3);
    exact.follow(2);
    char event[200];
    std::snprintf(event, sizeof event,
                  R"(analysis.events={"law": {"when": "t - %g", "set": {"forces.slider.stiffness": %g,
                     "forces.slider.yield": %g}}})",
                  change.at, change.K, change.yield);
    CAPTURE(event);
    for (const Method& method : methods) {
      CAPTURE(method.integrator);
      const Table run = run_of("jenkins.json", settings(method, {event, "analysis.duration=2", "output.step=0.02"}));
      CHECK(difference(run, "mass.x", [&](double t) { return exact.place(t); }) < method.force / 10);
    }
  }
}

TEST_CASE("behind a jump of what acts, forces see the reactions that the jump leads to") {
  for (const std::string method : {R"({"type": "rk4", "step": 0.05})", R"({"type": "hht", "step": 0.05})",
                                   R"({"type": "rattle", "step": 0.05})"}) {
    CAPTURE(method);
    const bool index3 = method.find("rk4") == std::string::npos;
    RubbingPin pin{.mu_R = 0.3 * 0.05, .v_s = 0.2, .F_x = 40};
    const Table run =
        run_of("load_friction.json",
               {"integrator=" + method, index3 ? "formulation=null" : R"(formulation={"type": "projection"})",
                R"(system.forces.push={"type": "applied_force", "body": "rod", "force": [40, 0],
            "function": {"type": "piecewise", "breaks": [0.25], "pieces": [0, 1], "jumps": true}})",
                "output.step=0.0125", "analysis.duration=0.4"});
    const auto row = [&](double t) {
      std::size_t i = 0;
      while (std::abs(run["t"][i] - t) > 1e-9) ++i;
      return i;
    };
    const double angle = run["rod.phi"][row(0.25)], omega = run["rod.omega"][row(0.25)];
    const double expected = pin.load(angle, omega, pin.acceleration(angle, omega));
    for (const double t : {0.2625, 0.275, 0.2875})
      CHECK(run["friction.load"][row(t)] == doctest::Approx(expected).epsilon(1e-6));
    // The step before saw the reaction without the force.
    CHECK(run["friction.load"][row(0.2375)] < 0.8 * expected);
  }
}

TEST_CASE("the equations at a state outside a run hold the reactions that they say themselves") {
  RubbingPin pin{.v_s = 0.2};
  Mechanics mechanics(cases + "load_friction.json",
                      options({"system.forces.friction.coefficient=0.5", "system.forces.friction.radius=0.1",
                               "system.bodies.rod.velocity=[0, 0.05]", "system.bodies.rod.angular_velocity=0.1",
                               R"(output.channels=["friction"])"}));
  const auto at = [&](double angle, double omega) {
    const double l = pin.l, q[] = {l * std::cos(angle), l * std::sin(angle), angle},
                 v[] = {-l * omega * std::sin(angle), l * omega * std::cos(angle), omega};
    mechanics.set_state(-0.3, {q, 3}, {v, 3});
    return mechanics.accelerations()[2];
  };
  CHECK(mechanics.accelerations()[2] == doctest::Approx(pin.acceleration(0, 0.1)).epsilon(1e-10));
  for (const double angle : {0.4, -1.2}) {
    for (const double omega : {0.1, -2.0}) {
      const double alpha = at(angle, omega);
      CHECK(alpha == doctest::Approx(pin.acceleration(angle, omega)).epsilon(1e-10));
      CHECK(mechanics.channel_values()[1] == doctest::Approx(pin.load(angle, omega, alpha)).epsilon(1e-10));
    }
  }
  at(0.4, 0.1);
  const double l = pin.l, h = 1e-4, c = std::cos(0.4), s = std::sin(0.4);
  std::vector<double> f_y(36);
  mechanics.rate_jacobian({f_y.data(), 6, 6, 6});
  const auto along = [&](const std::vector<double>& dy) {
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += f_y[6 * k + 5] * dy[k];
    return sum;
  };
  const auto slope = [&](double by_angle, double by_omega) {
    const auto f = [&](double ways) { return pin.acceleration(0.4 + ways * by_angle, 0.1 + ways * by_omega); };
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  };
  CHECK(along({-l * s, l * c, 1, -0.1 * l * c, -0.1 * l * s, 0}) == doctest::Approx(slope(1, 0)).epsilon(1e-6));
  CHECK(along({0, 0, 0, -l * s, l * c, 1}) == doctest::Approx(slope(0, 1)).epsilon(1e-6));

  const ParameterDerivative d = mechanics.derivative("system.forces.friction.coefficient");
  const auto by_coefficient = [&](double mu) {
    RubbingPin other = pin;
    other.mu_R = mu * 0.1;
    return other.acceleration(0.4, 0.1);
  };
  CHECK(d.rate[5] == doctest::Approx((by_coefficient(0.5 + h) - by_coefficient(0.5 - h)) / (2 * h)).epsilon(1e-6));
  CHECK(mechanics.accelerations()[2] == doctest::Approx(pin.acceleration(0.4, 0.1)).epsilon(1e-10));
}

TEST_CASE("modes at the initial state hold its own reactions") {
  const TemporaryFolder out;
  const auto modes = [&](const std::vector<std::string>& more) {
    std::vector<std::string> set = {R"(analysis={"type": "modes"})",
                                    "integrator=null",
                                    "formulation=null",
                                    "output.step=null",
                                    "output.channels=null",
                                    "system.forces.friction.speed=2"};
    set.insert(set.end(), more.begin(), more.end());
    Simulation run(cases + "load_friction.json", options(set));
    run.write_results(out.path());
    REQUIRE_MESSAGE(run.run() == RunStatus::completed, run.message());
    std::string warnings;
    for (const std::string& text : run.warnings()) warnings += text + "\n";
    return warnings;
  };
  // J theta'' + (mu R m g / v_s) theta' + m g l theta = 0
  const double c = 0.3 * 0.05 * 2 * 9.81 / 2, J = 0.6, k = 9.81;
  CHECK(modes({"system.bodies.rod.position=[0, -0.5]", "system.bodies.rod.angle=-1.5707963267948966"})
            .find("depends on") == std::string::npos);
  const Table table(out.path() / "modes.csv");
  CHECK(table["real"][0] == doctest::Approx(-c / (2 * J)).epsilon(1e-9));
  CHECK(std::abs(table["imag"][0]) == doctest::Approx(std::sqrt(k / J - c * c / (4 * J * J))).epsilon(1e-9));
  CHECK(modes({"system.bodies.rod.velocity=[0, 0.5]", "system.bodies.rod.angular_velocity=1"})
            .find("eigenvalues hold the accelerations and multipliers that 'friction' depends on") !=
        std::string::npos);
}

TEST_CASE("a start from an equilibrium keeps what elements kept on the way there") {
  const auto pushed = [](double push, double duration) {
    char force[300];
    std::snprintf(force, sizeof force,
                  R"(system.forces.push={"type": "applied_force", "body": "mass", "force": [%g, 0],
                     "function": {"type": "piecewise", "breaks": [0.1], "pieces": [1, 0], "jumps": true}})",
                  push);
    char end[60];
    std::snprintf(end, sizeof end, "analysis.duration=%g", duration);
    return run_of("jenkins.json", {force, end, R"(analysis.start="equilibrium")", "system.bodies.mass.velocity=[0, 0]",
                                   "output.step=0.01"});
  };
  for (const double push : {5.0, 20.0}) {
    CAPTURE(push);
    const double place = push < 11.25 ? push / 450 : (push - 10) / 50;  // it yields at x = 0.025
    const double held = std::min(10.0, 400 * place);
    YieldingSlider released;
    released.begin(place, 0, place - held / 400);
    released.follow(1);
    const Table run = pushed(push, 1.1);
    CHECK(run["slider.force"][0] == doctest::Approx(-held).epsilon(1e-8));
    const auto after = [&](double t) { return std::max(0.0, t - 0.1); };
    CHECK(difference(run, "mass.x", [&](double t) { return released.place(after(t)); }) < 1e-7);
    CHECK(difference(run, "slider.force", [&](double t) { return released.force(after(t)); }) < 1e-5);
  }
}

namespace {

/// Whether a run restarted from its last checkpoint ends in the bits of the one that went on.
void check_restart(const std::string& file, const std::vector<std::string>& set, double every) {
  const TemporaryFolder out;
  std::vector<double> ends[2];
  for (int again = 0; again < 2; ++again) {
    Simulation run(file, options(set));
    if (again == 1) run.restart(out.path() / "checkpoint.json");
    run.write_results(out.path());
    if (again == 0) run.checkpoint_every(every);
    REQUIRE_MESSAGE(run.run() == RunStatus::completed, run.message());
    for (const ConstVectorView part : {run.positions(), run.velocities(), run.accelerations(), run.multipliers()})
      ends[again].insert(ends[again].end(), part.data, part.data + part.size);
  }
  CHECK(ends[0] == ends[1]);
}

}  // namespace

TEST_CASE("behind a checkpoint implicit methods choose pivots anew, in the run that goes on and in the restored one") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "run.json").string();
  write_text(file, R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81],
    "bodies": {"rod": {"mass": 2, "inertia": 0.1, "position": [0.5, 0]}, "rod2": {"mass": 1, "inertia": 0.05, "position": [1.3, 0]}},
    "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]},
                    "pin2": {"type": "revolute", "bodies": ["rod", "rod2"], "at": [1, 0]}},
    "forces": {"fr": {"type": "acme.load_friction", "joint": "pin", "coefficient": 0.3, "radius": 0.05, "speed": 0.2},
               "fr2": {"type": "acme.load_friction", "joint": "pin2", "coefficient": 0.3, "radius": 0.05, "speed": 0.2}}},
    "analysis": {"type": "dynamics", "duration": 2},
    "integrator": {"type": "radau_iia", "rtol": 1e-7, "atol": 1e-9}, "output": {"step": 0.05, "channels": ["rod", "rod2"]}})");
  for (const std::string method :
       {R"({"type": "radau_iia", "rtol": 1e-7, "atol": 1e-9})", R"({"type": "hht", "step": 0.003})",
        R"({"type": "generalized_alpha", "rtol": 1e-7, "atol": 1e-9})"}) {
    for (const double every : {0.1, 0.37, 0.613, 0.9}) {
      CAPTURE(method);
      CAPTURE(every);
      check_restart(file, {"integrator=" + method}, every);
    }
  }
}

TEST_CASE("a checkpoint behind an event that changed a law keeps the state that elements left there") {
  for (const std::string method :
       {R"({"type": "hht", "step": 0.002})", R"({"type": "radau_iia", "rtol": 1e-7, "atol": 1e-9})"}) {
    CAPTURE(method);
    check_restart(cases + "jenkins.json",
                  {"integrator=" + method, "formulation=null",
                   R"(analysis.events={"law": {"when": "t - 0.3", "set": {"forces.slider.yield": 4}}})"},
                  0.7);
  }
}

TEST_CASE("a memory that fails is told with plugin, element, function and time") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "run.json").string();
  write_text(
      file,
      R"({"trammel": 1, "system": {"type": "planar", "bodies": {"m": {"mass": 1, "inertia": 1, "velocity": [1, 0]}},
    "forces": {"f": {"type": "failing_memory", "body": "m", "way": 0}}},
    "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "direct"},
    "integrator": {"type": "rk4", "step": 0.5}, "output": {"step": 0.1}})");
  const std::string whose = "'f' (type 'failing_memory', plugin 'failing_memory') in ";
  const auto tells = [&](int way, const std::string& what, const std::string& more) {
    const std::string text = told(file, {"system.forces.f.way=" + std::to_string(way)});
    CAPTURE(text);
    CHECK(text.find(whose + what) != std::string::npos);
    CHECK(text.find(more) != std::string::npos);
  };
  tells(0, "initial_memory()", "no begin");
  tells(1, "initial_memory()", "initial state");
  tells(2, "accepted()", "the step to t = 0.5 cannot be accepted: worn out out of domain");
  tells(3, "accepted() returned a number that is not finite", "the step to t = 0.5 ");

  const std::string start = told(cases + "load_friction.json", {R"(analysis.start="equilibrium")"});
  CAPTURE(start);
  CHECK(start.find("/analysis/start: force 'friction'") != std::string::npos);
  CHECK(start.find("which a search for an equilibrium at the start does not have") != std::string::npos);
}
