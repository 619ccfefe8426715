// The engine's bookkeeping around the step loop; no_allocation_test.cpp: the loop allocates nothing.
#include <doctest/doctest.h>

#include "allocation_counter.h"
#include "loaded_model.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
const SimulationOptions built{{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};

SimulationOptions with(std::vector<std::string> sets) {
  SimulationOptions options = built;
  options.set = std::move(sets);
  return options;
}

}  // namespace

TEST_CASE("the sparse solver allocates only where it chooses new pivots") {
  if (!allocations_are_counted) return;
  LoadedModel loaded(examples / "slider_crank.json", {"analysis.solver=sparse"});
  std::vector<double> a(loaded.q.size()), lambda(static_cast<std::size_t>(loaded.numbers.constraints()));
  long before = 0;
  for (int k = 0; k < 20; ++k) {
    if (k == 1) before = allocation_count;
    loaded.q[0] += 1e-4;
    REQUIRE(loaded.evaluate(evaluate_dynamics));
    REQUIRE(loaded.numbers.factorize(ProjectionWeights::mass));
    REQUIRE(loaded.numbers.solve(loaded.numbers.Q(), loaded.numbers.gamma(), LoadedModel::view(a),
                                 LoadedModel::view(lambda)));
  }
  CHECK(allocation_count == before);
}

TEST_CASE("fixed steps end at the end, also where the duration is no multiple of the step") {
  Simulation even(examples / "slider_crank.json",
                  with({R"(integrator={"type":"rk4","step":0.001})", "analysis.duration=0.1"}));
  CHECK(even.run() == RunStatus::completed);
  CHECK(even.time() == 0.1);
  Simulation odd(examples / "slider_crank.json",
                 with({R"(integrator={"type":"rk4","step":0.003})", "analysis.duration=0.1"}));
  CHECK(odd.run() == RunStatus::completed);
  CHECK(odd.time() == 0.1);
}

TEST_CASE("two simulations in turn do not disturb each other") {
  const auto options = with({"analysis.duration=0.5"});
  Simulation alone(examples / "slider_crank.json", options);
  alone.run();
  Simulation first(examples / "slider_crank.json", options), second(examples / "planar_four_bar.json", options);
  bool more = true, other = true;
  while (more || other) {
    more = more && first.step();
    other = other && second.step();
  }
  for (Index i = 0; i < alone.positions().size; ++i) CHECK(first.positions()[i] == alone.positions()[i]);
}

TEST_CASE("methods on an equidistant grid end at the end too, on their interpolant") {
  const std::vector<std::string> sets = {R"(integrator={"type":"adams","order":4,"step":0.003})",
                                         "analysis.duration=0.1"};
  Simulation adams(examples / "slider_crank.json", with(sets));
  CHECK(adams.run() == RunStatus::completed);
  CHECK(adams.time() == 0.1);
  Simulation reference(examples / "slider_crank.json", with({"analysis.duration=0.1"}));
  reference.run();
  // Fourth-order method with h = 0.003 after a low-order start.
  for (Index i = 0; i < adams.positions().size; ++i) {
    CHECK(adams.positions()[i] == doctest::Approx(reference.positions()[i]).epsilon(1e-5));
  }
}

TEST_CASE("turns are counted whatever the tolerance: steps stay short enough, fixed ones warn") {
  const std::filesystem::path file = temporary_run_file(
      R"({"trammel": 1, "system": {"type": "spatial", "bodies": {"wheel": {"mass": 1, "inertia": [1, 1, 1],
      "position": [0, 0, 0], "angular_velocity": [0, 0, 30]}}, "constraints": {"pin": {"type": "revolute",
      "bodies": ["ground", "wheel"], "at": [0, 0, 0], "axis": [0, 0, 1]}}},
      "analysis": {"type": "dynamics", "duration": 10}, "formulation": {"type": "direct"},
      "integrator": {"type": "dopri853", "rtol": 1e-3, "atol": 1e-3}, "output": {"channels": ["pin.angle"]}})");
  Simulation adaptive(file, built);
  CHECK(adaptive.run() == RunStatus::completed);
  // The tolerance is loose on purpose: the turns must be right, not the fraction of the last one.
  CHECK(std::abs(adaptive.channel_values()[0] - 300) < 1);
  Simulation fixed(file, with({R"(integrator={"type":"rk4","step":0.2})"}));
  fixed.run();
  CHECK(fixed.summary_json().find("may lose count of the turns") != std::string::npos);
}

TEST_CASE("the last row of results.csv is the end of the run") {
  const TemporaryFolder folder;
  Simulation simulation(examples / "slider_crank.json", with({"analysis.duration=1", "output.step=0.3"}));
  simulation.write_results(folder.path());
  simulation.run();
  std::ifstream csv(folder.path() / "results.csv");
  std::vector<std::string> times;
  for (std::string line; std::getline(csv, line);) times.push_back(line.substr(0, line.find(',')));
  CHECK(times.size() == 6);
  CHECK(times.back() == "1");
}
