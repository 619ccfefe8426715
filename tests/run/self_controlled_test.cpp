// The step loop around methods that choose their own steps: goals, limits of the step, restarts, refusals, advice.
#include <doctest/doctest.h>

#include "finished_run.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";

std::filesystem::path pendulum(const std::string& integrator) {
  return temporary_run_file(R"({"trammel": 1, "system": {"type": "pendulum_angle"},
    "analysis": {"type": "dynamics", "duration": 3}, "integrator": )" +
                            integrator + "}");
}

std::string refusal(const std::string& integrator) {
  try {
    Simulation simulation(pendulum(integrator), with_sets());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

/// Times of all steps.
std::vector<double> times(Simulation& simulation) {
  std::vector<double> result{simulation.time()};
  while (simulation.step()) result.push_back(simulation.time());
  CHECK(simulation.message() == "");
  return result;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the run ends at its end, whatever the steps are") {
  for (const char* integrator : {R"({"type": "ddeabm"})", R"({"type": "ddeabm", "rtol": 1e-11, "atol": 1e-12})"}) {
    Simulation simulation(pendulum(integrator), with_sets());
    CHECK(times(simulation).back() == 3);
  }
}

TEST_CASE("first and largest step are obeyed") {
  Simulation simulation(pendulum(R"({"type": "ddeabm", "initial_step": 1e-5, "max_step": 0.01})"), with_sets());
  const std::vector<double> t = times(simulation);
  CHECK(t[1] <= 1e-5);
  double longest = 0;
  for (std::size_t i = 1; i < t.size(); ++i) longest = std::max(longest, t[i] - t[i - 1]);
  CHECK(longest <= 0.01 * (1 + 1e-12));
  CHECK(longest > 0.0099);
}

TEST_CASE("steps below the smallest end the run and name the dominant component") {
  Simulation simulation(pendulum(R"({"type": "ddeabm", "rtol": 1e-10, "atol": 1e-12, "min_step": 0.05})"), with_sets());
  CHECK(simulation.run() == RunStatus::failed);
  CHECK(contains(simulation.message(), "the step size fell below 0.05"));
  CHECK(contains(simulation.message(), "'theta' has the dominant error"));
}

TEST_CASE("a smallest step does not object to a rest that is shorter") {
  // 3 s is no multiple of the largest step: the last ones are shorter than min_step.
  Simulation simulation(
      pendulum(R"({"type": "dopri5", "rtol": 0.01, "atol": 0.01, "initial_step": 0.07, "min_step": 0.069,
                                     "max_step": 0.07})"),
      with_sets());
  CHECK(times(simulation).back() == 3);
}

TEST_CASE("what these methods cannot honour is refused") {
  CHECK(contains(refusal(R"({"type": "ddeabm", "step": 0.01})"), "/integrator/step: 'ddeabm' chooses its own steps"));
  CHECK(
      contains(refusal(R"({"type": "ddeabm", "safety": 0.8})"), "/integrator/safety: 'ddeabm' chooses its own steps"));
  CHECK(contains(refusal(R"({"type": "ddeabm", "controller": "pi"})"), "/integrator/controller"));
  CHECK(contains(refusal(R"({"type": "ddeabm", "max_order": 13})"), "max_order"));
}

TEST_CASE("tolerances below rounding end the run with advice") {
  const std::filesystem::path file = pendulum(R"({"type": "ddeabm", "rtol": 1e-17, "atol": 0})");
  bool refused = false;
  try {
    Simulation simulation(file, with_sets({"system.angle=1"}));
    refused = simulation.run() == RunStatus::failed && contains(simulation.message(), "enlarge them");
  } catch (const Error& error) {
    refused = contains(error.what(), "rtol");
  }
  CHECK(refused);
}

TEST_CASE("a force that jumps acts from there on: the method restarts at the break point") {
  FinishedRun run(
      temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
    "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": {"type": "piecewise",
    "breaks": [0.5], "jumps": true, "pieces": [0, 20]}}}}, "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "direct"}, "integrator": {"type": "ddeabm", "rtol": 1e-9, "atol": 1e-9}})"));
  // v(1) = 20 * 0.5, x(1) = 20 * 0.5^2 / 2: polynomials, which the method takes as they are.
  CHECK(run.channel("b.vx") == doctest::Approx(10).epsilon(1e-12));
  CHECK(run.channel("b.x") == doctest::Approx(2.5).epsilon(1e-9));
  CHECK(contains(run.simulation.summary_json(), "\"restarts\": 1"));
}

TEST_CASE("outputs before a restart come from the history that it drops") {
  const std::string text = R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1,
    "velocity": [1, 0]}}, "forces": {"spring": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [-1, 0],
    "point_j": [0, 0], "stiffness": 1, "free_length": 1}, "idle": {"type": "applied_force", "body": "b", "force": [1, 0],
    "function": {"type": "piecewise", "breaks": [1.5], "jumps": true, "pieces": [0, 0]}}}},
    "analysis": {"type": "dynamics", "duration": 1.5}, "formulation": {"type": "direct"},
    "integrator": {"type": "ddeabm", "rtol": 1e-10, "atol": 1e-10}})";
  Simulation simulation(temporary_run_file(text), with_sets());
  struct Largest final : ChannelObserver {
    void sample(At, double t, double, ConstVectorView values) override {
      error = std::max(error, std::abs(values[0] - std::sin(t)));
    }
    double error = 0;
  } largest;
  std::vector<double> asked;
  for (int i = 1; i < 300; ++i) asked.push_back(0.005 * i);
  simulation.watch({"b.x"}, asked, largest);
  CHECK(simulation.run() == RunStatus::completed);
  CHECK(largest.error < 1e-8);  // 1e-10 per step; the cubic Hermite polynomial would be off by 1e-5
}

TEST_CASE("stiffness becomes a warning with advice") {
  FinishedRun run(
      temporary_run_file(R"({"trammel": 1, "system": {"type": "vibration", "omega": 1000, "damping_ratio": 3,
    "position": 1}, "analysis": {"type": "dynamics", "duration": 1}, "integrator": {"type": "ddeabm"}})"));
  CHECK(contains(run.simulation.summary_json(), "the problem looks stiff"));
  FinishedRun easy(pendulum(R"({"type": "ddeabm"})"));
  CHECK_FALSE(contains(easy.simulation.summary_json(), "stiff"));
}
