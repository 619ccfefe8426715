// Iterations that do not converge end the run and say when, in which step, by how much and where: every iterative
// method of second-order and index-3 systems with a step that is much too long.
#include <doctest/doctest.h>

#include <string>

#include "finished_run.h"

using namespace trammel;

namespace {

std::string failure(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  Simulation simulation(file, {sets, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(simulation.run() == RunStatus::failed);
  return simulation.message();
}

std::string with(const char* type, const char* rest) {
  return std::string(R"(integrator={"type": ")") + type + "\", " + rest + "}";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

const std::filesystem::path source = TRAMMEL_SOURCE_DIR;

}  // namespace

TEST_CASE("Newton iterations on second-order systems") {
  for (const char* type : {"newmark", "hht", "generalized_alpha", "wilson_theta"}) {
    CAPTURE(type);
    const std::string message = failure(source / "plugins/systems/pendulum_angle/cases/pendulum_angle.json",
                                        {"analysis.duration=100", with(type, "\"step\": 10")});
    CAPTURE(message);
    CHECK(has(message, "the step from t = 0 to 10 failed: positions not converged (last change "));
    CHECK(has(message, ") at 'theta'"));
  }
}

TEST_CASE("fixed-point iterations for velocities, under heavy damping") {
  const std::filesystem::path file = temporary_run_file(R"({"trammel": 1, "system": {"type": "linear",
    "coordinates": ["x"], "mass": 1, "damping": 1000, "stiffness": 4, "position": 1, "velocity": 1},
    "analysis": {"type": "dynamics", "duration": 3}, "integrator": {"type": "euler", "step": 0.1}})");
  for (const char* type :
       {"velocity_verlet", "leapfrog", "beeman", "yoshida4", "central_differences", "conditionally_explicit"}) {
    CAPTURE(type);
    const std::string message = failure(file, {with(type, "\"step\": 0.1")});
    CAPTURE(message);
    CHECK(has(message, "the step from t = 0 to 0.1 failed: velocities not converged (last change "));
    CHECK(has(message, ") at 'x'"));
  }
}

TEST_CASE("models: the body that moves most, its joints, and the constraint that is off most") {
  for (const char* type : {"newmark", "hht", "generalized_alpha"}) {
    CAPTURE(type);
    const std::string message = failure(source / "configs/examples/slider_crank.json",
                                        {"formulation=null", "analysis.duration=300", with(type, "\"step\": 30")});
    CAPTURE(message);
    CHECK(has(message, "the step from t = 0 to 30 failed: positions not converged (last change "));
    CHECK(has(message, " of body 'crank', held by 'pin', 'knee' and constraint row '"));
    CHECK(has(message, "', which is off most, by "));
  }
  for (const char* type : {"rattle", "conditionally_explicit"}) {  // their predictions are so far off that Phi decides
    CAPTURE(type);
    const std::string message = failure(source / "configs/examples/slider_crank.json",
                                        {"formulation=null", "analysis.duration=300", with(type, "\"step\": 30")});
    CAPTURE(message);
    CHECK(has(message, "the step from t = 0 to 30 failed: position"));
    CHECK(has(message, " not converged (last change "));
    CHECK(has(message, "constraint row '"));
    CHECK(has(message, "', which is off most, by "));
  }
}

TEST_CASE("reduced models: the constraint that its coordinates cannot satisfy") {
  const std::string message = failure(source / "configs/examples/slider_crank.json",
                                      {R"(formulation={"type": "coordinate_partitioning"})", "analysis.duration=300",
                                       with("generalized_alpha", "\"step\": 3")});
  CAPTURE(message);
  CHECK(has(message, "the step from t = 0 to 3 failed: dependent coordinates not converged (last change "));
  CHECK(has(message, ") at constraint row '"));
}
