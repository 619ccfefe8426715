// Cases of elements against closed forms and minimal coordinates, where no other test of this folder has them.
#include <doctest/doctest.h>

#include <complex>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

constexpr double g = 9.81;

Table tight_case(const std::string& folder, const std::string& name) {
  return results(plugin_case(folder, name),
                 {R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})", "output.channels=all"});
}

/// theta(t) of J theta'' + c theta' + k theta = 0 with theta(0) = start, at rest.
double decay(double J, double c, double k, double start, double t) {
  const double delta = c / (2 * J), omega = std::sqrt(k / J - delta * delta);
  return start * std::exp(-delta * t) * (std::cos(omega * t) + delta / omega * std::sin(omega * t));
}

}  // namespace

TEST_CASE("cylindrical joint: a nut on a spring along its rod, spinning freely") {
  const Table run = tight_case("constraints/cylindrical", "cylindrical");
  const double m = 0.5, k = 60, omega = std::sqrt(k / m);
  const auto z = [&](double t) { return -m * g / k * (1 - std::cos(omega * t)); };
  CHECK(noted("spatial cylindrical", "nut on a spring, closed form",
              difference(run, "rod.displacement", [&](double t) { return 0.1 + z(t); })) < 1e-10);
  CHECK(noted("spatial tsda", "nut on a spring: its force, closed form",
              difference(run, "spring.force", [&](double t) { return -k * z(t); })) < 1e-9);
  CHECK(difference(run, "rod.angle", [](double t) { return 0.5 + 4 * t; }) < 1e-10);
  CHECK(largest(run["rod.torque.x"]) < 1e-11);
}

TEST_CASE("dot1: a disc whose axis stays level, in its two angles") {
  const Table run = tight_case("constraints/dot1", "dot1");
  // theta about the disc's axis, psi about the vertical; J(theta) psi' = 0.2 is kept, J = 0.01 sin^2 + 0.1 cos^2, and
  //   0.11 theta'' = J_theta psi'^2 / 2 - 0.3 g cos(theta),
  // by the classical Runge-Kutta method with 200 steps per row of 0.02 s: error below 1e-12.
  const auto turning = [](double theta) { return 0.2 / (0.01 + 0.09 * std::pow(std::cos(theta), 2)); };
  const auto rate = [&](double theta) {
    const double c = std::cos(theta), s = std::sin(theta);
    return (-0.09 * s * c * std::pow(turning(theta), 2) - 0.3 * g * c) / 0.11;
  };
  Column height, spin;
  double theta = 0, w = 0;
  const double h = 1e-4;
  for (int k = 0; height.size() < run.rows(); ++k) {
    if (k % 200 == 0) height.push_back(0.3 * std::sin(theta)), spin.push_back(turning(theta));
    const double w1 = rate(theta), p2 = w + h / 2 * w1, w2 = rate(theta + h / 2 * w), p3 = w + h / 2 * w2;
    const double w3 = rate(theta + h / 2 * p2), p4 = w + h * w3, w4 = rate(theta + h * p3);
    theta += h / 6 * (w + 2 * p2 + 2 * p3 + p4), w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  CHECK(noted("spatial dot1", "disc with a level axis, its two angles", difference(run["disc.z"], height)) < 1e-9);
  CHECK(difference(run["disc.wz"], spin) < 1e-7);  // up to 20 rad/s
}

TEST_CASE("applied forces: a pull on a rim, a thruster in body axes") {
  const Table disc = tight_case("forces/applied_force", "applied_force_planar");
  Column open;  // 0.08 phi'^2 / 2 = work of 3 N at 0.2 m
  for (std::size_t i = 0; i < disc.rows(); ++i) {
    open.push_back(0.04 * std::pow(disc["disc.omega"][i], 2) - 0.6 * std::sin(disc["disc.phi"][i]));
  }
  CHECK(noted("planar applied_force", "pull on a rim: energy in the angle", largest(open)) < 1e-10);
  const Table craft = tight_case("forces/applied_force", "applied_force");
  // Moment -2 N m (1 + sin(2 pi t)/2) about z, 2.5 kg m^2.
  CHECK(noted("spatial applied_force", "thruster off the mass centre, closed form",
              difference(craft, "craft.wz", [](double t) {
                return -0.8 * (t + 0.5 * (1 - std::cos(2 * M_PI * t)) / (2 * M_PI));
              })) < 1e-10);
}

TEST_CASE("applied torques: a flywheel run up, a forced torsional oscillator") {
  const Table wheel = tight_case("forces/applied_torque", "applied_torque");
  CHECK(noted("spatial applied_torque", "flywheel run up, closed form",
              difference(wheel, "wheel.wz", [](double t) { return 5 * t * t; })) < 1e-9);  // of 20 rad/s
  const Table disc = tight_case("forces/applied_torque", "applied_torque_planar");
  // Steady part Im(A e^(6it)), A = 1/(5 - 0.08 36 + 0.1 6 i), plus what makes it start at rest.
  const std::complex<double> i(0, 1), A = 1.0 / (5 - 0.08 * 36 + 0.6 * i);
  const double delta = 0.1 / 0.16, omega = std::sqrt(5 / 0.08 - delta * delta);
  const double a = -A.imag(), b = (-(6.0 * i * A).imag() + delta * a) / omega;
  CHECK(noted("planar applied_torque", "forced torsional oscillator, closed form",
              difference(disc, "disc.phi", [&](double t) {
                return (A * std::exp(6.0 * i * t)).imag() +
                       std::exp(-delta * t) * (a * std::cos(omega * t) + b * std::sin(omega * t));
              })) < 1e-10);
}

TEST_CASE("gravity on one end of a light rod: the mass centre falls, the rod swings like a pendulum of its length") {
  for (const std::string name : {"gravity", "gravity_planar"}) {
    CAPTURE(name);
    const Table run = tight_case("forces/gravity", name);
    const bool planar = name != "gravity";
    const std::string up = planar ? "y" : "z";
    double worst = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const auto relative = [&](const std::string& x) { return run["heavy." + x][i] - run["light." + x][i]; };
      const double t = run["t"][i], centre = (2 * run["heavy." + up][i] + run["light." + up][i]) / 3;
      const double speed2 = std::pow(relative("vx"), 2) + std::pow(relative("v" + up), 2);
      worst = std::max({worst, std::abs(centre + g * t * t / 3), std::abs(speed2 + 2 * g * relative(up))});
    }
    CHECK(noted(planar ? "planar gravity" : "spatial gravity",
                "two masses on a rod, one of them heavy: energy, mass centre", worst) < 1e-9);
  }
}

TEST_CASE("a door on a spring hinge") {
  const Table run = tight_case("forces/rsda", "rsda");
  CHECK(noted("spatial rsda", "door on a spring hinge, closed form",
              difference(run, "hinge.angle", [](double t) { return decay(6.7, 15, 20, 2, t); })) < 1e-10);
}

TEST_CASE("a body on a bushing at its mass centre: an oscillator along and one about an axis") {
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    const std::string body =
        planar ? R"("inertia": 0.05, "velocity": [0.3, 0], "angular_velocity": 2)"
               : R"("inertia": [0.1, 0.1, 0.05], "velocity": [0.3, 0, 0], "angular_velocity": [0, 0, 2])";
    const std::string mount = planar ? R"("at": [0, 0], "stiffness": [800, 500], "damping": [4, 1],
                                         "torsional_stiffness": 20, "torsional_damping": 0.1)"
                                     : R"("at": [0, 0, 0], "stiffness": [800, 500, 300], "damping": [4, 1, 1],
                                         "torsional_stiffness": [10, 10, 20], "torsional_damping": [1, 1, 0.1])";
    const Table run =
        results_of(std::string(R"({"trammel": 1, "system": {"type": ")") + (planar ? "planar" : "spatial") +
                   R"(", "bodies": {"block": {"mass": 2, )" + body + R"(}},
        "forces": {"mount": {"type": "bushing", "bodies": ["ground", "block"], )" +
                   mount + R"(}}},
        "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
        "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13}, "output": {"step": 0.02, "channels": "all"}})");
    const auto swing = [](double J, double c, double k, double rate, double t) {
      const double delta = c / (2 * J), omega = std::sqrt(k / J - delta * delta);
      return rate / omega * std::exp(-delta * t) * std::sin(omega * t);
    };
    const double along = difference(run, "block.x", [&](double t) { return swing(2, 4, 800, 0.3, t); });
    const Column angle = planar ? run["block.phi"] : turn_about_z(run, "block");
    Column expected;
    for (double t : run["t"]) expected.push_back(swing(0.05, 0.1, 20, 2, t));
    CHECK(noted(planar ? "planar bushing" : "spatial bushing", "oscillators along and about an axis, closed form",
                std::max(along, difference(angle, expected))) < 1e-10);
  }
}
