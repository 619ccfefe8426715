// What elements keep of an accepted step and see of it: a slider that yields, against harmonic pieces put together; a pin
// whose friction follows its reaction, against its own equation.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "process.h"
#include "table.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"
#include "yielding_slider.h"

using namespace trammel;

namespace {

const std::string folder = TRAMMEL_BUILD_DIR "/tests/accepted_step";
const std::string cases = TRAMMEL_SOURCE_DIR "/sdk/examples/acme_dynamics/friction/cases/";

SimulationOptions options(const std::vector<std::string>& set) {
  return {set, {TRAMMEL_BUILD_DIR "/lib/trammel/plugins", folder}};
}

Table run_of(const std::string& file, const std::vector<std::string>& set, std::string* summary = nullptr) {
  const std::string out = std::string(TRAMMEL_BUILD_DIR) + "/tests/accepted_step_run";
  Simulation run(cases + file, options(set));
  run.write_results(out);
  REQUIRE_MESSAGE(run.run() == RunStatus::completed, run.message());
  if (summary != nullptr) *summary = run.summary_json();
  return Table(out + "/results.csv");
}

}  // namespace

TEST_CASE("a slider that yields: its place is kept over steps of every view, and rows inside steps see the right one") {
  YieldingSlider exact;
  exact.begin(0, 3);
  exact.follow(3);
  CHECK(exact.pieces.size() > 6);
  struct Method {
    const char* set;
    double bound;
  };
  for (const Method& method :
       {Method{"integrator.rtol=1e-10", 1e-7}, Method{"formulation.type=\"coordinate_partitioning\"", 1e-7},
        Method{R"(integrator={"type": "rk4", "step": 0.005, "step_check": false})", 2e-5},
        Method{R"(integrator={"type": "ddeabm", "rtol": 1e-9, "atol": 1e-11})", 1e-6},
        Method{R"(integrator={"type": "radau_iia", "rtol": 1e-9, "atol": 1e-11})", 1e-6}}) {
    CAPTURE(method.set);
    const Table run = run_of("jenkins.json", {method.set});
    const auto times = run["t"], place = run["mass.x"];
    double worst = 0;
    for (std::size_t i = 0; i < times.size(); ++i) worst = std::max(worst, std::abs(place[i] - exact.place(times[i])));
    CHECK(worst < method.bound);
  }
}

TEST_CASE("a checkpoint keeps what elements keep: the run that goes on has the bits of the whole one") {
  const std::string out = std::string(TRAMMEL_BUILD_DIR) + "/tests/accepted_step_checkpoint";
  for (const char* file : {"jenkins.json", "load_friction.json"}) {
    CAPTURE(file);
    std::vector<double> ends[2];
    for (int again = 0; again < 2; ++again) {
      Simulation run(cases + file, options({"output.channels=null"}));
      if (again == 1) run.restart(out + "/checkpoint.json");
      run.write_results(out);
      if (again == 0) {
        run.checkpoint_every(0.35);
        run.advance_to(0.6, Landing::step_end);
        const std::string kept = out + "/kept.json";
        std::filesystem::copy_file(out + "/checkpoint.json", kept, std::filesystem::copy_options::overwrite_existing);
        run.run();
        std::filesystem::copy_file(kept, out + "/checkpoint.json", std::filesystem::copy_options::overwrite_existing);
      } else {
        run.advance_to(0.6, Landing::step_end);
        run.run();
      }
      for (const ConstVectorView part : {run.positions(), run.velocities(), run.accelerations(), run.multipliers()})
        ends[again].insert(ends[again].end(), part.data, part.data + part.size);
    }
    CHECK(ends[0] == ends[1]);
  }
}

TEST_CASE("friction that follows the reaction of the last step: its error halves with the step, and is named") {
  // (J + m l^2) theta'' = -m g l cos(theta) - mu R N tanh(omega / v_s), N = |m (r'' - g)|, by rk4 with small steps.
  constexpr double m = 2, J = 0.1, l = 0.5, g = 9.81, mu_R = 0.3 * 0.05, v_s = 0.2;
  const auto acceleration = [](double angle, double omega) {
    double alpha = 0;
    for (int k = 0; k < 60; ++k) {
      const double x = -l * (alpha * std::sin(angle) + omega * omega * std::cos(angle)),
                   y = l * (alpha * std::cos(angle) - omega * omega * std::sin(angle)) + g;
      alpha = (-m * g * l * std::cos(angle) - mu_R * m * std::hypot(x, y) * std::tanh(omega / v_s)) / (J + m * l * l);
    }
    return alpha;
  };
  double angle = 0, omega = 0;
  constexpr int steps = 20000;
  constexpr double h = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const double a1 = acceleration(angle, omega), w2 = omega + h / 2 * a1, a2 = acceleration(angle + h / 2 * omega, w2),
                 w3 = omega + h / 2 * a2, a3 = acceleration(angle + h / 2 * w2, w3), w4 = omega + h * a3,
                 a4 = acceleration(angle + h * w3, w4);
    angle += h / 6 * (omega + 2 * w2 + 2 * w3 + w4);
    omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  for (const char* method : {"rk4", "heun"}) {
    double errors[2];
    std::string summary;
    for (int k = 0; k < 2; ++k) {
      char set[100];
      std::snprintf(set, sizeof set, R"(integrator={"type": "%s", "step": %.9g})", method, 0.002 / (1 << k));
      const Table run = run_of("load_friction.json", {set}, &summary);
      errors[k] = std::abs(run["rod.phi"].back() - angle);
    }
    CAPTURE(errors[0]);
    CHECK(errors[0] > 1e-6);
    CHECK(errors[0] < 1e-3);
    CHECK(errors[0] / errors[1] == doctest::Approx(2).epsilon(0.1));
    CHECK(
        summary.find("accelerations and multipliers that 'friction' depends on are those of the last accepted step") !=
        std::string::npos);
  }
}

TEST_CASE("analyses without steps refuse or warn") {
  const auto told = [](const char* file, const std::vector<std::string>& set) {
    try {
      Simulation run(cases + file, options(set));
      std::string all;
      for (const std::string& text : run.warnings()) all += text + "\n";
      return all;
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::vector<std::string> newton = {R"(analysis={"type": "equilibrium", "method": "newton"})", "integrator=null",
                                           "formulation=null", "output.step=null"};
  CHECK(told("load_friction.json", newton).find("depends on accelerations or multipliers of the last accepted step") !=
        std::string::npos);
  const std::vector<std::string> at_rest = {R"(analysis={"type": "quasi_static", "duration": 1})", "integrator=null",
                                            "formulation=null", "system.bodies.mass.velocity=null"};
  CHECK(told("jenkins.json", at_rest).find("'slider' (type 'acme.jenkins') keeps a memory that follows the rates") !=
        std::string::npos);
  CHECK(told("jenkins.json", newton).find("keeps what it was at the start while an equilibrium is looked for") !=
        std::string::npos);
}
