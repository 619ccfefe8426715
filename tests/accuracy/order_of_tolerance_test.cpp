// Methods that choose order and steps by themselves: errors follow the tolerance, on three mechanisms; and ARKODE's explicit
// tables, whose steps a largest one binds, by the windows of the order matrix.
//
// A method of variable order has no order to measure: its error over tolerances is a power near 1, too low where the
// control is blind to something and too high where it does not control. Two windows would show where orders change.
#include <doctest/doctest.h>

#include <cstdio>
#include <vector>

#include "check/order_windows.h"
#include "table.h"

using namespace trammel;

namespace {

const bool has_sundials = std::filesystem::exists(TRAMMEL_BUILD_DIR "/lib/trammel/plugins/sundials.so");

struct Model {
  const char* name;
  const char* channels;
};
const Model models[] = {{"planar_double_pendulum", R"(["upper", "lower", "tip"])"},
                        {"slider_crank", R"(["rod", "crank"])"},
                        {"spatial_double_pendulum", R"(["upper", "lower", "tip"])"}};

const std::string direct = R"({"type": "direct"})", projection = R"({"type": "projection"})",
                  partitioning = R"({"type": "coordinate_partitioning"})";

std::vector<double> end_values(const Model& model, const std::string& formulation, const std::string& integrator) {
  Simulation simulation(
      example(model.name),
      {{R"(analysis={"type": "dynamics", "duration": 0.5, "constraint_limit": 1})", "formulation=" + formulation,
        "integrator={" + integrator + "}", std::string("output={\"channels\": ") + model.channels + "}"},
       {}});
  const RunStatus status = simulation.run();
  INFO(simulation.message());
  REQUIRE(status == RunStatus::completed);
  return simulation.channel_values();
}

std::vector<double> reference_values(const Model& model) {
  return end_values(model, projection, R"("type": "dopri853", "rtol": 1e-13, "atol": 1e-14)");
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return std::sqrt(sum);
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char result[160];
  std::snprintf(result, sizeof result, format, values...);
  return result;
}

struct Method {
  const char* json;  ///< without the tolerances
  bool second_order = false;
  bool of_sundials = false;
};
const Method methods[] = {
    {R"("type": "ddeabm")"},
    {R"("type": "adams", "order": 8, "control": "haug")"},
    {R"("type": "bdf")", true},
    {R"("type": "cvode", "method": "adams")", false, true},
    {R"("type": "cvode", "method": "bdf")", false, true},
    {R"("type": "arkode", "method": "erk", "order": 4)", false, true},
    {R"("type": "arkode", "method": "dirk", "order": 3)", false, true},
    {R"("type": "arkode", "method": "dirk", "order": 4)", false, true},
};

/// Slope of log error over log tolerance, by least squares.
double exponent(const Model& model, const std::string& formulation, const Method& method) {
  const std::vector<double> expected = reference_values(model);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int digits = 4; digits <= 11; ++digits) {
    const std::string tolerances = text(", \"rtol\": 1e-%d, \"atol\": 1e-%d", digits, digits);
    const double error = distance(end_values(model, formulation, method.json + tolerances), expected);
    const double log_error = std::log10(error), log_tolerance = -digits;
    n += 1, x += log_tolerance, y += log_error, xx += log_tolerance * log_tolerance, xy += log_tolerance * log_error;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

TEST_CASE("errors of methods that choose order and steps follow the tolerance from 1e-4 to 1e-11") {
  for (const Method& method : methods) {
    if (method.of_sundials && !has_sundials) continue;
    for (const Model& model : models) {
      const std::vector<std::string> formulations =
          method.second_order ? std::vector{partitioning} : std::vector{direct, projection};
      for (const std::string& formulation : formulations) {
        const double found = exponent(model, formulation, method);
        std::printf("%-24s %-55s %-36s %.2f\n", model.name, method.json, formulation.c_str(), found);
        CAPTURE(model.name);
        CAPTURE(method.json);
        CAPTURE(formulation);
        CHECK(std::abs(found - 1) < 0.3);
      }
    }
  }
}

TEST_CASE("ARKODE's explicit tables, steps bound by the largest allowed") {
  if (!has_sundials) return;
  struct Table {
    int order, steps;
  };
  const Model& model = models[2];
  const std::vector<double> expected = reference_values(model);
  for (const Table& table : {Table{2, 170}, {3, 170}, {4, 85}, {5, 70}}) {
    for (const std::string& formulation : {direct, projection}) {
      const conformance::OrderRange two_windows{table.steps, 4 * table.steps, 1e-12};
      const conformance::MeasuredOrder found = conformance::measure_order(two_windows, [&](int steps) {
        const double h = 0.5 / steps;  // at this tolerance the control never asks for less
        return distance(
            end_values(model, formulation,
                       text(R"("type": "arkode", "method": "erk", "order": %d, "rtol": 1e-2, "atol": 1e-2, )"
                            R"("max_step": %.17g, "initial_step": %.17g)",
                            table.order, h, h)),
            expected);
      });
      std::printf("arkode erk %d %-24s %.2f %.2f %.1e\n", table.order, formulation.c_str(), found.coarse, found.fine,
                  found.error);
      CAPTURE(table.order);
      CAPTURE(formulation);
      CHECK(found.confirms(table.order));
    }
  }
}
