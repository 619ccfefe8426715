// One mechanism in units from micrometres to kilometres and with masses far apart: ranks, warnings and motion are the
// same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "finished_run.h"
#include "loaded_model.h"

using namespace trammel;

namespace {

constexpr double gravity = 9.81;

/// A slider-crank with all lengths multiplied; times stay.
std::string slider_crank(double length, const std::string& method) {
  const double half = 0.15, angle = 0.5, rod = std::asin(2 * half * std::sin(angle));
  const double crank_x = 2 * half * std::cos(angle), crank_y = 2 * half * std::sin(angle),
               end = crank_x + std::cos(rod);
  const auto body = [&](const char* name, double mass, double inertia, double x, double y, double phi) {
    return fmt::format(R"("{}": {{"mass": {}, "inertia": {:.17g}, "position": [{:.17g}, {:.17g}], "angle": {:.17g}}})",
                       name, mass, inertia * length * length, x * length, y * length, phi);
  };
  const auto hinge = [&](const char* name, const char* first, const char* second, double x, double y) {
    return fmt::format(R"("{}": {{"type": "revolute", "bodies": ["{}", "{}"], "at": [{:.17g}, {:.17g}]}})", name, first,
                       second, x * length, y * length);
  };
  return fmt::format(
      R"({{"trammel": 1, "system": {{"type": "planar", "gravity": [0, {:.17g}], "bodies": {{{}, {}, {}}}, "constraints":
      {{{}, {}, {}, "guide": {{"type": "translational", "bodies": ["ground", "slider"], "at": [{:.17g}, 0], "axis": [1, 0]}}}}}},
      "analysis": {{"type": "dynamics", "duration": 1}}, {}}})",
      -gravity * length, body("crank", 1, 0.1, crank_x / 2, crank_y / 2, angle),
      body("rod", 1, 1.0 / 12, (crank_x + end) / 2, crank_y / 2, -rod), body("slider", 2, 0.1, end, 0, 0),
      hinge("o", "ground", "crank", 0, 0), hinge("p", "crank", "rod", crank_x, crank_y),
      hinge("q", "rod", "slider", end, 0), end * length, method);
}

/// Two rods hinged one behind the other.
std::string two_rods(double first, double second) {
  return fmt::format(R"({{"trammel": 1, "system": {{"type": "planar", "gravity": [0, -9.81], "bodies": {{
      "a": {{"mass": {0}, "inertia": {1}, "position": [0.8, -0.6]}}, "b": {{"mass": {2}, "inertia": {3}, "position": [1.7, -0.4]}}}},
      "constraints": {{"o": {{"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]}},
      "p": {{"type": "revolute", "bodies": ["a", "b"], "at": [0.8, -0.6]}}}}}}, "analysis": {{"type": "dynamics", "duration": 0.6}},
      "formulation": {{"type": "projection"}}, "integrator": {{"type": "dopri853", "rtol": 1e-10, "atol": 1e-12}}}})",
                     first, 0.01 * first, second, 0.01 * second);
}

}  // namespace

TEST_CASE("the unit of a model is a power of 1024 m near its levers, and 1 m for ordinary ones") {
  for (const auto& given : {std::pair(1.0, 0), {0.3, 0}, {20.0, 0}, {1e-3, -1}, {1e-6, -2}, {1e3, 1}, {1e6, 2}}) {
    const auto& [length, expected] = given;
    CAPTURE(given.first);
    LoadedModel loaded(temporary_run_file(slider_crank(length, R"("integrator": {"type": "hht", "step": 1e-3})")));
    REQUIRE(loaded.numbers.evaluate(0, loaded.view(loaded.q), {}, {}, evaluate_Phi | evaluate_jacobian));
    loaded.numbers.parts().kkt.measure_unit();
    CHECK(loaded.numbers.unit().length() == std::pow(1024.0, expected));
    CHECK(loaded.numbers.rank().choose_rows(1e-6) == 0);
    // Judged in its own unit, the nearest row is as far from the others as in metres.
    REQUIRE(loaded.numbers.rank().geometric_watch() != nullptr);
    CHECK(loaded.numbers.rank().geometric_watch()->smallest_kept > 1e-4);
  }
}

TEST_CASE("a slider-crank of a micrometre or a kilometre moves as that of a metre, without a warning") {
  const char* const methods[] = {
      R"("formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-18})",
      R"("formulation": {"type": "direct"}, "integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-18})",
      R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-18})",
      R"("formulation": {"type": "hybrid"}, "integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-18})",
      R"("integrator": {"type": "hht", "step": 1e-3})"};
  for (const char* method : methods) {
    CAPTURE(method);
    FinishedRun drawn(temporary_run_file(slider_crank(1, method)));
    for (const double length : {1e-6, 1e-3, 1e3}) {
      CAPTURE(length);
      FinishedRun run(temporary_run_file(slider_crank(length, method)));
      CHECK(run.simulation.warnings().empty());
      CHECK(run.simulation.summary_json().find("\"degrees_of_freedom\": 1") != std::string::npos);
      CHECK(std::abs(run.channel("slider.x") / length - drawn.channel("slider.x")) < 1e-7);
      CHECK(std::abs(run.channel("slider.vx") / length - drawn.channel("slider.vx")) < 1e-6);
      CHECK(std::abs(run.channel("crank.omega") - drawn.channel("crank.omega")) < 1e-6);
    }
  }
}

TEST_CASE("masses 1e9 apart are no near dependence of rows") {
  for (const auto& given : {std::pair(1e-6, 1e3), {1e3, 1e-6}, {1e-4, 1e7}}) {
    const auto& [first, second] = given;
    CAPTURE(given.first);
    FinishedRun run(temporary_run_file(two_rods(first, second)));
    CHECK(run.simulation.warnings().empty());
    CHECK(run.energy_drift() < 1e-6 * std::max(first, second) * gravity);
  }
}

TEST_CASE("a redundant row that changes its name is no change of rank") {
  const auto pair = [](const std::string& joints, const std::string& method) {
    return R"({"trammel": 1, "system": {"type": "spatial", "gravity": [1, -2, -9.81], "bodies": {
      "a": {"mass": 5, "inertia": [1, 1.1, 1.2], "position": [0.3, -0.2, 0.6], "angular_velocity": [0.3, 0.2, -0.4]},
      "b": {"mass": 1, "inertia": [0.2, 0.3, 0.4], "position": [-0.5, 0.1, 0.4], "angular_velocity": [1, -0.5, 0.7]}},
      "constraints": {)" +
           joints + R"(}}, "analysis": {"type": "dynamics", "duration": 0.6, "correction_limit": 100}, )" + method +
           "}";
  };
  const char* const joints[] = {
      R"("j": {"type": "spherical", "bodies": ["a", "b"], "at": [0.1, 0.2, 0.3]}, "k": {"type": "spherical", "bodies": ["a", "b"], "at": [-0.6, 0.5, -0.2]})",
      R"("j": {"type": "revolute", "bodies": ["a", "b"], "at": [0.1, 0.2, 0.3], "axis": [0.6, 0, 0.8]},
         "k": {"type": "spherical", "bodies": ["a", "b"], "at": [-0.6, 0.5, -0.2]})",
      R"("j": {"type": "dot1", "bodies": ["ground", "b"], "axis": [0.6, 0, 0.8], "second_axis": [0, 1, 0]},
         "k": {"type": "screw", "bodies": ["ground", "b"], "at": [0.2, -0.4, 0.5], "axis": [0.6, 0, 0.8], "pitch": 0.3})"};
  for (const char* pairs : joints) {
    CAPTURE(pairs);
    FinishedRun reference(temporary_run_file(pair(
        pairs,
        R"("formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})")));
    CHECK(reference.simulation.warnings().size() <= 2);  // the redundant rows, corrected velocities
    for (const char* treatment : {"projection", "direct", "coordinate_partitioning", "hybrid"}) {
      CAPTURE(treatment);
      FinishedRun run(temporary_run_file(pair(
          pairs,
          fmt::format(
              R"("formulation": {{"type": "{}"}}, "integrator": {{"type": "dopri5", "rtol": 1e-9, "atol": 1e-11}})",
              treatment))));
      for (const std::string& warning : run.simulation.warnings()) {
        CHECK(warning.find("bifurcation") == std::string::npos);
        CHECK(warning.find("number of dependent") == std::string::npos);
      }
      for (const char* channel : {"b.x", "b.z", "a.vx", "b.vz"})
        CHECK(std::abs(run.channel(channel) - reference.channel(channel)) < 1e-6);
    }
  }
}
