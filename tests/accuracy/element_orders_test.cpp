// Order matrix of the elements: every shipped constraint and force, in its own cases, under two integrators.
//
// Fixed steps under `direct`, which corrects nothing: an element whose derivatives do not belong to its rows would show
// as a lower order or a wrong limit. The limit is dopri853 with controlled steps at rtol 1e-13. Steps are halved until
// the error is down to rounding; the order is that of check/order_windows.h, of the finest two halvings that agree.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "check/order_windows.h"
#include "process.h"
#include "shipped_elements.h"
#include "trammel/host/simulation.h"

namespace trammel {
namespace {

struct Method {
  std::string name;
  const char* json;  ///< without the step
  double claimed;
};
const Method methods[] = {
    {"rk4", R"("type": "rk4")", 4},
    {"adams 3 pece", R"("type": "adams", "order": 3, "mode": "pece", "start": "runge_kutta")", 4},
};

/// How a case is looked at where the defaults do not fit.
struct Window {
  double duration;
  std::vector<std::string> set;  ///< changes of the case
};
constexpr double usual_duration = 0.25;
const std::map<std::string, Window> windows = {
    // Before the first knot: the curve's third derivative jumps there, and with it the order of any step across it.
    {"point_on_spline", {0.2, {}}},
    {"point_on_spline_planar", {0.015, {}}},
    // The angle moves, as it does from 0.5 s on in the case.
    {"coordinate_driver_phi", {0.25, {"system.constraints.swing.function.begin=0"}}},
    // From within the buffer, and before the bar meets the table.
    {"stop_planar", {0.01, {"system.bodies.sledge.position=[0.31, 0]"}}},
    {"stop", {0.1, {}}},
    // A spring on the way to the limit: falling freely is exact.
    {"joint_impact_planar",
     {0.25,
      {R"(system.forces={"spring": {"type": "tsda", "bodies": ["ground", "slider"], "point_i": [9, 0], "stiffness": 20}})"}}},
    // Within the limit, in the linear part of the command, and below the limit of force.
    {"joint_limit_planar", {0.01, {"system.forces.limit.lower=0.05"}}},
    {"motor_planar", {0.1, {}}},
    {"servo_planar", {0.25, {"system.forces.drive.minimum=-100", "system.forces.drive.maximum=100"}}},
    // A top of 150 rad/s.
    {"in_plane", {0.05, {}}},
    // Slow: a quarter of a second is exact after eight steps.
    {"aerodynamic_drag", {2, {}}},
    // From within the spring, and out of its axis: the free flight that the case starts with is exact.
    {"tsda_planar", {0.02, {"system.bodies.ball.position=[0.02, 0.06]"}}},
};

std::vector<double> end_values(const std::filesystem::path& file, const std::vector<std::string>& set) {
  Simulation simulation(file, {set, {}});
  const RunStatus status = simulation.run();
  if (status != RunStatus::completed) throw std::runtime_error(simulation.message());
  return simulation.channel_values();
}

/// Largest difference, relative to the largest value (at least 1).
double error_of(const std::vector<double>& obtained, const std::vector<double>& expected) {
  double error = 0, scale = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error = std::max(error, std::abs(obtained[i] - expected[i]));
    scale = std::max(scale, std::abs(expected[i]));
  }
  return error / scale;
}

std::vector<std::string> settings(const std::filesystem::path& file) {
  const auto found = windows.find(file.stem().string());
  const double duration = found != windows.end() ? found->second.duration : usual_duration;
  std::string bodies;
  for (const Section& body : load_run_file(file).bodies) bodies += (bodies.empty() ? "\"" : ", \"") + body.name + "\"";
  std::vector<std::string> set = {"analysis.constraint_limit=1", "analysis.duration=" + std::to_string(duration),
                                  R"(formulation={"type": "direct"})", "output={\"channels\": [" + bodies + "]}"};
  if (found != windows.end()) set.insert(set.end(), found->second.set.begin(), found->second.set.end());
  return set;
}

conformance::MeasuredOrder measure(const std::filesystem::path& file, const Method& method,
                                   const std::vector<std::string>& set, const std::vector<double>& expected) {
  constexpr conformance::OrderRange range{8, 8192, 1e-13};
  const double duration = load_run_file(file, set).analysis.duration;
  return conformance::measure_order(range, [&](int steps) {
    char step[64];
    std::snprintf(step, sizeof step, ", \"step\": %.17g}", duration / steps);
    std::vector<std::string> own = set;
    own.push_back("integrator={" + std::string(method.json) + step);
    try {
      return error_of(end_values(file, own), expected);
    } catch (const std::exception&) {  // runs that blow up end with an error: the first steps may be far too long
      if (steps > 64) throw;
      return static_cast<double>(INFINITY);
    }
  });
}

void check_orders(const std::filesystem::path& file) {
  const std::vector<std::string> set = settings(file);
  std::vector<std::string> tight = set;
  tight.push_back(R"(integrator={"type": "dopri853", "rtol": 1e-13, "atol": 1e-14})");
  const std::vector<double> expected = end_values(file, tight);
  for (const Method& method : methods) {
    CAPTURE(method.name);
    const conformance::MeasuredOrder m = measure(file, method, set, expected);
    std::printf("%-42s %-14s %7g %8.2f %6.2f %.1e %d\n", file.stem().c_str(), method.name.c_str(), method.claimed,
                m.coarse, m.fine, m.error, m.steps);
    CAPTURE(m.coarse);
    CAPTURE(m.fine);
    CAPTURE(m.windows);
    CHECK(m.confirms(method.claimed));
  }
}

TEST_CASE("every element reaches the order of two integrators in its plain case") {
  std::set<std::filesystem::path> done;
  std::printf("%-42s %-14s claimed measured twice error   steps\n", "case", "integrator");
  for (const ShippedElement& element : shipped_elements()) {
    // The one with the shortest name: others lead through limits and impacts, where no order is to be had.
    const auto plain = std::min_element(element.cases.begin(), element.cases.end(), [](const auto& a, const auto& b) {
      return a.stem().string().size() < b.stem().string().size();
    });
    if (plain == element.cases.end() || !done.insert(*plain).second) continue;
    CAPTURE(plain->string());
    try {
      check_orders(*plain);
    } catch (const std::exception& error) {
      FAIL_CHECK(std::string(error.what()));
    }
  }
}

}  // namespace
}  // namespace trammel
