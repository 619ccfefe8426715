// What an observer inside steps sees where something jumps at a break point: the value before it at the end of the step, the
// value behind it from there on.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "loaded_model.h"
#include "trammel/host/step_observer.h"

using namespace trammel;

namespace {

/// The integral of a channel by the trapezoidal rule over ends of steps on both sides.
struct Sides final : StepObserver {
  Sides(const std::string& text, const std::string& channel) {
    Simulation simulation(temporary_run_file(text), {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    simulation.watch({channel}, {}, *this);
    CHECK(simulation.run() == RunStatus::completed);
    CHECK(simulation.message() == "");
  }
  void inside(double, double to, const Look& look) override {
    const double* value = look(to);
    REQUIRE(value != nullptr);
    add(to, *value);
    end = to;
  }
  void sample(At at, double t, double, ConstVectorView values) override {
    if (at != At::step && at != At::start) return;
    if (at == At::step && t == end && std::abs(values[0] - last) > 1e-6) jumps.push_back(t);
    add(t, values[0]);
  }
  void add(double t, double value) {
    integral += 0.5 * (t - last_t) * (value + last);
    last_t = t, last = value;
  }
  double integral = 0, last_t = 0, last = 0, end = -1;
  std::vector<double> jumps;
};

constexpr const char* twice = R"({ "type": "piecewise", "jumps": true, "breaks": [0.31, 0.7], "pieces": [1, 8, -2] })";
constexpr double integral = 0.31 * 1 + 0.39 * 8 + 0.3 * -2;

std::string pushed(const std::string& integrator) {
  return std::string(R"({ "trammel": 2, "system": { "type": "planar", "bodies": { "b": { "mass": 1, "inertia": 1 } },
      "forces": { "push": { "type": "applied_force", "body": "b", "force": [1, 0], "function": )") +
         twice + R"( } } }, "analysis": { "type": "dynamics", "duration": 1 }, "integrator": )" + integrator + " }";
}

void check(const Sides& seen) {
  CHECK(seen.integral == doctest::Approx(integral).epsilon(1e-9));
  REQUIRE(seen.jumps.size() == 2);
  CHECK(seen.jumps[0] == doctest::Approx(0.31));
  CHECK(seen.jumps[1] == doctest::Approx(0.7));
}

}  // namespace

TEST_CASE("accelerations under a force that jumps, by methods of all kinds") {
  for (const char* integrator :
       {R"({ "type": "dopri5" })", R"({ "type": "ddeabm" })", R"({ "type": "rk4", "step": 0.01 })",
        R"({ "type": "radau_iia" })", R"({ "type": "bdf" })", R"({ "type": "trapezoidal" })",
        R"({ "type": "hht", "step": 0.01 })", R"({ "type": "velocity_verlet", "step": 0.01 })",
        R"({ "type": "conditionally_explicit", "step": 0.01 })"}) {
    CAPTURE(integrator);
    check(Sides(pushed(integrator), "b.ax"));
  }
}

TEST_CASE("accelerations of a driver whose second derivative jumps") {
  std::string text = pushed(R"({ "type": "dopri5" })");
  const std::string driven =
      std::string(R"("constraints": { "d": { "type": "coordinate_driver", "body": "b", "coordinate": "x",
      "function": { "type": "integral", "until": 1, "of": { "type": "integral", "until": 1, "of": )") +
      twice + " } } } }";
  text.replace(text.find("\"forces\""), text.find("} } },") + 3 - text.find("\"forces\""), driven);
  check(Sides(text, "b.ax"));
}
