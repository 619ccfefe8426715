// HHT-I3 as published, with weighted forces, beside `hht`, which weighs accelerations: the same where the mass matrix is
// constant, of order 1 with Euler parameters.
#include <doctest/doctest.h>

#include "table.h"

using namespace trammel;

namespace {

constexpr double duration = 0.5;

/// Positions of both bodies of an example at the end, by fixed steps at index 3 or, without steps, by dopri853.
std::vector<double> end_positions(const std::string& model, const std::string& method, int steps) {
  std::vector<std::string> set = {"analysis.duration=" + std::to_string(duration), "analysis.constraint_limit=1",
                                  R"(output={"step": 0.5, "channels": ["upper", "lower"]})"};
  if (steps > 0) {
    set.push_back("formulation=null");
    set.push_back(R"(integrator={"type": ")" + method + R"(", "alpha": -0.2, "tolerance": 1e-10, "step": )" +
                  std::to_string(duration / steps) + "}");
  } else {
    set.push_back(R"(formulation={"type": "projection"})");
    set.push_back(R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})");
  }
  const Table run = results(example(model), set);
  std::vector<double> positions;
  for (const char* name : {"upper.x", "upper.y", "lower.x", "lower.y"}) positions.push_back(run[name].back());
  return positions;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Orders of two successive halvings.
void check_orders(const std::string& model, const std::string& method, double order) {
  CAPTURE(model);
  CAPTURE(method);
  const std::vector<double> exact = end_positions(model, "dopri853", 0);
  double errors[3];
  for (int i = 0; i < 3; ++i) errors[i] = distance(end_positions(model, method, 250 << i), exact);
  for (int i = 0; i < 2; ++i) {
    const double measured = std::log2(errors[i] / errors[i + 1]);
    CHECK(measured == doctest::Approx(order).epsilon(0.15 / order));
  }
}

}  // namespace

TEST_CASE("planar bodies have a constant mass matrix: weighted forces are weighted accelerations") {
  for (const int steps : {125, 500}) {
    CHECK(distance(end_positions("planar_double_pendulum", "hht", steps),
                   end_positions("planar_double_pendulum", "hht_i3", steps)) < 1e-10);
  }
  check_orders("planar_double_pendulum", "hht_i3", 2);
}

TEST_CASE("with Euler parameters weighted forces have order 1, weighted accelerations order 2") {
  check_orders("spatial_double_pendulum", "hht_i3", 1);
  check_orders("spatial_double_pendulum", "hht", 2);
}

TEST_CASE("the method has no second-order view: constraints are part of it") {
  CHECK_THROWS_WITH_AS(results(example("planar_double_pendulum"), {R"(formulation={"type": "coordinate_partitioning"})",
                                                                   R"(integrator={"type": "hht_i3"})"}),
                       doctest::Contains("hht_i3"), std::exception);
}
