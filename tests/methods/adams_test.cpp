// The Adams plugin against Haug's tables (Computer Aided Kinematics and Dynamics, 7.4), x' = x, x(0) = 1.
#include <doctest/doctest.h>

#include <cmath>

#include "built_component.h"
#include "ode_run.h"
#include "paper_row.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/backward_differences.h"

using namespace trammel;

namespace {

CallableOde growth() {
  return CallableOde(1, [](double, const double* x, double* f) { return f[0] = x[0], Status::success(); });
}

std::vector<double> solve(int order, const char* mode, double h, int steps, const char* start = "ramp") {
  const BuiltComponent<Integrator> adams(ComponentKind::integrator, "adams",
                                         {{{"order", order}}, {{"mode", mode}, {"start", start}}, {}});
  CallableOde system = growth();
  OdeRun run(*adams, system, 0, {1});
  std::vector<double> x{1};
  for (int i = 0; i < steps; ++i) {
    run.step(h);
    x.push_back(run.y()[0]);
  }
  return x;
}

/// 100 |E_k| / e^10.
double percent(double x) { return 100 * std::abs(x - std::exp(10)) / std::exp(10); }

/// Rounded to so many digits.
double as_printed(double value, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::round(value / unit) * unit;
}

void push(const sdk::BackwardDifferences& D, double value) {
  Eigen::VectorXd f = Eigen::VectorXd::Constant(1, value);
  Eigen::Map<Eigen::VectorXd> entry(f.data(), 1);
  D.push(entry);
}

}  // namespace

TEST_CASE("coefficients, Tables 7.4.4 and 7.4.10" * doctest::test_suite("papers")) {
  using sdk::Fraction;
  const Fraction gamma[] = {{1, 1}, {1, 2}, {5, 12}, {3, 8}, {251, 720}, {95, 288}};
  const Fraction star[] = {{1, 1}, {-1, 2}, {-1, 12}, {-1, 24}, {-19, 720}, {-3, 160}};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(sdk::adams_gamma[i] == gamma[i]);
    CHECK(sdk::adams_gamma_star[i] == star[i]);
    const std::string row = "Haug, Tables 7.4.4, 7.4.10", index = std::to_string(i);
    check_paper_row({row, "gamma_" + index, gamma[i].value()}, sdk::adams_gamma[i].value());
    check_paper_row({row, "gamma*_" + index, star[i].value()}, sdk::adams_gamma_star[i].value());
  }
  // Hairer, Norsett, Wanner, III.1, Tables 1.1 and 1.2.
  CHECK(sdk::adams_gamma[6] == Fraction{19087, 60480});
  CHECK(sdk::adams_gamma[7] == Fraction{5257, 17280});
  CHECK(sdk::adams_gamma[8] == Fraction{1070017, 3628800});
  CHECK(sdk::adams_gamma_star[8] == Fraction{-33953, 3628800});
}

TEST_CASE("weights of the dense output agree with the coefficients at its ends") {
  constexpr int count = sdk::adams_max_order;
  double whole[count], back[count];
  sdk::adams_weights(1, count, whole);
  sdk::adams_weights(-1, count, back);
  for (int i = 0; i < count; ++i) {
    // Sums of at most 13 positive terms below 1.
    CHECK(whole[i] == doctest::Approx(sdk::adams_gamma[static_cast<std::size_t>(i)].value()).epsilon(1e-14));
    CHECK(std::abs(-back[i] - sdk::adams_gamma_star[static_cast<std::size_t>(i)].value()) < 1e-15);
  }
}

TEST_CASE("Table 7.4.5: differences of the first steps, its last column misprinted" * doctest::test_suite("papers")) {
  const std::string row = "Haug, Table 7.4.5, Examples 7.4.4, 7.4.5";
  const double f[] = {1.0, 1.1, 1.215, 1.342875, 1.484013};
  const std::vector<double> x = solve(5, "predictor", 0.1, 4);
  const double printed[] = {1.484013, 0.141138, 0.132630, 0.000385, 0.002510};
  const double last[] = {1.484013, 0.141138, 0.013263, 0.000388, 0.002513};  // differences of the printed values
  std::vector<double> memory(5, 0.0);
  const sdk::BackwardDifferences D({memory.data(), 1, 5});
  for (std::size_t i = 0; i < 5; ++i) {
    check_paper_row({row, "f_" + std::to_string(i), f[i], PaperFigure::none, 0.5001e-6}, x[i]);
    push(D, x[i]);
  }
  for (int i = 0; i < 5; ++i)
    check_paper_row({row, "difference " + std::to_string(i) + " of f_4", printed[i], last[i], 0.5001e-6}, D[i][0]);
}

TEST_CASE("Table 7.4.6: predictor, h = 0.1") {
  const double table[10][5] = {
      {1.100000, 1.100000, 1.100000, 1.100000, 1.100000}, {1.210000, 1.215000, 1.215000, 1.215000, 1.215000},
      {1.331000, 1.342250, 1.342875, 1.342875, 1.342875}, {1.464100, 1.482838, 1.484093, 1.484013, 1.484013},
      {1.610510, 1.638151, 1.640119, 1.640038, 1.640126}, {1.771561, 1.809731, 1.812549, 1.812525, 1.812679},
      {1.948717, 1.999284, 2.003109, 2.003146, 2.003305}, {2.143589, 2.208689, 2.213703, 2.213811, 2.213988},
      {2.357948, 2.440029, 2.446438, 2.446631, 2.446842},  // k = 3 misprinted: 2.446348
      {2.593742, 2.695599, 2.703641, 2.703938, 2.704177}};
  for (int k = 1; k <= 5; ++k) {
    const std::vector<double> x = solve(k, "predictor", 0.1, 10);
    // Six printed decimals, rounded.
    for (std::size_t i = 0; i < 10; ++i) CHECK(std::abs(x[i + 1] - table[i][k - 1]) <= 0.5001e-6);
  }
}

TEST_CASE("Table 7.4.7: predictor, h = 0.01") {
  const double table[10][5] = {{1.010000, 1.010000, 1.010000, 1.010000, 1.010000},
                               {1.020100, 1.020150, 1.020150, 1.020150, 1.020150},
                               {1.030301, 1.030402, 1.030403, 1.030403, 1.030403},
                               {1.040604, 1.040758, 1.040759, 1.040758, 1.040758},  // k = 4, 5 misprinted: 1.040748
                               {1.051010, 1.051217, 1.051218, 1.051218, 1.051218},
                               {1.061520, 1.061781, 1.061783, 1.061783, 1.061783},
                               {1.072135, 1.072452, 1.072454, 1.072454, 1.072454},
                               {1.082857, 1.083230, 1.083233, 1.083233, 1.083233},
                               {1.093685, 1.094116, 1.094119, 1.094119, 1.094119},
                               {1.104622, 1.105112, 1.105115, 1.105115, 1.105115}};
  for (int k = 1; k <= 5; ++k) {
    const std::vector<double> x = solve(k, "predictor", 0.01, 10);
    for (std::size_t i = 0; i < 10; ++i) CHECK(std::abs(x[i + 1] - table[i][k - 1]) <= 0.5001e-6);
  }
}

TEST_CASE("Tables 7.4.8 and 7.4.9: predictor at t = 10, printed digits are cut off, not rounded") {
  const double coarse[] = {13780.612, 21090.171, 21841.518, 21904.347, 21911.635};
  const double fine[] = {20959.155, 22016.255, 22025.280, 22025.356, 22025.361};
  const double E_coarse[] = {-8245.853, -936.294, -184.947, -122.118, -114.830};
  const double E_fine[] = {-1067.310, -10.209, -1.185, -1.108, -1.104};
  const double percent_coarse[] = {37, 4, 0.8, 0.6, 0.5}, percent_fine[] = {5, 0.05, 0.005, 0.005, 0.005};
  for (int k = 1; k <= 5; ++k) {
    CAPTURE(k);
    const double x = solve(k, "predictor", 0.1, 100).back(), x_fine = solve(k, "predictor", 0.01, 1000).back();
    CHECK(std::floor(1000 * x) == std::round(1000 * coarse[k - 1]));
    CHECK(std::floor(1000 * x_fine) == std::round(1000 * fine[k - 1]));
    CHECK(std::trunc(1000 * (x - std::exp(10))) == std::round(1000 * E_coarse[k - 1]));
    CHECK(std::trunc(1000 * (x_fine - std::exp(10))) == std::round(1000 * E_fine[k - 1]));
    CHECK(as_printed(percent(x), k == 1 ? 2 : 1) == doctest::Approx(percent_coarse[k - 1]));  // k = 4 in print: 0.5
    CHECK(as_printed(percent(x_fine), 1) == doctest::Approx(percent_fine[k - 1]));
  }
}

TEST_CASE("Example 7.4.5: the first steps of PECE" * doctest::test_suite("papers")) {
  const std::string row = "Haug, Table 7.4.5, Examples 7.4.4, 7.4.5";
  const std::vector<double> x = solve(5, "pece", 0.1, 3);
  check_paper_row({row, "PECE, x_1", 1.105, PaperFigure::none, 1e-14}, x[1]);
  check_paper_row({row, "PECE, x_2", 1.2211979, PaperFigure::none, 0.5001e-7}, x[2]);
  check_paper_row({row, "PECE, x_3", 1.3496317, PaperFigure::none, 0.5001e-7}, x[3]);
}

TEST_CASE("Tables 7.4.11 and 7.4.12: PECE at t = 10 by the algorithm of the text") {
  // The book's own figures for k >= 2 come from a start that contradicts its text (full corrector order from the first
  // step with missing differences taken as zero). These were computed apart from this code, from the text's algorithm.
  const double coarse[] = {21688.414370399, 21997.230964196, 22020.660494571, 22022.572664814, 22022.740598401};
  const double fine[] = {22022.822441481, 22026.433429077, 22026.461873511, 22026.462117453, 22026.462120316};
  for (int k = 1; k <= 5; ++k) {
    // The last of eleven digits, and the rounding of 100 and 1000 steps: 1e-13 relative.
    CHECK(std::abs(solve(k, "pece", 0.1, 100).back() - coarse[k - 1]) < 3e-9);
    CHECK(std::abs(solve(k, "pece", 0.01, 1000).back() - fine[k - 1]) < 3e-9);
  }
}

TEST_CASE("Tables 7.4.11 and 7.4.12 as printed: missing differences taken as zero from the first step on") {
  const double coarse[] = {21688.414370387, 21980.499079835, 21994.743244024, 21990.708589885, 21986.702800628};
  const double fine[] = {22022.822441367, 22026.251549431, 22026.188149769, 22026.130130982, 22026.088790048};
  const double E_coarse[] = {-338.051452637, -45.966720581, -31.722553253, -35.757209778, -39.763000488};
  const double E_fine[] = {-3.643353462, -0.214245379, -0.277645051, -0.335663855, -0.377004802};
  const double percent_coarse[] = {2, 0.2, 0.1, 0.2, 0.2}, percent_fine[] = {0.02, 0.001, 0.001, 0.002, 0.002};
  // Of the digits of E_k seven hold (single precision), beside those of x.
  const auto seventh = [](double E) { return std::pow(10, std::floor(std::log10(std::abs(E))) - 6); };
  for (int k = 1; k <= 5; ++k) {
    CAPTURE(k);
    // The book's own rounding: the same recursion in plain double precision differs from it by 1.8e-8 and 1.2e-7.
    const double x = solve(k, "pece", 0.1, 100, "zero_differences").back();
    const double x_fine = solve(k, "pece", 0.01, 1000, "zero_differences").back();
    CHECK(std::abs(x - coarse[k - 1]) < 2e-8);
    CHECK(std::abs(x_fine - fine[k - 1]) < 1.3e-7);
    CHECK(std::abs(x - std::exp(10) - E_coarse[k - 1]) < 2e-8 + seventh(E_coarse[k - 1]));
    CHECK(std::abs(x_fine - std::exp(10) - E_fine[k - 1]) < 1.3e-7 + seventh(E_fine[k - 1]));
    CHECK(as_printed(percent(x), 1) == doctest::Approx(percent_coarse[k - 1]));  // k = 3 in print: 0.2
    CHECK(as_printed(percent(x_fine), 1) == doctest::Approx(percent_fine[k - 1]));
  }
}

TEST_CASE("recommended start: 40 steps of 0.01 with orders up to 5, then order 5 with 0.1") {
  const BuiltComponent<Integrator> adams(
      ComponentKind::integrator, "adams",
      {{{"order", 5}, {"h_start", 0.01}}, {{"mode", "predictor"}, {"start", "small_steps"}}, {}});
  CallableOde system = growth();
  OdeRun run(*adams, system, 0, {1});
  for (int i = 0; i < 4; ++i) run.step(0.1);
  CHECK(system.evaluations == 40);
  for (int i = 4; i < 100; ++i) run.step(0.1);
  CHECK(system.evaluations == 40 + 96);
  CHECK(std::abs(run.y()[0] - 22024.816426) < 0.5001e-6);  // computed apart from this code
  // A step that is no multiple of h_start is divided into equal shorter parts.
  CallableOde other = growth();
  OdeRun uneven(*adams, other, 0, {1});
  uneven.step(0.105);
  CHECK(other.evaluations == 11);
  CHECK(std::abs(uneven.y()[0] - std::exp(0.105)) < 2e-4);  // the ramp's first step: (0.0095)^2 / 2, then third order
}

TEST_CASE("a step size that changes without a restart is refused, and allowed with one") {
  const BuiltComponent<Integrator> adams(ComponentKind::integrator, "adams", {{{"order", 3}}, {}, {}});
  CallableOde system = growth();
  OdeRun run(*adams, system, 0, {1});
  run.step(0.1);
  run.step(0.1);
  CHECK(run.attempt(0.05).status.code == StatusCode::failed);
  run.reject();
  run.restart();
  CHECK(run.attempt(0.05).status.ok());
}

TEST_CASE("PECE evaluates twice per step, the predictor once") {
  for (const bool pece : {true, false}) {
    const BuiltComponent<Integrator> adams(ComponentKind::integrator, "adams",
                                           {{{"order", 4}}, {{"mode", pece ? "pece" : "predictor"}}, {}});
    CallableOde system = growth();
    OdeRun run(*adams, system, 0, {1});
    run.run(1, 20);
    CHECK(system.evaluations == (pece ? 40 : 20));
  }
}
