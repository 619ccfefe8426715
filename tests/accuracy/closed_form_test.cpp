// Motion and reactions against closed forms.
#include <doctest/doctest.h>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

constexpr double g = 9.81;

/// A uniform rod, 2 kg, 1.2 m, on a hinge at its end, released from rest at the horizontal; all channels.
std::string rod_pendulum(bool planar, const std::string& bodies) {
  const std::string body = planar ? R"({"mass": 2, "inertia": 0.24, "position": [0.6, 0]})"
                                  : R"({"mass": 2, "inertia": [0.001, 0.24, 0.24], "position": [0.6, 0, 0]})";
  return std::string(R"({"trammel": 1, "system": {"type": ")") + (planar ? "planar" : "spatial") + R"(", "gravity": )" +
         (planar ? "[0, -9.81]" : "[0, -9.81, 0]") + R"(, "bodies": {"rod": )" + body +
         R"(}, "constraints": {"hinge": {"type": "revolute", "bodies": )" + bodies +
         (planar ? R"(, "at": [0, 0]}}})" : R"(, "at": [0, 0, 0], "axis": [0, 0, 1]}}})") +
         R"(, "analysis": {"type": "dynamics", "duration": 2}, "formulation": {"type": "projection"},
         "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13},
         "output": {"step": 0.02, "channels": "all"}})";
}

}  // namespace

TEST_CASE("rod pendulum: the hinge's reaction follows from the angle alone") {
  // With s the angle below the horizontal, from rest at s = 0: energy gives s'^2 = 3 (g/l) sin s, the moment about the
  // hinge s'' = 1.5 (g/l) cos s. With u along the rod and n the direction of motion (clockwise),
  //   m a_C = m (l/2) (s'' n - s'^2 u) = m g + R   =>   R = -(5/2) m g sin s u - (1/4) m g cos s n.
  const double mg = 2 * g;
  for (const bool planar : {true, false}) {
    for (const bool ground_first : {true, false}) {
      CAPTURE(planar);
      CAPTURE(ground_first);
      const Table run =
          results_of(rod_pendulum(planar, ground_first ? R"(["ground", "rod"])" : R"(["rod", "ground"])"));
      const Column phi = planar ? run["rod.phi"] : turn_about_z(run, "rod");
      // Channels give the force on the second body: on the rod, or on the ground.
      const double sign = ground_first ? 1 : -1;
      Column x, y, zero(run.rows(), 0.0), ay, alpha;
      for (double angle : phi) {
        const double s = -angle, u[2] = {std::cos(s), -std::sin(s)}, n[2] = {-std::sin(s), -std::cos(s)};
        const double along = -2.5 * mg * std::sin(s), across = -0.25 * mg * std::cos(s);
        x.push_back(sign * (along * u[0] + across * n[0]));
        y.push_back(sign * (along * u[1] + across * n[1]));
        ay.push_back((along * u[1] + across * n[1]) / 2 - g);
        alpha.push_back(-1.5 * g / 1.2 * std::cos(s));
      }
      CHECK(largest(phi) > 3);  // it swings to the other side: the forms below are not tested at rest
      CHECK(difference(run["hinge.force.x"], x) < 1e-9);
      CHECK(noted(planar ? "planar revolute" : "spatial revolute", "rod pendulum: the reaction, from the angle",
                  difference(run["hinge.force.y"], y)) < 1e-9);
      CHECK(difference(run["hinge.torque.z"], zero) < 1e-9);
      CHECK(difference(run["rod.ay"], ay) < 1e-9);
      CHECK(difference(run[planar ? "rod.alpha" : "rod.alphaz"], alpha) < 1e-9);
      const std::string angle = "hinge.angle";
      // Spatial: relative angle about the axis. Planar: phi_j - phi_i.
      Column expected = phi;
      if (!ground_first)
        for (double& value : expected) value = -value;
      CHECK(difference(run[angle], expected) < 1e-9);
      if (planar) continue;
      CHECK(difference(run["hinge.force.z"], zero) < 1e-9);
      CHECK(difference(run["hinge.torque.x"], zero) < 1e-9);
      CHECK(difference(run["hinge.torque.y"], zero) < 1e-9);
    }
  }
}

TEST_CASE("a hanging rod at rest: its hinge carries the weight, and nothing moves") {
  const Table run = results_of(rod_pendulum(true, R"(["ground", "rod"])"),
                               {"system.bodies.rod.position=[0, -0.6]", "system.bodies.rod.angle=-1.5707963267948966"});
  CHECK(difference(run, "rod.x", [](double) { return 0.0; }) < 1e-13);
  CHECK(difference(run, "rod.vx", [](double) { return 0.0; }) < 1e-13);
  CHECK(difference(run, "hinge.force.x", [](double) { return 0.0; }) < 1e-12);
  CHECK(difference(run, "hinge.force.y", [](double) { return 2 * g; }) < 1e-12);
}

TEST_CASE("a guided load: the force across the guide and the torque about its point") {
  // A 3 kg body slides along x; its centre of mass is at (0.4, 0.1, 0.2) from the guide's point P, which moves with it.
  // It accelerates with 5 m/s^2 under 15 N along x through its centre of mass, gravity along -z. Force and moment
  // balance about the centre of mass C: R = (0, 0, m g), T_P + (P - C) x R = 0, so T_P = (C - P) x (0, 0, m g).
  const double mg = 3 * g;
  const Table run = results_of(R"({"trammel": 1, "system": {"type": "spatial", "gravity": [0, 0, -9.81],
    "bodies": {"load": {"mass": 3, "inertia": [0.1, 0.2, 0.15], "position": [0.4, 0.1, 0.2]}},
    "constraints": {"guide": {"type": "translational", "bodies": ["ground", "load"],
                              "at": [0, 0, 0], "axis": [1, 0, 0]}},
    "forces": {"push": {"type": "applied_force", "body": "load", "force": [15, 0, 0]}}},
    "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12}, "output": {"step": 0.1, "channels": "all"}})");
  const auto constant = [&](const char* name, double value) {
    CAPTURE(name);
    CHECK(difference(run, name, [value](double) { return value; }) < 1e-10);
  };
  constant("guide.force.x", 0);
  constant("guide.force.y", 0);
  constant("guide.force.z", mg);
  constant("guide.torque.x", 0.1 * mg);
  constant("guide.torque.y", -0.4 * mg);
  constant("guide.torque.z", 0);
  constant("load.ax", 5);
  CHECK(noted("spatial translational", "guided load, closed form",
              difference(run, "guide.displacement", [](double t) { return 2.5 * t * t; })) < 1e-10);
  CHECK(difference(run, "guide.speed", [](double t) { return 5 * t; }) < 1e-10);
  CHECK(difference(run, "energy.work", [](double t) { return 15 * 2.5 * t * t; }) < 1e-9);
}

TEST_CASE("mass on a spring and a damper") {
  const Table run =
      results(example("spring_mass"), {R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})"});
  const double m = 2, k = 200, c = 1.5, l0 = 1;
  const double delta = c / (2 * m), omega = std::sqrt(k / m - delta * delta);
  const auto stretch = [&](double t) {
    return m * g / k * (1 - std::exp(-delta * t) * (std::cos(omega * t) + delta / omega * std::sin(omega * t)));
  };
  const auto rate = [&](double t) {
    return m * g / k * std::exp(-delta * t) * (delta * delta / omega + omega) * std::sin(omega * t);
  };
  CHECK(difference(run, "mass.y", [&](double t) { return -l0 - stretch(t); }) < 1e-10);
  CHECK(difference(run, "mass.vy", [&](double t) { return -rate(t); }) < 1e-9);
  CHECK(difference(run, "hook.y", [&](double t) { return -l0 - stretch(t) + 0.1; }) < 1e-10);
  CHECK(noted("planar tsda, planar translational", "mass on a spring and a damper, closed form",
              difference(run, "spring.length", [&](double t) { return l0 + stretch(t); })) < 1e-10);
  CHECK(difference(run, "spring.rate", rate) < 1e-9);
  CHECK(difference(run, "spring.force", [&](double t) { return k * stretch(t) + c * rate(t); }) < 1e-8);
  CHECK(difference(run, "guide.force.x", [](double) { return 0.0; }) < 1e-12);
  // What the damper took is the loss of energy; the quadrature is of fourth order in steps of about 0.02 s.
  const double initial = run["energy.total"][0];
  Column lost;
  for (double total : run["energy.total"]) lost.push_back(initial - total);
  CHECK(largest(lost) > 0.1);
  CHECK(difference(run["energy.dissipated"], lost) < 1e-6);
}

TEST_CASE("torsional pendulum") {
  const Table run = results(plugin_case("forces/rsda", "rsda_planar"),
                            {R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})"});
  const double delta = 0.5, omega = std::sqrt(100 - 0.25);
  CHECK(noted("planar rsda", "torsional pendulum, closed form", difference(run, "disc.phi", [&](double t) {
                return std::exp(-delta * t) * (std::cos(omega * t) + delta / omega * std::sin(omega * t));
              })) < 1e-10);
}

TEST_CASE("forced vibration without natural motion") {
  const Table run = results(plugin_case("systems/vibration", "vibration"));
  CHECK(difference(run, "x", [](double t) { return std::sin(0.5 * t) / 3.75; }) < 1e-9);
  CHECK(difference(run, "x_dot", [](double t) { return 0.5 * std::cos(0.5 * t) / 3.75; }) < 1e-9);
}

TEST_CASE("forced vibration by a method that evaluates at the end of its step: the force is that of then") {
  const Table run = results(plugin_case("systems/vibration", "vibration"),
                            {R"(integrator={"type": "adams", "order": 4, "step": 0.001, "start": "runge_kutta"})"});
  CHECK(difference(run, "x", [](double t) { return std::sin(0.5 * t) / 3.75; }) < 1e-12);
}

TEST_CASE("exponential growth") {
  const Table run = results(plugin_case("systems/exponential", "exponential"));
  for (std::size_t i = 0; i < run.rows(); ++i) {
    CHECK(run["x"][i] == doctest::Approx(std::exp(run["t"][i])).epsilon(1e-8));
  }
}

TEST_CASE("functions of time: a free mass under a force along x") {
  // x'' = 2 f(t) for 4 N on 2 kg.
  const auto moved = [](const char* name, auto x) {
    CAPTURE(name);
    CHECK(difference(results(plugin_case(std::string("functions/") + name, name)), "mass.x", x) < 1e-9);
  };
  moved("constant", [](double t) { return 0.37 * t * t; });
  moved("polynomial", [](double t) {  // f = 1 + 0.4 t - 3 t^2 + 0.7 t^3 + 1.9 t^4
    return t * t + 0.4 / 3 * std::pow(t, 3) - 0.5 * std::pow(t, 4) + 0.07 * std::pow(t, 5) + 3.8 / 30 * std::pow(t, 6);
  });
  const double w = 4 * M_PI, p = 0.3;  // f = 0.2 + 0.8 sin(w t + p)
  moved("harmonic", [=](double t) {
    return 0.2 * t * t + 1.6 * (-std::sin(w * t + p) / (w * w) + std::cos(p) / w * t + std::sin(p) / (w * w));
  });
}

TEST_CASE("trammel of Archimedes: the pencil draws an ellipse") {
  const Table run = results(plugin_case("constraints/point_on_line", "point_on_line"));
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {  // semi-axes: its distances from the two guided points
    const double x = run["pencil.x"][i] / 0.7, y = run["pencil.y"][i] / 0.2;
    worst = std::max(worst, std::abs(x * x + y * y - 1));
  }
  CHECK(noted("planar point_on_line", "trammel of Archimedes: the ellipse", worst) < 1e-12);
}
