// Springs, limits, servos and motors on joints against closed forms, or the equation of their one coordinate.
#include <doctest/doctest.h>

#include <functional>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

Table joint_case(const std::string& type, const std::string& name = "") {
  return results(
      plugin_case("forces/" + type, name.empty() ? type : name),
      {R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.01})", "output.channels=all"});
}

/// max |total + dissipated - work - initial|.
double open_joint_balance(const Table& run) {
  double worst = 0;
  const auto balance = [&](std::size_t i) {
    return run["energy.total"][i] + run["energy.dissipated"][i] - run["energy.work"][i];
  };
  for (std::size_t i = 0; i < run.rows(); ++i) worst = std::max(worst, std::abs(balance(i) - balance(0)));
  return worst;
}

/// x of x'' = a(x, x', t) at the rows' times, by the classical method with steps of 1 microsecond: an independent
/// integration of the one coordinate, across the corners of its law.
double scalar_difference(const Table& run, const std::string& column, double x, double v,
                         const std::function<double(double, double, double)>& a) {
  constexpr double h = 1e-6;
  double t = 0, worst = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const auto steps = static_cast<long>(std::lround((run["t"][i] - t) / h));
    for (long k = 0; k < steps; ++k, t += h) {
      const double a1 = a(x, v, t), v2 = v + h / 2 * a1, a2 = a(x + h / 2 * v, v2, t + h / 2);
      const double v3 = v + h / 2 * a2, a3 = a(x + h / 2 * v2, v3, t + h / 2);
      const double v4 = v + h * a3, a4 = a(x + h * v3, v4, t + h);
      x += h / 6 * (v + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    t = run["t"][i];
    worst = std::max(worst, std::abs(run[column][i] - x));
  }
  return worst;
}

double clamped(double value, double bound) { return std::max(-bound, std::min(bound, value)); }

}  // namespace

// Bounds: runs of two seconds at tolerance 1e-12 keep 1e-9 where nothing amplifies errors. The scalar integrations have
// corners within their steps and so errors of h times the jump of the acceleration.

TEST_CASE("joint_spring: a damped oscillation about its free position, and the energy of a cubic spring") {
  const Table wheel = joint_case("joint_spring");
  const double w = std::sqrt(100 - 0.25);
  CHECK(
      noted("spatial joint_spring", "damped oscillation, closed form", difference(wheel, "hinge.angle", [&](double t) {
              return 0.3 - 0.3 * std::exp(-0.5 * t) * (std::cos(w * t) + 0.5 / w * std::sin(w * t));
            })) < 1e-10);
  CHECK(open_joint_balance(wheel) < 1e-10);
  const Table slider = joint_case("joint_spring", "joint_spring_planar");
  double worst = 0;
  for (std::size_t i = 0; i < slider.rows(); ++i) {
    const double x = slider["guide.displacement"][i], v = slider["guide.speed"][i];
    worst = std::max(worst, std::abs(v * v + 25 * x * x + 100 * x * x * x * x - 1));
  }
  CHECK(noted("planar joint_spring", "cubic spring: first integral", worst) < 1e-10);
  CHECK(difference(slider, "energy.total", [](double) { return 1.0; }) < 1e-10);
}

TEST_CASE("joint_limit: a rebound in half a period, and a slider between two limits that take energy") {
  const Table wheel = joint_case("joint_limit");
  // I = 0.02, k = 200: a half wave of pi/100 s and 0.02 rad at each limit, straight lines between them.
  const double half = M_PI / 100;
  CHECK(noted("spatial joint_limit", "rebounds of a flywheel, closed form",
              difference(wheel, "hinge.angle", [&](double t) {
                if (t < 0.5) return 2 * t;
                if (t < 0.5 + half) return 1 + 0.02 * std::sin(100 * (t - 0.5));
                if (t < 1.5 + half) return 1 - 2 * (t - 0.5 - half);
                if (t < 1.5 + 2 * half) return -1 - 0.02 * std::sin(100 * (t - 1.5 - half));
                return -1 + 2 * (t - 1.5 - 2 * half);
              })) < 1e-9);
  CHECK(open_joint_balance(wheel) < 1e-10);
  const Table slider = joint_case("joint_limit", "joint_limit_planar");
  CHECK(noted("planar joint_limit", "slider between limits, its one equation",
              scalar_difference(slider, "guide.displacement", 0, -1, [](double x, double v, double) {
                const double d = x < -0.1 ? -0.1 - x : x - 0.4, side = x < -0.1 ? 1 : -1;
                if (d <= 0) return 3.0;
                return 3 + side * 2e4 * std::pow(d, 1.5) * std::max(0.0, 1 - 0.3 * side * v) / 2;
              })) < 1e-6);
  CHECK(open_joint_balance(slider) < 1e-8);
}

TEST_CASE("servo: critically damped behind a gear, and a rate that its largest force cannot follow") {
  const Table wheel = joint_case("servo");
  CHECK(noted("spatial servo", "critically damped, closed form", difference(wheel, "hinge.angle", [](double t) {
                return (1 - (1 + 10 * t) * std::exp(-10 * t)) / 3;
              })) < 1e-10);
  CHECK(difference(wheel, "drive.torque", [](double t) { return 0.9 * (100 - 1000 * t) / 3 * std::exp(-10 * t); }) <
        1e-8);
  CHECK(open_joint_balance(wheel) < 1e-10);
  const Table slider = joint_case("servo", "servo_planar");
  CHECK(noted("planar servo", "velocity servo with a limit, its one equation",
              scalar_difference(slider, "guide.displacement", 0, 0, [](double, double v, double t) {
                return clamped(40 * (2 * std::sin(M_PI * t) - v), 3) / 2;
              })) < 1e-6);
  CHECK(largest(slider["drive.force"]) <= 3);
}

TEST_CASE("motor: running up along a straight curve, and a command that is cut off") {
  const Table wheel = joint_case("motor");
  CHECK(noted("spatial motor", "running up, closed form",
              difference(wheel, "hinge.rate", [](double t) { return 8 * (1 - std::exp(-2.5 * t)); })) < 1e-10);
  CHECK(difference(wheel, "drive.torque", [](double t) { return 40 * std::exp(-2.5 * t); }) < 1e-8);
  CHECK(open_joint_balance(wheel) < 1e-8);
  const Table slider = joint_case("motor", "motor_planar");
  CHECK(noted("planar motor", "command that is cut off, its one equation",
              scalar_difference(slider, "guide.displacement", 0, 0, [](double, double, double t) {
                return clamped(2 * std::sin(2 * M_PI * t), 1.5) / 2;
              })) < 1e-6);
}

TEST_CASE("joint_impact: a flywheel comes back with half its rate, a slider hops") {
  const auto run = [](const std::string& name) {
    return results(plugin_case("constraints/joint_impact", name),
                   {R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.01})"});
  };
  CHECK(noted("spatial joint_impact", "one rebound, closed form",
              difference(run("joint_impact"), "hinge.angle",
                         [](double t) { return t < 0.5 ? 2 * t : 1 - (t - 0.5); })) < 1e-9);
  CHECK(noted("planar joint_impact", "fall and hop, closed form",
              difference(run("joint_impact_planar"), "guide.displacement",
                         [](double t) { return t < 1 ? 4 - 4 * t * t : 4 * (t - 1) - 4 * (t - 1) * (t - 1); })) < 1e-9);
}
