// No step allocates: every integrator that ships, in every view that it takes, every formulation, both hosts, and the
// solvers dense, range_space and articulated; step_loop_test.cpp: sparse allocates where it chooses new pivots.
#include <doctest/doctest.h>

#include "allocation_counter.h"
#include "plugin/host.h"
#include "process.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
const std::string plugins = std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins";
const std::string models[] = {"slider_crank.json", "planar_four_bar.json", "spatial_four_bar.json"};
const std::string solvers[] = {"dense", "range_space", "articulated"};

/// A way to treat a model, and the integrators looked at under it, without the braces.
struct View {
  std::vector<std::string> formulations;
  std::vector<std::string> integrators;
};

#define CONTROLLED R"(, "rtol": 1e-8, "atol": 1e-10)"
#define FIXED R"(, "step": 0.001)"

const View first_order = {
    {R"({"type": "direct"})", R"({"type": "baumgarte", "alpha": 10})", R"({"type": "projection"})",
     R"({"type": "projection", "weights": "identity", "every": 2})",
     // A new partition may allocate: none is looked for here.
     R"({"type": "coordinate_partitioning", "criterion": "condition", "condition_growth": 1e9})",
     R"({"type": "hybrid", "criterion": "condition", "condition_growth": 1e9, "position_tolerance": 1e-12})",
     R"({"type": "recursive"})"},
    {R"("type": "dopri5")" CONTROLLED, R"("type": "dopri853")" CONTROLLED, R"("type": "rk4", "step": 0.002)",
     R"("type": "adams", "order": 4)" FIXED, R"("type": "ddeabm")" CONTROLLED}};

/// Formulas that differ in numbers only from those above, or in nothing that a formulation sees.
const View more_of_first_order = {
    {R"({"type": "projection"})"},
    {R"("type": "euler")" FIXED, R"("type": "heun")" FIXED, R"("type": "heun3")" FIXED, R"("type": "kutta3")" FIXED,
     R"("type": "fehlberg45")" CONTROLLED, R"("type": "adams", "order": 4, "control": "haug")" CONTROLLED,
     R"("type": "ampc", "order": 4)" FIXED, R"("type": "mampc", "order": 4)" FIXED, R"("type": "radau_iia")" CONTROLLED,
     R"("type": "radau_iia", "control": "fixed")" FIXED}};

const View second_order = {{R"({"type": "coordinate_partitioning", "criterion": "condition", "condition_growth": 1e9})",
                            R"({"type": "recursive"})"},
                           {R"("type": "rosenbrock_nystrom")" CONTROLLED,
                            R"("type": "rosenbrock_nystrom_w2")" FIXED,
                            R"("type": "ros2")" FIXED,
                            R"("type": "rodas43")" CONTROLLED,
                            R"("type": "sdirk4")" CONTROLLED,
                            R"("type": "sdirk4")" FIXED,
                            R"("type": "trapezoidal", "rtol": 1e-5, "atol": 1e-7)",
                            R"("type": "bdf")" CONTROLLED,
                            R"("type": "bdf", "order": 4, "control": "fixed")" FIXED,
                            R"("type": "conditionally_explicit")" FIXED,
                            R"("type": "conditionally_explicit", "set": "stable_6")" FIXED,
                            R"("type": "conditionally_explicit", "iteration": "linearized")" FIXED,
                            R"("type": "newmark")" FIXED,
                            R"("type": "hht")" FIXED,
                            R"("type": "hht", "rtol": 1e-5, "atol": 1e-7)",
                            R"("type": "generalized_alpha")" FIXED,
                            R"("type": "wilson_theta")" FIXED,
                            R"("type": "velocity_verlet")" FIXED,
                            R"("type": "leapfrog")" FIXED,
                            R"("type": "beeman")" FIXED,
                            R"("type": "yoshida4")" FIXED,
                            R"("type": "central_differences")" FIXED,
                            R"("type": "park_underwood", "max_step": 0.001)",
                            R"("type": "radau_iia")" CONTROLLED,
                            R"("type": "radau_iia", "control": "fixed")" FIXED}};

const View constrained = {
    {"null"},
    {R"("type": "conditionally_explicit")" FIXED, R"("type": "newmark")" FIXED, R"("type": "hht")" FIXED,
     R"("type": "hht", "rtol": 1e-5, "atol": 1e-7)", R"("type": "hht_i3")" FIXED,
     R"("type": "generalized_alpha")" FIXED, R"("type": "rattle")" FIXED, R"("type": "radau_iia")" CONTROLLED,
     R"("type": "radau_iia", "control": "fixed")" FIXED}};

void check(const View& view) {
  for (const std::string& model : models) {
    for (const std::string& solver : solvers) {
      for (const std::string& integrator : view.integrators) {
        for (const std::string& formulation : view.formulations) {
          CAPTURE(model);
          CAPTURE(solver);
          CAPTURE(integrator);
          CAPTURE(formulation);
          Simulation simulation(examples / model, {{"integrator={" + integrator + "}", "formulation=" + formulation,
                                                    "analysis.solver=" + solver, "analysis.constraint_limit=1"},
                                                   {plugins}});
          bool started = true;
          // In the first steps entries of matrices leave zero, which enlarges the pattern of sparse ones.
          for (int k = 0; k < 10 && started; ++k) started = simulation.step();
          CHECK(started);
          const long before = allocation_count;
          for (int k = 0; k < 20; ++k) simulation.step();
          CHECK(allocation_count - before == 0);
          CHECK(simulation.message() == "");
        }
      }
    }
  }
}

bool is_looked_at(const std::string& type) {
  const std::string key = "\"type\": \"" + type + "\"";
  for (const View* view : {&first_order, &more_of_first_order, &second_order, &constrained}) {
    for (const std::string& integrator : view->integrators) {
      if (integrator.starts_with(key)) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("no step allocates: first-order views, every formulation") {
  if (!allocations_are_counted) return;
  check(first_order);
  check(more_of_first_order);
}

TEST_CASE("no step allocates: the second-order view") {
  if (!allocations_are_counted) return;
  check(second_order);
}

TEST_CASE("no step allocates: index 3") {
  if (!allocations_are_counted) return;
  check(constrained);
}

TEST_CASE("every integrator that ships is among them, but those of SUNDIALS, whose memory is its own") {
  const PluginHost host({{plugins, "test"}});
  int integrators = 0;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    if (entry.component->kind != ComponentKind::integrator || entry.plugin->id == "sundials") continue;
    CAPTURE(entry.component->type);
    CHECK(is_looked_at(entry.component->type));
    ++integrators;
  }
  CHECK(integrators >= 33);
}
