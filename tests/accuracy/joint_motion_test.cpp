// Motions of the catalogue's joints against closed forms, conserved quantities in minimal coordinates, and simpler
// models.
#include <doctest/doctest.h>

#include <functional>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

constexpr double g = 9.81;
const std::string tight = R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";

Table joint_case(const std::string& type, const std::string& name = "") {
  return results(plugin_case("constraints/" + type, name.empty() ? type : name), {tight, "output.channels=all"});
}

/// Largest change of f(row) over the run.
template <class F>
double change(const Table& run, F f) {
  double worst = 0;
  const double first = f(std::size_t{0});
  for (std::size_t i = 0; i < run.rows(); ++i) worst = std::max(worst, std::abs(f(i) - first));
  return worst;
}

std::string run_text(const std::string& system, double duration, double step) {
  return R"({"trammel": 1, "system": )" + system + R"(, "analysis": {"type": "dynamics", "duration": )" +
         std::to_string(duration) + R"(}, "formulation": {"type": "projection"}, "integrator": {"type": "dopri853",
         "rtol": 1e-12, "atol": 1e-13}, "output": {"step": )" +
         std::to_string(step) + R"(, "channels": "all"}})";
}

}  // namespace

TEST_CASE("universal joint: the output angle of Hooke's joint, and its speed from the energy") {
  const Table run = joint_case("universal");
  const double beta = 0.6, w = 6, J_in = 0.02, J_out = 0.03;
  // The input's arm of the cross starts in the plane of the shafts: tan(out) = tan(in) / cos(beta).
  double worst_angle = 0, worst_rate = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double in = run["bearing.angle"][i], turns = std::round(in / M_PI) * M_PI;
    const double out = std::atan(std::tan(in) / std::cos(beta)) + turns;
    worst_angle = std::max(worst_angle, std::abs(run["direction.angle"][i] - out));
    const double r = std::cos(beta) / (std::pow(std::cos(beta) * std::cos(in), 2) + std::pow(std::sin(in), 2));
    const double r0 = 1 / std::cos(beta);
    const double rate = w * std::sqrt((J_in + J_out * r0 * r0) / (J_in + J_out * r * r));
    worst_rate = std::max(worst_rate, std::abs(run["bearing.rate"][i] - rate));
  }
  CHECK(largest(run["bearing.angle"]) > 8);
  CHECK(worst_angle < 1e-9);
  CHECK(noted("spatial universal", "Hooke's joint: output angle, speed from the energy", worst_rate) < 1e-9);
  // The cross turns with the arm relative to each shaft; at the start both angles are zero and stay below beta.
  CHECK(largest(run["cross.angle"]) == doctest::Approx(beta).epsilon(0.02));
}

TEST_CASE("fixed joint: two welded bodies move as the one body they are") {
  SUBCASE("planar") {
    const Table run = joint_case("fixed", "fixed_planar");
    // Mass centre at (0.4, 0.1/1.5); moments about it by the parallel-axis theorem.
    const Table one = results_of(run_text(
        R"({"type": "planar", "gravity": [0, -9.81], "bodies": {"both": {"mass": 1.5, "position": [0.4, "=0.1/1.5"],
            "inertia": "=0.03 + 0.09 + 0.08/12 + 0.5*0.4 - 1.5*0.16 - 0.015/2.25"}},
            "constraints": {"hinge": {"type": "revolute", "bodies": ["ground", "both"], "at": [0, 0]}}})",
        1, 0.02));
    CHECK(difference(run["arm.phi"], one["both.phi"]) < 1e-9);
    CHECK(noted("planar fixed", "two welded bodies as one", difference(run["tool.phi"], one["both.phi"])) < 1e-9);
    CHECK(difference(run["hinge.force.y"], one["hinge.force.y"]) < 1e-7);
  }
  SUBCASE("spatial: the weld carries the second body, whose motion is known") {
    const Table run = joint_case("fixed");
    // m a = m g + force on the tool; the attitudes stay equal.
    double worst = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      worst = std::max({worst, std::abs(0.5 * run["tool.ax"][i] - run["weld.force.x"][i]),
                        std::abs(0.5 * (run["tool.az"][i] + g) - run["weld.force.z"][i])});
    }
    CHECK(noted("spatial fixed", "welded bodies: the force that moves the second", worst) < 1e-9);
    for (const char* e : {".e0", ".e1", ".e2", ".e3"}) {
      CHECK(difference(run[std::string("arm") + e], run[std::string("tool") + e]) < 1e-10);
    }
    CHECK(change(run, [&](std::size_t i) { return run["energy.total"][i]; }) < 1e-9);
  }
}

TEST_CASE("in-line joint: uniform motion along the wire, a plane pendulum across it") {
  const Table run = joint_case("in_line");
  CHECK(difference(run, "rod.x", [](double t) { return 0.5 * t; }) < 1e-10);
  CHECK(difference(run, "wire.displacement", [](double t) { return 0.5 * t; }) < 1e-10);
  CHECK(difference(run, "wire.speed", [](double) { return 0.5; }) < 1e-10);
  const Table pendulum = results_of(run_text(
      R"({"type": "planar", "gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": 0.03, "position": [0.18, -0.24]}},
          "constraints": {"hinge": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}}})",
      1, 0.02));
  CHECK(difference(run["rod.y"], pendulum["rod.x"]) < 1e-9);
  CHECK(noted("spatial in_line", "pendulum on a wire, in its angle", difference(run["rod.z"], pendulum["rod.y"])) <
        1e-9);
  CHECK(difference(run["wire.force.y"], pendulum["hinge.force.x"]) < 1e-8);
  CHECK(difference(run["wire.force.z"], pendulum["hinge.force.y"]) < 1e-8);
  CHECK(largest(run["wire.torque.x"]) < 1e-10);
}

TEST_CASE("in-plane joint: no horizontal force, and the constants of a sliding top") {
  const Table run = joint_case("in_plane");
  CHECK(largest(run["top.x"]) < 1e-11);
  CHECK(largest(run["top.y"]) < 1e-11);
  CHECK(largest(run["ice.force.x"]) < 1e-12);
  double lowest = 0.05;
  for (double z : run["top.z"]) lowest = std::min(lowest, z);
  CHECK(lowest < 0.0498);  // it nutates
  // m z'' = N - m g, and the spin about the symmetry axis is kept: 150 rad/s.
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    worst = std::max(worst, std::abs(0.5 * (run["top.az"][i] + g) - run["ice.force.z"][i]));
  }
  CHECK(worst < 1e-8);
  CHECK(noted("spatial in_plane", "sliding top: its spin", change(run, [&](std::size_t i) {
                const double e0 = run["top.e0"][i], x = run["top.e1"][i], y = run["top.e2"][i], z = run["top.e3"][i];
                return 2 * (x * z + e0 * y) * run["top.wx"][i] + 2 * (y * z - e0 * x) * run["top.wy"][i] +
                       (e0 * e0 - x * x - y * y + z * z) * run["top.wz"][i];
              })) < 1e-9);
}

TEST_CASE("planar joint: the same motion as in the planar host") {
  const Table run = joint_case("planar_joint");
  // The lever only keeps the reference model from having no constraint at all.
  const Table planar = results_of(run_text(
      R"({"type": "planar", "gravity": [3, 0], "bodies": {"puck": {"mass": 0.3, "inertia": 0.0015, "position": [0.2, 0],
          "velocity": [0, 0.8], "angular_velocity": 3}, "lever": {"mass": 1, "inertia": 1}},
          "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "lever"], "at": [0, 0]}},
          "forces": {"spring": {"type": "tsda", "bodies": ["ground", "puck"], "point_i": [0, 0], "point_j": [0.08, 0],
          "stiffness": 20, "free_length": 0.2}}})",
      2, 0.02));
  CHECK(noted("spatial planar_joint", "puck on a spring, in the planar host",
              difference(run["puck.x"], planar["puck.x"])) < 1e-9);
  CHECK(difference(run["puck.y"], planar["puck.y"]) < 1e-9);
  CHECK(difference(run["table.angle"], planar["puck.phi"]) < 1e-8);
  CHECK(difference(run, "puck.z", [](double) { return 0.02; }) < 1e-13);
  CHECK(difference(run, "table.force.z", [](double) { return 2.7; }) < 1e-10);
  CHECK(largest(run["table.torque.z"]) < 1e-12);
}

TEST_CASE("parallel axes: a projectile that only turns about the vertical") {
  const Table run = joint_case("parallel_axes");
  CHECK(difference(run, "plate.x", [](double t) { return t; }) < 1e-11);
  CHECK(difference(run, "plate.y", [](double t) { return 0.5 * t * t; }) < 1e-11);
  CHECK(noted("spatial parallel_axes", "projectile, closed form",
              difference(run, "plate.z", [](double t) { return 3 * t - (g - 0.5) / 2 * t * t; })) < 1e-11);
  // J phi'' = 0.1 cos(phi) 2  =>  J phi'^2 / 2 - 0.2 sin(phi) is kept.
  CHECK(change(run, [&](std::size_t i) {
          return 0.02 * std::pow(run["upright.rate"][i], 2) - 0.2 * std::sin(run["upright.angle"][i]);
        }) < 1e-11);
  CHECK(run["upright.angle"].back() > 4);
  CHECK(difference(run["upright.rate"], run["plate.wz"]) < 1e-12);
}

TEST_CASE("spherical-spherical: the RSSR mechanism's loop equation and energy in the crank angle") {
  const Table run = joint_case("spherical_spherical");
  const double L2 = 0.7 * 0.7 + 0.5 * 0.5;
  double worst_loop = 0, worst_energy = 0, first = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double a = run["main.angle"][i], b = run["pivot.angle"][i];
    const double A[3] = {0.2 * std::cos(a), 0.2 * std::sin(a), 0};
    const double B[3] = {0.9 + 0.5 * std::sin(b), 0, 0.5 * std::cos(b)};
    const double d[3] = {B[0] - A[0], B[1] - A[1], B[2] - A[2]};
    worst_loop = std::max(worst_loop, std::abs(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - L2));
    // d.(B' - A') = 0
    const double by_a = -(d[0] * -0.2 * std::sin(a) + d[1] * 0.2 * std::cos(a));
    const double by_b = d[0] * 0.5 * std::cos(b) - d[2] * 0.5 * std::sin(b);
    const double a1 = run["main.rate"][i], b1 = -by_a / by_b * a1;
    const double energy =
        0.5 * (0.004 + 0.01) * a1 * a1 + 0.5 * (0.02 + 2 * 0.0625) * b1 * b1 + 2 * g * 0.25 * std::cos(b);
    if (i == 0) first = energy;
    worst_energy = std::max(worst_energy, std::abs(energy - first));
  }
  CHECK(worst_loop < 1e-11);
  CHECK(noted("spatial spherical_spherical", "RSSR mechanism: energy in the crank angle", worst_energy) < 1e-8);
  CHECK(difference(run, "rod.length", [&](double) { return std::sqrt(L2); }) < 1e-12);
  CHECK(largest(run["rod.rate"]) < 1e-11);
}

TEST_CASE("revolute-spherical: angular momentum and energy of a governor's arm in its two coordinates") {
  const Table run = joint_case("revolute_spherical");
  const double J = 0.02, m = 0.4, L = 0.25,
               a0 = std::atan2(-0.2, 0.15);  // the arm from (0.05, 0, 0.1) to (0.2, 0, -0.1)
  const auto rho = [&](std::size_t i) { return 0.05 + L * std::cos(a0 + run["arm.angle"][i]); };
  const auto spin = [&](std::size_t i) { return run["bearing.rate"][i]; };
  CHECK(noted("spatial revolute_spherical", "governor's arm: angular momentum in its two coordinates",
              change(run, [&](std::size_t i) { return (J + m * rho(i) * rho(i)) * spin(i); })) < 1e-10);
  CHECK(change(run, [&](std::size_t i) {
          const double h = 0.1 + L * std::sin(a0 + run["arm.angle"][i]), rate = L * run["arm.rate"][i];
          return 0.5 * J * spin(i) * spin(i) + 0.5 * m * (std::pow(rho(i) * spin(i), 2) + rate * rate) + m * g * h;
        }) < 1e-9);
  CHECK(largest(run["arm.rate"]) > 1);
  CHECK(largest(run["arm.torque.x"]) < 1e-11);
}

TEST_CASE("screw: constant acceleration over many turns, and the thread's reaction") {
  const Table run = joint_case("screw");
  // (m + J / k^2) z'' = -m g with k = pitch / (2 pi).
  const double m = 0.5, J = 0.0006, k = 0.02 / (2 * M_PI), a = -m * g / (m + J / (k * k));
  CHECK(difference(run, "thread.displacement", [&](double t) { return 0.1 + a * t * t / 2; }) < 1e-11);
  CHECK(noted("spatial screw", "falling nut over many turns, closed form",
              difference(run, "thread.angle", [&](double t) { return 1 + a * t * t / (2 * k); })) < 1e-9);
  CHECK(difference(run, "thread.speed", [&](double t) { return a * t; }) < 1e-11);
  CHECK(run["thread.angle"].back() < -40);  // turns are counted
  CHECK(difference(run, "thread.force.z", [&](double) { return m * (a + g); }) < 1e-9);
  CHECK(difference(run, "thread.torque.z", [&](double) { return J * a / k; }) < 1e-10);
}

TEST_CASE("planar gears: a planetary train's ratios, and its acceleration from one moment of inertia") {
  const Table run = joint_case("gear");
  const double R_s = 0.06, R_p = 0.03, R_r = R_s + 2 * R_p;
  // The pitch point on the ring is at rest: w_planet R_p = -w_arm (R_s + R_p); on the sun: w_sun R_s = w_arm (R_s +
  // R_p)
  // - w_planet R_p = 2 w_arm (R_s + R_p).
  const double arm = R_s / (2 * (R_s + R_p)), planet = -arm * (R_s + R_p) / R_p;
  const double J =
      0.002 + arm * arm * (0.001 + 0.5 * 0.045 * 0.045 + 0.3 * (R_s + R_p) * (R_s + R_p)) + planet * planet * 0.00015;
  const double a = 0.1 / J;
  CHECK(R_r == doctest::Approx(0.12));
  CHECK(difference(run, "sun.phi", [&](double t) { return a * t * t / 2; }) < 1e-9);
  CHECK(difference(run, "arm.phi", [&](double t) { return arm * a * t * t / 2; }) < 1e-9);
  CHECK(noted("planar gear", "planetary train, closed form",
              difference(run, "planet.phi", [&](double t) { return planet * a * t * t / 2; })) < 1e-9);
  CHECK(run["sun.phi"].back() > 4 * M_PI);
  // At the pitch point a tooth force only, and of the size that accelerates the sun: T - R_s F = J_s a.
  CHECK(largest(run["sun_mesh.torque.z"]) < 1e-12);
  CHECK(largest(run["ring_mesh.torque.z"]) < 1e-12);
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double F = std::hypot(run["sun_mesh.force.x"][i], run["sun_mesh.force.y"][i]);
    worst = std::max(worst, std::abs(0.1 - R_s * F - 0.002 * a));
  }
  CHECK(worst < 1e-10);
}

TEST_CASE("gear pairs: the differential's two sides share the motor's torque equally") {
  const Table run = joint_case("gear_pair");
  // Sides l and r, carrier c = (l + r)/2, planet about its own axis p = 2 (l - c) = l - r relative to the carrier.
  double worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double l = run["left_bearing.angle"][i], r = run["right_bearing.angle"][i];
    worst = std::max({worst, std::abs(run["carrier_bearing.angle"][i] - (l + r) / 2),
                      std::abs(run["left_mesh.second_angle"][i] - (l - r)),
                      std::abs(run["left_mesh.angle"][i] - (l - r) / 2)});
  }
  CHECK(worst < 1e-10);
  // Kinetic energy in (l', r'): the planet adds to the carrier's inertia about x and spins about y with l' - r'.
  const double J_l = 0.004, J_r = 0.006, J_c = 0.02 + 0.0004 + 0.4 * 0.01, J_p = 0.0006, T = 0.05;
  const double ll = J_l + J_c / 4 + J_p, rr = J_r + J_c / 4 + J_p, lr = J_c / 4 - J_p, det = ll * rr - lr * lr;
  const double al = T / 2 * (rr - lr) / det, ar = T / 2 * (ll - lr) / det;
  CHECK(difference(run, "left_bearing.angle", [&](double t) { return 10 * t + al * t * t / 2; }) < 1e-9);
  CHECK(noted("spatial gear_pair", "bevel differential, closed form",
              difference(run, "right_bearing.angle", [&](double t) { return 2 * t + ar * t * t / 2; })) < 1e-9);
}

TEST_CASE("rack and pinion: an oscillator on a fixed hinge, free fall on a moving carrier") {
  const Table planar = joint_case("rack_and_pinion", "rack_and_pinion_planar");
  const double M = 0.8 + 0.0006 / (0.05 * 0.05), w = std::sqrt(300 / M);
  CHECK(noted("planar rack_and_pinion", "oscillator, closed form",
              difference(planar, "mesh.displacement", [&](double t) { return 2 / w * std::sin(w * t); })) < 1e-9);
  CHECK(difference(planar, "mesh.angle", [&](double t) { return 40 / w * std::sin(w * t); }) < 1e-8);
  CHECK(difference(planar, "mesh.force.x", [&](double t) { return 0.0006 / (0.05 * 0.05) * 2 * w * std::sin(w * t); }) <
        1e-8);
  CHECK(largest(planar["mesh.torque.z"]) < 1e-12);

  const Table spatial = joint_case("rack_and_pinion");
  const double a = -1.6 * g / (1.6 + 0.0012 / (0.05 * 0.05));
  CHECK(difference(spatial, "guide.displacement", [&](double t) { return 2 * t + a * t * t / 2; }) < 1e-10);
  CHECK(noted("spatial rack_and_pinion", "falling carrier, closed form",
              difference(spatial, "mesh.angle", [&](double t) { return (2 * t + a * t * t / 2) / 0.05; })) < 1e-9);
  CHECK(largest(spatial["mesh.angle"]) > 6);
  CHECK(difference(spatial, "mesh.force.z", [&](double) { return 0.0012 * a / (0.05 * 0.05); }) < 1e-9);
}

TEST_CASE("revolute-translational: the quick-return mechanism's loop equation and energy") {
  const Table run = joint_case("revolute_translational");
  double worst = 0, first = 0, energy_error = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double a = run["crank.phi"][i], b = run["lever.phi"][i], w = run["crank.omega"][i], W = run["lever.omega"][i];
    const double x = 0.1 * std::cos(a), y = 0.3 + 0.1 * std::sin(a);
    worst = std::max(worst, std::abs(-std::sin(b) * x + std::cos(b) * y - 0.02));
    const double energy = 0.5 * 0.01 * w * w + 0.5 * (0.06 + 2 * 0.0625) * W * W + 2 * g * 0.25 * std::sin(b);
    if (i == 0) first = energy;
    energy_error = std::max(energy_error, std::abs(energy - first));
  }
  CHECK(worst < 1e-12);
  CHECK(noted("planar revolute_translational", "quick-return mechanism: energy in the crank angle", energy_error) <
        1e-9);
  CHECK(largest(run["block.torque.z"]) < 1e-12);
}

TEST_CASE("coupler: a hoist's constant acceleration, and a geared double pendulum's energy in one angle") {
  const Table hoist = joint_case("coupler");
  const double a = -3 * g / (3 + 0.02 / 0.01);
  CHECK(difference(hoist, "shaft.displacement", [&](double t) { return a * t * t / 2; }) < 1e-10);
  CHECK(noted("spatial coupler", "hoist, closed form",
              difference(hoist, "axle.angle", [&](double t) { return a * t * t / 0.2; })) < 1e-9);
  CHECK(hoist["axle.angle"].back() < -30 * M_PI);

  const Table arm = joint_case("coupler", "coupler_planar");
  // Elbow angle -2 s: the lower arm stands at -s. Its centre is at 0.75 cos s, 0.25 sin s.
  double worst = 0, worst_energy = 0;
  for (std::size_t i = 0; i < arm.rows(); ++i) {
    const double s = arm["upper.phi"][i], w = arm["upper.omega"][i], x1 = -0.75 * std::sin(s) * w,
                 y1 = 0.25 * std::cos(s) * w;
    worst = std::max(worst, std::abs(arm["lower.phi"][i] + s));
    const double energy = 0.5 * (0.02 + 0.0625 + 0.02) * w * w + 0.5 * (x1 * x1 + y1 * y1) + 2 * g * 0.25 * std::sin(s);
    worst_energy = std::max(worst_energy, std::abs(energy));
  }
  CHECK(worst < 1e-12);
  CHECK(noted("planar coupler", "geared double pendulum: energy in one angle", worst_energy) < 1e-9);
}

TEST_CASE("point on a spline: energy of a bead in one speed, and a follower that keeps to its cam") {
  const Table bead = joint_case("point_on_spline");
  // Only gravity does work on a bead that starts without spin: v^2/2 + g z.
  const double bead_energy = change(bead, [&](std::size_t i) {
    const double x = bead["bead.vx"][i], y = bead["bead.vy"][i], z = bead["bead.vz"][i];
    return 0.5 * (x * x + y * y + z * z) + g * bead["bead.z"][i];
  });
  CHECK(noted("spatial point_on_spline", "bead on a wire: energy in its speed", bead_energy) < 1e-8);
  CHECK(bead["wire.parameter"].back() > 6);  // once round, counted
  double power = 0;
  for (std::size_t i = 0; i < bead.rows(); ++i) {
    power = std::max(
        power, std::abs(bead["wire.force.x"][i] * bead["bead.vx"][i] + bead["wire.force.y"][i] * bead["bead.vy"][i] +
                        bead["wire.force.z"][i] * bead["bead.vz"][i]));
  }
  CHECK(power < 1e-10);

  const Table cam = joint_case("point_on_spline", "point_on_spline_planar");
  CHECK(noted("planar point_on_spline", "cam follower: energy",
              change(cam, [&](std::size_t i) { return cam["energy.total"][i]; })) < 1e-7);
  CHECK(largest(cam["contact.torque.z"]) < 1e-12);
  // The lift is between r - e and r + e.
  double highest = 0, lowest = 1;
  for (double y : cam["follower.y"]) highest = std::max(highest, y - 0.1), lowest = std::min(lowest, y - 0.1);
  CHECK(highest < 0.1205);
  CHECK(highest > 0.119);
  CHECK(lowest > 0.0795);
}

TEST_CASE("shipped mechanisms close their energy balance to 1e-6 of the energy exchanged") {
  for (const std::string name : {"spatial_slider_crank", "geared_five_bar", "cam_follower", "rack_steering"}) {
    CAPTURE(name);
    const Table run = results(example(name), {"output.channels=all"});
    double exchanged = 0, open = 0;
    const auto balance = [&](std::size_t i) {
      return run["energy.total"][i] + run["energy.dissipated"][i] - run["energy.work"][i];
    };
    for (std::size_t i = 0; i < run.rows(); ++i) {
      exchanged = std::max(exchanged, std::abs(run["energy.kinetic"][i] - run["energy.kinetic"][0]));
      open = std::max(open, std::abs(balance(i) - balance(0)));
    }
    CHECK(exchanged > 0.1);
    CHECK(open < 1e-6 * exchanged);
  }
}
