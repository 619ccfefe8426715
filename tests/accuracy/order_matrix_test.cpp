// Measured order of every integrator under every formulation on two mechanisms, through the whole simulation.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "trammel/simulation.h"

using namespace trammel;

namespace {

using Vector = Eigen::VectorXd;

struct Method {
  const char* json;  ///< without type's closing brace; the step is added
  int order;
  int steps;  ///< over the duration, for the coarsest of three runs
};

const Method methods[] = {{R"({"type": "euler")", 1, 400},
                          {R"({"type": "heun")", 2, 100},
                          {R"({"type": "heun3")", 3, 100},
                          {R"({"type": "kutta3")", 3, 100},
                          {R"({"type": "rk4")", 4, 50},
                          {R"({"type": "fehlberg45")", 4, 50},
                          {R"({"type": "dopri5")", 5, 16},
                          {R"({"type": "dopri853")", 8, 8},
                          {R"({"type": "adams", "mode": "predictor", "order": 2)", 2, 200},
                          {R"({"type": "adams", "mode": "pece", "order": 2, "start": "runge_kutta")", 3, 100},
                          {R"({"type": "adams", "mode": "pece", "order": 4, "start": "runge_kutta")", 5, 100}};

const char* const formulations[] = {
    R"({"type": "direct"})", R"({"type": "baumgarte", "alpha": 5})", R"({"type": "projection"})",
    R"({"type": "projection", "weights": "identity", "levels": "position"})", R"({"type": "projection", "every": 5})"};

constexpr double duration = 0.5;

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Positions and velocities of all bodies at the end of the run.
Vector solve(const std::string& file, const std::string& formulation, const Method& method, int steps) {
  SimulationOptions options;
  options.plugin_path = {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"};
  options.set = {"analysis.duration=" + std::to_string(duration), "analysis.constraint_limit=1",
                 "formulation=" + formulation,
                 "integrator=" + std::string(method.json) + ", \"step\": " + exact(duration / steps) + "}"};
  Simulation simulation(std::string(TRAMMEL_SOURCE_DIR) + "/configs/examples/" + file, options);
  const RunStatus status = simulation.run();
  REQUIRE_MESSAGE(status == RunStatus::completed, simulation.message());
  Vector y(2 * simulation.positions().size);
  y << simulation.positions().map(), simulation.velocities().map();
  return y;
}

void check_orders(const std::string& file, const Vector& reference,
                  const std::function<Vector(const Vector&)>& compared) {
  for (const Method& method : methods) {
    for (const char* formulation : formulations) {
      double error[3];
      for (int k = 0; k < 3; ++k) {  // two halvings, because a leading term may vanish
        const int steps = method.steps << k;
        error[k] = (compared(solve(file, formulation, method, steps)) - reference).norm();
      }
      const double slope = std::log2(error[0] / error[2]) / 2;
      const std::string integrator = method.json, treatment = formulation;
      CAPTURE(integrator);
      CAPTURE(treatment);
      CAPTURE(error[0]);
      CAPTURE(error[1]);
      CAPTURE(error[2]);
      CHECK(slope > method.order - 0.5);  // a method of one order less fails
      CHECK(slope < method.order + 2);
    }
  }
}

}  // namespace

TEST_CASE("spatial slider-crank against the one-coordinate solution") {
  // Crank angle, rod angle, centre of the rod and their rates at t = 0.5; from the reference solution of the problem of
  // Wu, Chiou and Lin in one coordinate, accurate to 2e-13 and 1e-12.
  Vector reference(8);
  reference << 1.933353216513243e-01, -1.155367566090849e-01, 5.924105757632292e-01, 2.305597661085437e-02,
      -4.733026712613720e+00, 2.805611917144116e+00, 3.698405670726408e-01, -5.573814086508486e-01;
  check_orders("slider_crank.json", reference, [](const Vector& y) {  // crank (r, p), rod (r, p), then their rates
    const auto angle = [&](int p) { return 2 * std::atan2(y[p + 3], y[p]); };
    const auto rate = [&](int p) {
      const double e0 = y[p], e3 = y[p + 3], e0_dot = y[14 + p], e3_dot = y[14 + p + 3];
      return 2 * (e0 * e3_dot - e3 * e0_dot) / (e0 * e0 + e3 * e3);
    };
    Vector compared(8);
    compared << angle(3), angle(10), y[7], y[8], rate(3), rate(10), y[21], y[22];
    return compared;
  });
}

TEST_CASE("planar double pendulum against its two angles") {
  // Absolute angles from the downward vertical, uniform rods; data of the run file.
  const double m1 = 1, l1 = 1, m2 = 0.8, l2 = 0.7, g = 9.81;
  const auto rhs = [&](const Eigen::Vector4d& y) -> Eigen::Vector4d {
    const double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]), b = m2 * l1 * l2 / 2;
    Eigen::Matrix2d M;
    M << (m1 / 3 + m2) * l1 * l1, b * c, b * c, m2 * l2 * l2 / 3;
    const Eigen::Vector2d Q(-b * s * y[3] * y[3] - (m1 / 2 + m2) * g * l1 * std::sin(y[0]),
                            b * s * y[2] * y[2] - m2 * g * l2 / 2 * std::sin(y[1]));
    const Eigen::Vector2d a = M.inverse() * Q;
    return {y[2], y[3], a[0], a[1]};
  };
  Eigen::Vector4d y(2.2, 2.6, 0, 0);
  const int steps = 5000;  // classical Runge-Kutta, error near 1e-14
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector4d k1 = rhs(y), k2 = rhs(y + h / 2 * k1), k3 = rhs(y + h / 2 * k2), k4 = rhs(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double quarter = std::acos(0.0), s1 = std::sin(y[0]), c1 = std::cos(y[0]), s2 = std::sin(y[1]),
               c2 = std::cos(y[1]);
  Vector reference(12);
  reference << l1 / 2 * s1, -l1 / 2 * c1, y[0] - quarter, l1 * s1 + l2 / 2 * s2, -l1 * c1 - l2 / 2 * c2, y[1] - quarter,
      l1 / 2 * c1 * y[2], l1 / 2 * s1 * y[2], y[2], l1 * c1 * y[2] + l2 / 2 * c2 * y[3],
      l1 * s1 * y[2] + l2 / 2 * s2 * y[3], y[3];
  check_orders("planar_double_pendulum.json", reference, [](const Vector& q) { return q; });
}
