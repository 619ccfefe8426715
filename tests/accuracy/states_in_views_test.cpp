// Internal states of forces under methods for second-order and index-3 systems: a motor with lag against its closed
// form, by order; a crane with a slow cylinder against a tight run of first order; a state that is stiff by itself.
#include <doctest/doctest.h>

#include <cstdio>

#include "table.h"

using namespace trammel;

namespace {

/// J omega' = M, T M' = u0 - k omega - M from rest: omega'' + omega'/T + k/(J T) omega = u0/(J T).
struct Motor {
  double J = 0.2, T = 0.25, k = 0.4, u0 = 3;
  double decay = 0.5 / T, frequency = std::sqrt(k / (J * T) - decay * decay);
  double torque(double t) const {  // J omega'
    return u0 / (T * frequency) * std::exp(-decay * t) * std::sin(frequency * t);
  }
};

std::string json(const char* format, double value) {
  char text[200];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

constexpr const char* partitioned = R"(formulation={"type": "coordinate_partitioning"})";
constexpr const char* index_3 = "formulation=null";

struct Method {
  const char* name;
  const char* keys;  ///< of the integrator, with its step
  const char* view;
  double order, step;
};

const Method fixed_steps[] = {
    {"rosenbrock_nystrom", R"("type": "rosenbrock_nystrom", "step": %.9g)", partitioned, 4, 0.05},
    {"rodas43", R"("type": "rodas43", "step": %.9g)", partitioned, 4, 0.05},
    {"ros2", R"("type": "ros2", "step": %.9g)", partitioned, 2, 0.02},
    {"sdirk4", R"("type": "sdirk4", "step": %.9g)", partitioned, 4, 0.05},
    {"trapezoidal", R"("type": "trapezoidal", "step": %.9g)", partitioned, 2, 0.02},
    {"newmark", R"("type": "newmark", "step": %.9g)", partitioned, 2, 0.02},
    {"hht", R"("type": "hht", "alpha": -0.1, "step": %.9g)", partitioned, 2, 0.02},
    {"generalized_alpha", R"("type": "generalized_alpha", "step": %.9g)", partitioned, 2, 0.02},
    {"velocity_verlet", R"("type": "velocity_verlet", "step": %.9g)", partitioned, 2, 0.01},
    {"central_differences", R"("type": "central_differences", "step": %.9g)", partitioned, 2, 0.01},
    {"beeman", R"("type": "beeman", "step": %.9g)", partitioned, 2, 0.01},
    {"newmark 3", R"("type": "newmark", "step": %.9g)", index_3, 2, 0.02},
    {"hht 3", R"("type": "hht", "alpha": -0.1, "step": %.9g)", index_3, 2, 0.02},
    {"generalized_alpha 3", R"("type": "generalized_alpha", "step": %.9g)", index_3, 2, 0.02},
    {"rattle", R"("type": "rattle", "step": %.9g)", index_3, 2, 0.01},
};

}  // namespace

TEST_CASE("a motor with lag: its torque, an internal state, has the method's order for velocities") {
  const Motor motor;
  for (const Method& method : fixed_steps) {
    CAPTURE(method.name);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const Table run = results(plugin_case("forces/actuator", "actuator_planar"),
                                {method.view, "integrator={" + json(method.keys, method.step / (1 << k)) + "}",
                                 R"(analysis={"type": "dynamics", "duration": 1})", "output.step=0.1"});
      errors[k] = difference(run, "motor.force", [&](double t) { return motor.torque(t); });
    }
    CAPTURE(errors[0]);
    CHECK(errors[0] < 0.02);
    CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(method.order).epsilon(0.15));
  }
}

TEST_CASE("a crane with a slow cylinder: controlled methods hold their tolerance in every view") {
  const std::string crane = example("actuator_with_lag");
  const std::vector<std::string> common = {R"(analysis={"type": "dynamics", "duration": 1})",
                                           R"(output={"step": 0.02, "channels": ["boom", "load", "cylinder"]})"};
  const Table exact = results(crane, common);
  struct Controlled {
    const char* keys;
    const char* view;
    double bound;
  };
  // The cylinder's 16 kN vary by 5 kN; low orders let global errors grow with tol^(p / (p + 1)).
  for (const Controlled& method :
       {Controlled{R"("type": "rosenbrock_nystrom")", partitioned, 1e-5},
        Controlled{R"("type": "rodas43")", partitioned, 1e-5}, Controlled{R"("type": "sdirk4")", partitioned, 2e-5},
        Controlled{R"("type": "trapezoidal")", partitioned, 1e-3}, Controlled{R"("type": "bdf")", partitioned, 1e-3},
        Controlled{R"("type": "hht")", index_3, 1e-3}, Controlled{R"("type": "hht")", partitioned, 1e-3}}) {
    CAPTURE(method.keys);
    std::vector<std::string> set = common;
    set.push_back(method.view);
    set.push_back(std::string("integrator={") + method.keys + R"(, "rtol": 1e-6, "atol": 1e-8})");
    const Table run = results(crane, set);
    for (const char* name : {"load.x", "load.wy", "boom.vz", "cylinder.force"}) {
      CAPTURE(name);
      CHECK(difference(run[name], exact[name]) < method.bound * largest(exact[name]));
    }
  }
}

TEST_CASE("a state that is stiff by itself: implicit methods step over it, as if the force had no lag") {
  // A lag of 1 microsecond beside motions of seconds: with M = u0 - k omega, omega = u0/k (1 - exp(-k t / J)).
  const Motor motor;
  for (const auto& [keys, view] : {std::pair{R"("type": "rodas43")", partitioned},
                                   {R"("type": "sdirk4")", partitioned},
                                   {R"("type": "bdf")", partitioned},
                                   {R"("type": "hht")", index_3}}) {
    CAPTURE(keys);
    const Table run = results(plugin_case("forces/actuator", "actuator_planar"),
                              {view, std::string("integrator={") + keys + R"(, "rtol": 1e-6, "atol": 1e-8})",
                               "system.forces.motor.lag=1e-6", R"(analysis={"type": "dynamics", "duration": 2})"});
    const double off = difference(
        run, "wheel.omega", [&](double t) { return motor.u0 / motor.k * (1 - std::exp(-motor.k * t / motor.J)); });
    CHECK(off < 1e-3);
  }
}
