// Order matrix: the measured order of every integrator under every formulation on three
// mechanisms, through loaded plugins.
//
// Fixed steps; error = 2-norm of the differences at t = 0.5 s from a reference that no method here computed where there
// is one (tests/data), else from dopri853 under projection at rtol 1e-13. The order is the mean slope over n, 2 n and
// 4 n steps: over two halvings, because a leading term may vanish.
#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include "table.h"

using namespace trammel;

namespace {

constexpr double duration = 0.5;

/// Values of channels at the end of a run.
using Values = std::map<std::string, double>;

Values end_values(const std::string& file, const std::vector<std::string>& set) {
  Simulation simulation(file, {set, {}});
  const RunStatus status = simulation.run();
  INFO(simulation.message());
  REQUIRE(status == RunStatus::completed);
  const std::vector<double> values = simulation.channel_values();
  Values result;
  for (std::size_t i = 0; i < values.size(); ++i) result[simulation.channels()[i]] = values[i];
  return result;
}

double error_norm(const Values& obtained, const Values& expected) {
  double sum = 0;
  for (const auto& [name, value] : expected) sum += std::pow(obtained.at(name) - value, 2);
  return std::sqrt(sum);
}

std::string json_text(const char* format, double value) {
  char text[120];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

const std::string analysis =
    json_text(R"(analysis={"type": "dynamics", "duration": %g, "constraint_limit": 1})", duration);

struct Method {
  const char* name;
  const char* json;  ///< without the step
  double claimed;
  int steps;  ///< of the coarsest run; chosen so that the error of the finest stays above rounding
  const char* step_key = "step";
};

const Method methods[] = {
    {"euler", R"("type": "euler")", 1, 800},
    {"heun", R"("type": "heun")", 2, 100},
    {"heun3", R"("type": "heun3")", 3, 100},
    {"kutta3", R"("type": "kutta3")", 3, 100},
    {"rk4", R"("type": "rk4")", 4, 50},
    {"fehlberg45", R"("type": "fehlberg45")", 4, 40},
    {"dopri5", R"("type": "dopri5")", 5, 32},
    {"dopri853", R"("type": "dopri853")", 8, 6},
    // Predictor of order k; PECE: predictor k, corrector k + 1. The order ramp of Haug's text reaches 2 and 3 at most.
    {"adams 1 predictor", R"("type": "adams", "order": 1, "mode": "predictor")", 1, 800},
    {"adams 2 predictor", R"("type": "adams", "order": 2, "mode": "predictor")", 2, 200},
    {"adams 4 predictor", R"("type": "adams", "order": 4, "mode": "predictor", "start": "runge_kutta")", 4, 150},
    {"adams 1 pece", R"("type": "adams", "order": 1, "mode": "pece")", 2, 100},
    {"adams 2 pece", R"("type": "adams", "order": 2, "mode": "pece")", 3, 100},
    {"adams 3 pece", R"("type": "adams", "order": 3, "mode": "pece", "start": "runge_kutta")", 4, 100},
    {"adams 4 pece", R"("type": "adams", "order": 4, "mode": "pece", "start": "runge_kutta")", 5, 140},
    {"adams 5 pece", R"("type": "adams", "order": 5, "mode": "pece", "start": "runge_kutta")", 6, 80},
    {"ampc 3", R"("type": "ampc", "order": 3)", 3, 150},
    {"ampc 4", R"("type": "ampc", "order": 4)", 4, 140},
    {"ampc 5", R"("type": "ampc", "order": 5)", 5, 160},
    {"mampc 3", R"("type": "mampc", "order": 3)", 4, 100},
    {"mampc 4", R"("type": "mampc", "order": 4)", 5, 140},
    {"mampc 5", R"("type": "mampc", "order": 5)", 6, 80},
};

const char* const formulations[] = {
    R"({"type": "direct"})",
    R"({"type": "baumgarte", "alpha": 5})",
    R"({"type": "projection"})",
    R"({"type": "projection", "levels": "position"})",
    R"({"type": "projection", "weights": "identity", "every": 2})",
    R"({"type": "coordinate_partitioning"})",
    // Between 5a and 5b the hybrid decides by tolerances, whatever h is: the order is that of one branch or the other.
    R"({"type": "hybrid", "position_tolerance": 1, "velocity_tolerance": 10})",
    R"({"type": "hybrid", "position_tolerance": 1e-300})",
};

/// Methods of second-order systems, ...
const Method second_order_methods[] = {
    {"degree 4, linearized", R"("type": "conditionally_explicit", "set": "alpha_3_4", "iteration": "linearized")", 3,
     200},
    {"velocity_verlet", R"("type": "velocity_verlet")", 2, 100},
    {"leapfrog", R"("type": "leapfrog")", 2, 100},
    {"beeman", R"("type": "beeman")", 2, 100},
    {"yoshida4", R"("type": "yoshida4")", 4, 100},
    {"central_differences", R"("type": "central_differences")", 2, 100},
    {"wilson_theta", R"("type": "wilson_theta")", 2, 100},
    // Chooses its steps by itself, here always the largest allowed.
    {"park_underwood", R"("type": "park_underwood", "frequency_limit": 1.5)", 2, 100, "max_step"},
};
/// ... methods that treat the constraints themselves, without formulation, ...
const Method constrained_methods[] = {
    {"degree 4, null space", R"("type": "conditionally_explicit", "set": "alpha_3_4", "solver": "null_space")", 3, 200},
    {"rattle", R"("type": "rattle")", 2, 100},
};
/// ... and those that do either.
const Method methods_of_both_views[] = {
    {"degree 3", R"("type": "conditionally_explicit", "set": "alpha_4_3")", 2, 400},
    {"degree 4", R"("type": "conditionally_explicit", "set": "alpha_3_4")", 3, 200},
    {"degree 5", R"("type": "conditionally_explicit", "set": "ones")", 3, 200},
    {"degree 4, balanced", R"("type": "conditionally_explicit", "set": "balanced_4")", 3, 100},
    {"degree 5, balanced", R"("type": "conditionally_explicit", "set": "balanced_5")", 3, 100},
    {"degree 6", R"("type": "conditionally_explicit", "set": "stable_6")", 4, 200},
    {"newmark", R"("type": "newmark")", 2, 100},
    {"newmark, gamma 0.6", R"("type": "newmark", "gamma": 0.6, "beta": 0.3025)", 1, 800},
    {"hht", R"("type": "hht", "alpha": -0.2)", 2, 100},
    {"generalized_alpha", R"("type": "generalized_alpha", "rho_infinity": 0.5)", 2, 100},
    {"radau_iia", R"("type": "radau_iia", "control": "fixed")", 5, 16},
};
/// Implicit methods on first-order views, which they take where a formulation has no other.
const Method implicit_methods[] = {
    {"radau_iia", R"("type": "radau_iia", "control": "fixed")", 5, 16},
};
const char* const first_order_formulations[] = {R"({"type": "direct"})", R"({"type": "projection"})"};
const char* const second_order_formulations[] = {R"({"type": "coordinate_partitioning"})"};
const char* const no_formulation[] = {"null"};
const char* const either[] = {second_order_formulations[0], no_formulation[0]};

template <std::size_t methods_size, std::size_t formulations_size>
void measure_all(const Method (&list)[methods_size], const char* const (&treatments)[formulations_size],
                 const char* mechanism, const Values& expected, double refinement) {
  const std::string file = example(mechanism);
  for (const Method& method : list) {
    for (const char* formulation : treatments) {
      double error[3];
      for (int k = 0; k < 3; ++k) {
        const std::string step = std::string(", \"") + method.step_key + "\": " +
                                 json_text("%.17g}", duration / (std::round(method.steps * refinement) * (1 << k)));
        error[k] = error_norm(end_values(file, {analysis, std::string("formulation=") + formulation,
                                                "integrator={" + std::string(method.json) + step}),
                              expected);
      }
      const double order = std::log2(error[0] / error[2]) / 2;
      std::printf("%-24s %-18s %-55s %7g %8.2f %.1e\n", mechanism, method.name, formulation, method.claimed, order,
                  error[2]);
      CAPTURE(method.name);
      CAPTURE(formulation);
      CAPTURE(error[2]);
      CHECK(error[2] > 1e-12);  // above rounding, or the slope means nothing
      CHECK(order > method.claimed - 0.3);
    }
  }
}

void measure(const char* mechanism, const Values& expected, double refinement = 1) {
  std::printf("%-24s %-18s %-55s claimed measured error\n", "mechanism", "integrator", "formulation");
  measure_all(methods, formulations, mechanism, expected, refinement);
  measure_all(second_order_methods, second_order_formulations, mechanism, expected, refinement);
  measure_all(constrained_methods, no_formulation, mechanism, expected, refinement);
  measure_all(methods_of_both_views, either, mechanism, expected, refinement);
  measure_all(implicit_methods, first_order_formulations, mechanism, expected, refinement);
}

}  // namespace

TEST_CASE("planar double pendulum, against its two angles integrated in extended precision") {
  const Table reference_table = reference("double_pendulum_chaos.csv");
  const std::size_t row = 25;
  REQUIRE(reference_table["t"][row] == doctest::Approx(duration));
  measure("planar_double_pendulum", {{"upper.phi", reference_table["a1"][row] - M_PI / 2},
                                     {"lower.phi", reference_table["a2"][row] - M_PI / 2},
                                     {"upper.omega", reference_table["w1"][row]},
                                     {"lower.omega", reference_table["w2"][row]},
                                     {"tip.x", reference_table["x2"][row]},
                                     {"tip.y", reference_table["y2"][row]}});
}

TEST_CASE("spatial slider-crank, against the one-coordinate solution") {
  const Table reference_table = reference("slider_crank_wu.csv");
  const std::size_t row = 10;
  REQUIRE(reference_table["t"][row] == doctest::Approx(duration));
  measure("slider_crank",
          {{"rod.x", reference_table["x"][row]},
           {"rod.y", reference_table["y"][row]},
           {"rod.vx", reference_table["xdot"][row]},
           {"rod.vy", reference_table["ydot"][row]},
           {"crank.wz", reference_table["thetadot"][row]},
           {"rod.wz", reference_table["phidot"][row]}},
          1.4);
}

TEST_CASE("spatial double pendulum, against a finer run") {
  Values expected = end_values(example("spatial_double_pendulum"),
                               {analysis, R"(integrator={"type": "dopri853", "rtol": 1e-13, "atol": 1e-14})",
                                R"(output={"channels": ["upper", "lower", "tip"]})"});
  measure("spatial_double_pendulum", expected, 1.7);
}
