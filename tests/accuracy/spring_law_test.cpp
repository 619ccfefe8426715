// Springs with laws, schedules and bushings: motion against closed forms, energy closed to 1e-6 of what is exchanged.
#include <doctest/doctest.h>

#include <functional>

#include "table.h"

using namespace trammel;

namespace {

/// Steps of at most 0.01 s: the quadratures of dissipation and work are of fourth order.
const std::string tight = R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.01})";

/// Jacobi's elliptic functions by descending the arithmetic-geometric mean: Abramowitz and Stegun, 16.4.
struct Jacobi {
  double sn, cn, dn;

  Jacobi(double u, double modulus) {
    double a[12] = {1}, c[12] = {modulus}, b = std::sqrt(1 - modulus * modulus);
    int n = 0;
    for (; n < 11 && std::abs(c[n]) > 1e-17; ++n) {
      a[n + 1] = 0.5 * (a[n] + b), c[n + 1] = 0.5 * (a[n] - b);
      b = std::sqrt(a[n] * b);
    }
    double phi = std::ldexp(a[n] * u, n);
    for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
    sn = std::sin(phi), cn = std::cos(phi), dn = std::sqrt(1 - modulus * modulus * sn * sn);
  }
};

/// Energy kept, dissipated and put in, against the largest kinetic energy, dissipation or work.
void check_energy(const Table& run) {
  double worst = 0, exchanged = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double lost = run["energy.dissipated"][i], work = run["energy.work"][i];
    exchanged = std::max({exchanged, run["energy.kinetic"][i], std::abs(lost), std::abs(work)});
    worst = std::max(worst, std::abs(run["energy.total"][i] + lost - work - run["energy.total"][0]));
  }
  REQUIRE(exchanged > 0.01);
  CHECK(worst < 1e-6 * exchanged);
}

/// Damped free motion x(0) = x0, x'(0) = v0 of x'' + 2 delta x' + w^2 x = 0.
double damped(double t, double x0, double v0, double w, double delta) {
  const double wd = std::sqrt(w * w - delta * delta);
  return std::exp(-delta * t) * (x0 * std::cos(wd * t) + (v0 + delta * x0) / wd * std::sin(wd * t));
}

}  // namespace

TEST_CASE("tsda with a cubic spring is Duffing's oscillator; with a free length that moves, a forced one") {
  const Table run = results(plugin_case("forces/tsda", "tsda_laws_planar"), {tight});
  // x = A cn(w t, kappa), w^2 = (k + k3 A^2) / m, kappa^2 = k3 A^2 / (2 m w^2): Nayfeh and Mook, Nonlinear
  // Oscillations.
  const double m = 2, k = 50, k3 = 400, A = 0.5, w = std::sqrt((k + k3 * A * A) / m);
  const double kappa = std::sqrt(k3 * A * A / (2 * m * w * w));
  const auto stretch = [&](double t) { return A * Jacobi(w * t, kappa).cn; };
  CHECK(difference(run, "hard.x", [&](double t) { return 1 + stretch(t); }) < 1e-9);
  CHECK(difference(run, "hardening.force", [&](double t) { return k * stretch(t) + k3 * std::pow(stretch(t), 3); }) <
        1e-6);
  // x'' = 100 (1 + 0.1 sin 3t - x)
  const double c = 0.1 * 100 / (100 - 9);
  CHECK(difference(run, "shaken.x", [&](double t) { return 1 + c * std::sin(3 * t) - 0.3 * c * std::sin(10 * t); }) <
        1e-9);
  CHECK(largest(run["energy.work"]) > 0.1);
  check_energy(run);
}

TEST_CASE("tsda with a formula and with tables") {
  const Table run = results(plugin_case("forces/tsda", "tsda_laws"), {tight});
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {  // m v^2 / 2 = int 5 / z dz from the rest at 0.1
    const double v = std::sqrt(2 * 5 / 0.5 * std::log(run["piston.z"][i] / 0.1));
    worst = std::max(worst, std::abs(run["piston.vz"][i] - v));
  }
  CHECK(run["piston.z"].back() > 3);
  CHECK(worst < 1e-7);  // the root magnifies rounding at the start: 1e-15 becomes 1e-7
  // A natural spline through points of a line is the line.
  CHECK(difference(run, "block.x", [](double t) { return 1 + damped(t, 0.3, 0, std::sqrt(200 / 2.0), 1.5 / 4); }) <
        1e-9);
  CHECK(largest(run["energy.dissipated"]) > 1);
  check_energy(run);
}

TEST_CASE("rsda with T = 8 sin(theta) is the pendulum: it swings, or goes round and counts turns") {
  const Table run = results(plugin_case("forces/rsda", "rsda_laws"), {tight});
  // sin(theta / 2) = kappa cd(w t, kappa), kappa = sin(theta_0 / 2), w^2 = 8 / 2
  const double kappa = std::sin(1.25);
  CHECK(difference(run, "field.angle", [&](double t) {
          const Jacobi j(2 * t, kappa);
          return 2 * std::asin(kappa * j.cn / j.dn);
        }) < 1e-9);
  // theta' = 5 at theta = 0: theta / 2 = am(5 t / 2, 4 / 5), so sin(theta / 2) = sn; the angle grows without end.
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    worst = std::max(worst, std::abs(std::sin(run["upper_field.angle"][i] / 2) - Jacobi(2.5 * run["t"][i], 0.8).sn));
  }
  CHECK(worst < 1e-9);
  CHECK(run["upper_field.angle"].back() > 4 * M_PI);
  check_energy(run);
}

TEST_CASE("rsda with a free angle that moves is a forced oscillator") {
  const Table run = results(plugin_case("forces/rsda", "rsda_laws_planar"), {tight});
  const double c = 0.5 * 100 / (100 - 16);  // phi'' = 100 (0.5 sin 4t - phi)
  CHECK(difference(run, "flywheel.phi", [&](double t) { return c * (std::sin(4 * t) - 0.4 * std::sin(10 * t)); }) <
        1e-9);
  CHECK(largest(run["energy.work"]) > 0.1);
  check_energy(run);
}

namespace {

std::string bushing_run(const std::string& system) {
  return R"({"trammel": 1, "system": )" + system + R"(, "analysis": {"type": "dynamics", "duration": 2},
         "formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13,
         "max_step": 0.01}, "output": {"step": 0.02, "channels": "all"}})";
}

}  // namespace

TEST_CASE("bushing at the mass centre: four of six oscillators with their own frequency and damping, large rotation") {
  // The frame is turned by 90 degrees about y: its x, y, z are -z, y, x of the ground. The weight is preloaded.
  const Table run = results_of(bushing_run(
      R"({"type": "spatial", "gravity": [0, 0, -10], "bodies": {"mass": {"mass": 2, "inertia": [0.1, 0.2, 0.3],
          "velocity": [0.5, -1, 2], "angular_velocity": [0, 0, 8]}}, "forces": {"mount": {"type": "bushing",
          "bodies": ["ground", "mass"], "at": [0, 0, 0], "rotation": {"axis": [0, 1, 0], "angle": "=pi/2"},
          "stiffness": [200, 450, 800], "damping": [4, 2, 8], "torsional_stiffness": [7.5, 40, 50],
          "torsional_damping": [0.06, 1, 1], "preload": [20, 0, 0]}}})"));
  CHECK(difference(run, "mass.z", [](double t) { return damped(t, 0, 2, 10, 1); }) < 1e-9);
  CHECK(difference(run, "mass.y", [](double t) { return damped(t, 0, -1, 15, 0.5); }) < 1e-9);
  CHECK(difference(run, "mass.x", [](double t) { return damped(t, 0, 0.5, 20, 2); }) < 1e-9);
  const auto angle = [](double t) { return damped(t, 0, 8, 5, 0.1); };
  CHECK(difference(turn_about_z(run, "mass"), run["mount.rx"]) > 1);  // the frame's x is the ground's -z
  CHECK(difference(run, "mount.rx", [&](double t) { return -angle(t); }) < 1e-9);
  CHECK(largest(run["mount.rx"]) > 1.3);
  CHECK(difference(run["mount.x"], [&] {
          Column down = run["mass.z"];
          for (double& z : down) z = -z;
          return down;
        }()) < 1e-12);
  check_energy(run);
}

TEST_CASE("bushing, planar: the modes of a rod on a bushing off its mass centre") {
  // Small motions of the rod, mass m, inertia J about C, at the distance a from P along x: with y of P and phi,
  // m (y'' + a phi'') = -k y, J phi'' - a k y = -kt phi  (moments about C). Rayleigh's two frequencies; the start is
  // the mode itself, so that y and phi stay proportional.
  const double m = 2, J = 0.05, a = 0.2, k = 800, kt = 40;
  // w^2 solves det([k - w2 m, -w2 m a; -a k, kt - w2 J]) = 0.
  const double A = m * J, B = -(k * J + m * kt + m * a * a * k), C = k * kt;
  for (const double sign : {1.0, -1.0}) {
    const double w2 = (-B + sign * std::sqrt(B * B - 4 * A * C)) / (2 * A), w = std::sqrt(w2);
    const double phi = 1e-4, y = w2 * m * a / (k - w2 * m) * phi;
    char text[900];
    std::snprintf(text, sizeof text,
                  R"({"type": "planar", "bodies": {"rod": {"mass": 2, "inertia": 0.05, "position": [%.17g, %.17g],
                      "angle": %.17g}}, "forces": {"bush": {"type": "bushing", "bodies": ["ground", "rod"],
                      "point_i": [0, 0], "point_j": [-0.2, 0], "stiffness": [3000, 800],
                      "torsional_stiffness": 40}}})",
                  a * std::cos(phi), y + a * std::sin(phi), phi);
    const Table run = results_of(bushing_run(text));
    // Geometric terms are of second order: 1e-4 of the amplitude.
    CHECK(difference(run, "bush.rz", [&](double t) { return phi * std::cos(w * t); }) < 2e-4 * phi);
    CHECK(difference(run, "bush.y", [&](double t) { return y * std::cos(w * t); }) < 2e-4 * std::abs(y));
  }
}

TEST_CASE("bushing between two free bodies: momentum, angular momentum and energy are kept") {
  const Table run = results_of(bushing_run(
      R"({"type": "spatial", "bodies": {
          "a": {"mass": 2, "inertia": [0.1, 0.2, 0.25], "velocity": [0.3, 0, 0.5], "angular_velocity": [2, -1, 3]},
          "b": {"mass": 3, "inertia": [0.3, 0.2, 0.15], "position": [0.5, 0, 0], "velocity": [0, 1, 0]}},
          "forces": {"mount": {"type": "bushing", "bodies": ["a", "b"], "at": [0.2, 0.1, 0], "stiffness": [500, 900, 300],
          "torsional_stiffness": [12, 9, 20]}}})"));
  const auto momentum = [&](const char* axis, std::size_t i) {
    return 2 * run[std::string("a.v") + axis][i] + 3 * run[std::string("b.v") + axis][i];
  };
  // Angular momentum about the origin: m r x v + A J' A^T w.
  const auto spin = [&](const std::string& body, double mass, const double* J, std::size_t i, double* L) {
    const auto at = [&](const char* column) { return run[body + column][i]; };
    const double e0 = at(".e0"), e1 = at(".e1"), e2 = at(".e2"), e3 = at(".e3");
    const double R[3][3] = {{e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)},
                            {2 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1)},
                            {2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3}};
    const double w[3] = {at(".wx"), at(".wy"), at(".wz")}, r[3] = {at(".x"), at(".y"), at(".z")};
    const double v[3] = {at(".vx"), at(".vy"), at(".vz")};
    for (int n = 0; n < 3; ++n) {
      L[n] += mass * (r[(n + 1) % 3] * v[(n + 2) % 3] - r[(n + 2) % 3] * v[(n + 1) % 3]);
      for (int p = 0; p < 3; ++p) L[n] += R[n][p] * J[p] * (R[0][p] * w[0] + R[1][p] * w[1] + R[2][p] * w[2]);
    }
  };
  const double J_a[3] = {0.1, 0.2, 0.25}, J_b[3] = {0.3, 0.2, 0.15};
  double first[3] = {}, worst = 0, twist = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    for (const char* axis : {"x", "y", "z"}) worst = std::max(worst, std::abs(momentum(axis, i) - momentum(axis, 0)));
    double L[3] = {};
    spin("a", 2, J_a, i, L), spin("b", 3, J_b, i, L);
    for (int n = 0; n < 3; ++n) {
      if (i == 0) first[n] = L[n];
      worst = std::max(worst, std::abs(L[n] - first[n]));
    }
    twist = std::max({twist, std::abs(run["mount.rx"][i]), std::abs(run["mount.rz"][i])});
  }
  CHECK(worst < 1e-9);
  CHECK(twist > 0.1);  // rotations for which the angles are not small
  check_energy(run);
}

TEST_CASE("potentials of laws count bumps of a thousandth of the way to where they began") {
  const Table run = results(TRAMMEL_SOURCE_DIR "/tests/data/tsda_far_bumps_planar.json", {"integrator.max_step=0.005"});
  // A tent of height 10 N over 0.2 m, a bell of area 1, and 5 N over 0.2 m, passed at 2, 6.2 and 8.1 s.
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run["t"][i], V = run["energy.potential"][i];
    if (t < 1.9) CHECK(std::abs(V) < 1e-11);
    if (t > 2.1 && t < 6.1) CHECK(std::abs(V - 1) < 1e-11);
    if (t > 6.3 && t < 8) CHECK(std::abs(V - 2) < 1e-11);
    if (t > 8.4) CHECK(std::abs(V - 3) < 1e-11);
  }
  check_energy(run);
}
