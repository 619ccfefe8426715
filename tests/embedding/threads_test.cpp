// Simulations in several threads of one program: the bits of separate runs, and failures that name their own plugin.
#include <doctest/doctest.h>

#include <functional>
#include <latch>
#include <memory>
#include <thread>

#include "embedded.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

struct Case {
  const char* file;
  std::vector<std::string> set;
};

/// Explicit and implicit methods, every view and solver, events, and the same plugins twice.
const std::vector<Case> cases = {
    {"slider_crank", {R"(integrator={"type":"dopri5","rtol":1e-8,"atol":1e-10})"}},
    {"slider_crank", {R"(integrator={"type":"adams","order":3,"step":0.001})"}},
    {"heavy_top", {R"(integrator={"type":"hht","step":0.001})", R"(formulation={"type":"coordinate_partitioning"})"}},
    {"spatial_four_bar", {R"(formulation={"type":"coordinate_partitioning"})"}},
    {"spatial_four_bar",
     {R"(formulation={"type":"coordinate_partitioning"})", R"(integrator={"type":"rodas43","rtol":1e-6,"atol":1e-8})"}},
    {"bouncing_ball", {}},
    {"actuator_with_lag", {}},
    {"chain_64", {"analysis.solver=sparse"}},
};
constexpr int steps = 60;

/// States of the first steps, one after another; a message where it fails.
struct Outcome {
  std::vector<double> states;
  std::string failure;
};

Outcome history(const Case& c) {
  Outcome outcome;
  try {
    Simulation simulation(std::filesystem::path(example(c.file)), options(c.set));
    for (int i = 0; i < steps && simulation.step(); ++i) {
      const std::vector<double> now = whole_state(simulation);
      outcome.states.insert(outcome.states.end(), now.begin(), now.end());
    }
  } catch (const Error& error) {
    outcome.failure = error.what();
  }
  return outcome;
}

/// All at the same time, each in a thread of its own.
void at_once(const std::vector<std::function<void()>>& work) {
  std::latch start(static_cast<std::ptrdiff_t>(work.size()));
  std::vector<std::thread> threads;
  for (const std::function<void()>& call : work) {
    threads.emplace_back([&start, &call] {
      start.arrive_and_wait();
      call();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("eight simulations in eight threads give the bits of eight separate runs") {
  std::vector<Outcome> together(cases.size());
  std::vector<std::function<void()>> work;
  for (std::size_t k = 0; k < cases.size(); ++k) work.emplace_back([&, k] { together[k] = history(cases[k]); });
  at_once(work);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(cases[k].file);
    const Outcome alone = history(cases[k]);
    CHECK(alone.failure == "");
    CHECK(together[k].failure == "");
    CHECK(alone.states.size() > 100);
    CHECK(same_bits(alone.states, together[k].states));
  }
}

TEST_CASE("a failing plugin is named by its own thread") {
  const std::string misbehaving = std::string(TRAMMEL_BUILD_DIR) + "/tests/plugin_fixtures/misbehaving";
  const auto failure = [&](const std::string& type) {
    SimulationOptions with = options();
    with.plugin_path.emplace_back(misbehaving);
    RunDescription described = pushed_mass();
    described.set("system.forces.push.function", Value::object({{"type", type.c_str()}}));
    try {
      Simulation simulation(described, with);
      simulation.run();
      return simulation.message();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  std::vector<std::string> said(4);
  std::vector<Outcome> right(4);
  std::vector<std::function<void()>> work;
  for (std::size_t k = 0; k < said.size(); ++k) {
    work.emplace_back([&, k] { said[k] = failure(k % 2 == 0 ? "throws_late" : "not_a_number"); });
    work.emplace_back([&, k] { right[k] = history(cases[k]); });
  }
  at_once(work);
  for (std::size_t k = 0; k < said.size(); ++k) {
    CAPTURE(said[k]);
    CHECK(said[k].find("plugin 'misbehaving'") != std::string::npos);
    CHECK(right[k].failure == "");
  }
}
