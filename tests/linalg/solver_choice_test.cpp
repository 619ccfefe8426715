// Which linear solver a run gets: named in one of two ways, or chosen by declared structure and cost.
#include <doctest/doctest.h>

#include "finished_run.h"
#include "loaded_model.h"
#include "trammel/error.h"
#include "trammel/extensions/least_solver_cost.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
const std::filesystem::path strangers = std::filesystem::path(TRAMMEL_BUILD_DIR) / "tests/cheap_solvers";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string summary_of(const std::filesystem::path& file, const std::vector<std::string>& sets, bool with_strangers) {
  std::vector<std::string> all = {"analysis.duration=0.02"};
  all.insert(all.end(), sets.begin(), sets.end());
  std::vector<std::filesystem::path> folders;
  if (with_strangers) folders.push_back(strangers);
  Simulation simulation(file, {all, folders});
  REQUIRE(simulation.run() == RunStatus::completed);
  return simulation.summary_json();
}

std::string solver_of(const std::string& summary) {
  const std::string key = "\"linear_solver\": \"", plugin = "\"linear_solver_plugin\": \"";
  const auto text = [&](const std::string& before) {
    const std::size_t at = summary.find(before);
    REQUIRE(at != std::string::npos);
    return summary.substr(at + before.size(), summary.find('"', at + before.size()) - at - before.size());
  };
  return text(key) + " of " + text(plugin);
}

std::string message_of(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  try {
    Simulation(file, {sets, {strangers}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::string rod_without_inertia = R"json("type": "spatial",
  "bodies": { "rod": { "mass": 1, "inertia": [0, 0.0833, 0.0833], "position": [0.5, 0, 0] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0, 0], "axis": [0, 1, 0] } })json";

}  // namespace

TEST_CASE("the summary names the linear solver and its plugin, however it was named") {
  const auto file = examples / "slider_crank.json";
  CHECK(solver_of(summary_of(file, {}, false)) == "range_space of range_space");
  CHECK(solver_of(summary_of(file, {"analysis.solver=auto"}, false)) == "range_space of range_space");
  for (const std::string solver : {"dense", "sparse", "range_space"}) {
    CHECK(solver_of(summary_of(file, {"analysis.solver=" + solver}, false)) == solver + " of " + solver);
    CHECK(solver_of(summary_of(file, {R"(analysis.solver={"type":")" + solver + "\"}"}, false)) ==
          solver + " of " + solver);
  }
  CHECK(solver_of(summary_of(system_file(rod_without_inertia), {}, false)) == "sparse of sparse");
  // Without rows the range space costs nothing.
  const std::string free = R"json("type": "planar", "bodies": { "stone": { "mass": 1, "inertia": 1 } })json";
  CHECK(solver_of(summary_of(system_file(free), {}, false)) == "range_space of range_space");
}

TEST_CASE("auto takes the cheapest of those that declare a cost and take the model, the first by name of equal ones") {
  const auto file = examples / "slider_crank.json";
  const std::string summary = summary_of(file, {}, true);
  // On a model of rigid bodies only, the one that needs bodies of one kind declares the least.
  CHECK(solver_of(summary) == "test.unlike of cheap_solvers");
  for (const auto& [solver, cost] : {std::pair("test.no_number", "nan"), std::pair("test.endless", "inf")}) {
    CAPTURE(solver);
    CHECK(contains(summary, "passes over a linear solver: '" + std::string(solver) + "' cannot be used: its cost is " +
                                cost + ", and a cost is a finite number of 0 or more"));
  }
  for (const std::string silent : {"test.silent", "test.refusing", "test.asks"})
    CHECK_FALSE(contains(summary, "linear solver '" + silent));
  const auto mixed = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "plugins/systems/spatial/cases/point_masses.json";
  CHECK(solver_of(summary_of(mixed, {}, true)) == "test.first_by_name of cheap_solvers");
}

TEST_CASE("solvers that auto passes over can be named, with keys") {
  const auto file = examples / "slider_crank.json";
  CHECK(solver_of(summary_of(file, {"analysis.solver=test.silent"}, true)) == "test.silent of cheap_solvers");
  CHECK(solver_of(summary_of(file, {R"(analysis.solver={"type":"test.asks","scale":2})"}, true)) ==
        "test.asks of cheap_solvers");
  CHECK(contains(message_of(file, {"analysis.solver=test.asks"}), "missing key 'scale'"));
  CHECK(contains(message_of(file, {R"(analysis.solver={"type":"test.cheap","scale":0.5})"}), "/analysis/solver/scale"));
}

TEST_CASE("a named solver that does not take the model is refused where it is named") {
  const std::string regular = message_of(system_file(rod_without_inertia), {"analysis.solver=range_space"});
  CHECK(contains(regular, "/analysis/solver"));
  CHECK(contains(regular, "'range_space' needs bodies of regular inertia; use \"auto\" or another solver"));
  CHECK(contains(message_of(examples / "slider_crank.json", {"analysis.solver=test.refusing"}),
                 "'test.refusing' cannot analyse the model: it does not like this model"));
  const auto mixed = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "plugins/systems/spatial/cases/point_masses.json";
  CHECK(contains(message_of(mixed, {"analysis.solver=test.unlike"}),
                 "needs rigid bodies only, and the model has point masses"));
}

TEST_CASE("the same factorization from another library gives the same bits, also where rows cannot be kept") {
  const auto file = examples / "slider_crank.json";
  const auto end = [&](const std::string& solver) {
    Simulation simulation(file, {{"analysis.duration=0.2", "analysis.solver=" + solver}, {strangers}});
    REQUIRE(simulation.run() == RunStatus::completed);
    return simulation.channel_values();
  };
  const auto expected = end("dense");
  for (const std::string solver : {"test.cheap", "test.forgetful"}) {
    CAPTURE(solver);
    const auto found = end(solver);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == expected[i]);
  }
}

TEST_CASE("what sparse says before its analysis is no more than what it says after it") {
  const auto configs = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs";
  for (const char* file : {"examples/slider_crank.json", "examples/planar_four_bar.json",
                           "benchmarks/revolute_chain_64.json", "benchmarks/planar_chain_64.json"}) {
    CAPTURE(file);
    const LoadedModel m(configs / file, {"analysis.solver=sparse"});
    const ModelKkt& kkt = m.numbers.parts().kkt;
    const auto& solver = kkt.mass_solver().as<KktSolver>();
    const auto* cost = find_extension<LinearSolverCost>(solver);
    const auto* least = find_extension<LeastSolverCost>(solver);
    REQUIRE(cost != nullptr);
    REQUIRE(least != nullptr);
    CHECK(least->least_cost(kkt.matrix()) > 0);
    CHECK(least->least_cost(kkt.matrix()) <= cost->cost());
  }
}
