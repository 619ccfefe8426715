// The step loop allocates nothing, and the engine's bookkeeping around it.
#include <doctest/doctest.h>

#include "allocation_counter.h"
#include "loaded_model.h"
#include "trammel/simulation.h"

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

TEST_CASE("no step allocates: every integrator, every formulation, both hosts, both solvers") {
  if (!allocations_are_counted) return;
  const std::vector<std::string> integrators = {
      R"(integrator={"type":"dopri5","rtol":1e-8,"atol":1e-10})", R"(integrator={"type":"dopri853","rtol":1e-8,"atol":1e-10})",
      R"(integrator={"type":"rk4","step":0.002})", R"(integrator={"type":"adams","order":4,"step":0.001})"};
  const std::vector<std::string> formulations = {
      R"(formulation={"type":"direct"})", R"(formulation={"type":"baumgarte","alpha":10})",
      R"(formulation={"type":"projection"})", R"(formulation={"type":"projection","weights":"identity","every":2})"};
  for (const char* file : {"slider_crank.json", "planar_four_bar.json"}) {
    for (const char* solver : {"analysis.solver=dense", "analysis.solver=range_space"}) {
      for (const std::string& integrator : integrators) {
        for (const std::string& formulation : formulations) {
          CAPTURE(file);
          CAPTURE(solver);
          CAPTURE(integrator);
          CAPTURE(formulation);
          Simulation simulation(examples / file, with({integrator, formulation, solver, "analysis.constraint_limit=1"}));
          for (int k = 0; k < 3; ++k) REQUIRE(simulation.step());
          const long before = allocation_count;
          for (int k = 0; k < 20; ++k) simulation.step();
          CHECK(allocation_count - before == 0);
          CHECK(simulation.message() == "");
        }
      }
    }
  }
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
