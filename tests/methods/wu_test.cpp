// Wu, Chiou, Lin, Mech. Struct. Mach. 28 (2000) 201-218: Table 1, Propositions 1 to 3, Theorem 1, (30), the appendix,
// Table 2 and the stability regions of Figures 1 to 3.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <sstream>
#include <string>

#include "built_component.h"
#include "ode_run.h"
#include "paper_row.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/backward_differences.h"

using namespace trammel;
using sdk::Fraction;

namespace {

constexpr int orders = sdk::adams_max_order - 1;  // of the predictor

Fraction sum(const Fraction& a, const Fraction& b) { return a - (Fraction{0, 1} - b); }
Fraction gamma(int k) { return sdk::adams_gamma[static_cast<std::size_t>(k)]; }
Fraction gamma_star(int k) { return sdk::adams_gamma_star[static_cast<std::size_t>(k)]; }

/// (-1)^k integral from 0 to 1 of C_k^(-s + shift) ds by its definition, (3) and (7): the product's coefficients.
long double integral(int k, int shift) {
  std::vector<long double> c{1};  // ascending powers of s
  for (int j = 0; j < k; ++j) {
    std::vector<long double> next(c.size() + 1, 0);
    for (std::size_t i = 0; i < c.size(); ++i) {
      next[i + 1] += c[i] / (j + 1);
      next[i] += c[i] * (j - shift) / (j + 1);
    }
    c = next;
  }
  long double result = 0;
  for (std::size_t i = 0; i < c.size(); ++i) result += c[i] / static_cast<long double>(i + 1);
  return result;
}

/// Weights of f in ordinates times `denominator`: sum_{i<count} g_i nabla^i f_n = sum_j w_j f_{n-j}.
std::vector<double> ordinates(Fraction (*g)(int), int count, double denominator) {
  std::vector<double> w(static_cast<std::size_t>(count), 0.0);
  for (int i = 0; i < count; ++i) {
    double binomial = 1;
    for (int j = 0; j <= i; ++j) {
      w[static_cast<std::size_t>(j)] += denominator * g(i).value() * binomial;
      binomial *= -static_cast<double>(i - j) / (j + 1);
    }
  }
  return w;
}

void check_ordinates(Fraction (*g)(int), double denominator, const std::vector<double>& printed) {
  const std::vector<double> w = ordinates(g, static_cast<int>(printed.size()), denominator);
  for (std::size_t j = 0; j < printed.size(); ++j)
    CHECK(std::abs(w[j] - printed[j]) < 1e-11);  // rounding of at most 2774
}

BuiltComponent<Integrator> method(const char* type, int order) {
  Arguments arguments{{{"order", order}}, {}, {}};
  if (std::string(type) == "adams") arguments.words = {{"mode", "predictor"}, {"start", "runge_kutta"}};
  return BuiltComponent<Integrator>(ComponentKind::integrator, type, arguments);
}

/// Distance from the origin, in the direction `angle`, where the stability region ends.
double boundary(const char* type, int order, double angle) {
  const BuiltComponent<Integrator> integrator = method(type, order);
  const auto* stability = find_extension<LinearStability>(*integrator);
  const auto stable = [&](double r) {
    return stability->spectral_radius(r * std::cos(angle), r * std::sin(angle)) <= 1 + 1e-12;
  };
  double inside = 0, outside = 0.01;
  while (stable(outside)) inside = outside, outside += 0.01;
  for (int i = 0; i < 40; ++i) (stable((inside + outside) / 2) ? inside : outside) = (inside + outside) / 2;
  return inside;
}

/// What one step of `type` from exact values adds to y' = rate y, y(0) = 1, the step from (m - 1) h to m h.
double increment(const char* type, int m, double rate, double h) {
  const BuiltComponent<Integrator> integrator = method(type, m);
  CallableOde system(1, [rate](double, const double* y, double* f) { return f[0] = rate * y[0], Status::success(); });
  OdeRun run(*integrator, system, 0, {1});
  run.run(m * h, m);  // the error of the m - 1 starting steps is rounding
  return run.y()[0] - run.from[0];
}

/// The same of the Adams-Moulton m-step method as (29) has it: f at t_{i+1} is that of the solution.
double moulton_increment(int m, double rate, double h) {
  double sum = 0;
  for (int k = 0; k <= m; ++k) {
    double difference = 0, binomial = 1;  // nabla^k f, exactly (1 - e^(-rate h))^k f
    for (int j = 0; j <= k; ++j) {
      difference += binomial * rate * std::exp(rate * (m - j) * h);
      binomial *= -static_cast<double>(k - j) / (j + 1);
    }
    sum += static_cast<double>(integral(k, 1)) * difference;
  }
  return h * sum;
}

void push(const sdk::BackwardDifferences& D, double value) {
  Eigen::VectorXd f = Eigen::VectorXd::Constant(1, value);
  Eigen::Map<Eigen::VectorXd> entry(f.data(), 1);
  D.push(entry);
}

}  // namespace

TEST_CASE("Table 1 and Propositions 2 and 3, from the integrals" * doctest::test_suite("papers")) {
  const std::string row = "Wu, Table 1";
  double partial = 0;
  for (int k = 0; k <= orders; ++k) {
    const double whole = static_cast<double>(integral(k, 0)), back = static_cast<double>(integral(k, 1));
    const std::string index = std::to_string(k);
    check_paper_row({row, "gamma_" + index, PaperFigure::none, whole, 1e-15}, gamma(k).value());
    check_paper_row({row, "gamma*_" + index, PaperFigure::none, back, 1e-15}, gamma_star(k).value());
    partial += gamma_star(k).value();
    check_paper_row({row, "Proposition 3, sum to " + index, PaperFigure::none, whole, 1e-14}, partial);
    if (k > 0) CHECK(std::abs(integral(k, 0) - integral(k, 1) - integral(k - 1, 0)) < 1e-16L);  // Proposition 2
  }
}

TEST_CASE("Proposition 1: a new backward difference from the last ones") {
  double memory[8] = {};
  const sdk::BackwardDifferences D({memory, 1, 8});
  const auto f = [](int i) { return std::sin(1.7 * i) + 0.1 * i * i; };
  for (int i = 0; i < 12; ++i) {
    double old[8];
    std::copy(memory, memory + 8, old);
    push(D, f(i));
    double expected = f(i);
    for (int k = 0; k < std::min(i, 8); ++k) {
      CHECK(std::abs(D[k][0] - expected) < 1e-11);  // differences of order 7 of numbers up to 15
      expected -= old[k];
    }
  }
}

TEST_CASE("Theorem 1: the weights, W1 + W2 = gamma_(m-1)" * doctest::test_suite("papers")) {
  const std::pair<Fraction, Fraction> share[] = {{{1, 10}, {9, 10}}, {{19, 270}, {251, 270}}, {{27, 502}, {475, 502}}};
  for (int m = 1; m <= orders; ++m) {
    const sdk::MeanWeights W = sdk::adams_mean_weights(m);
    const Fraction whole = sum(W.predictor, W.corrector);
    CHECK(whole == gamma(m - 1));
    if (m < 3 || m > 5) continue;
    const auto& [first, second] = share[m - 3];
    const std::string index = ", m = " + std::to_string(m);
    check_paper_row({"Wu, Table 1", "Theorem 1, predictor's weight" + index, first.value(), PaperFigure::none, 1e-15},
                    W.predictor.value() / whole.value());
    check_paper_row({"Wu, Table 1", "Theorem 1, corrector's weight" + index, second.value(), PaperFigure::none, 1e-15},
                    W.corrector.value() / whole.value());
  }
}

TEST_CASE("Theorem 1 in a step: mampc is the weighted mean of the predictor and ampc") {
  for (int m = 1; m <= orders; ++m) {
    CAPTURE(m);
    CallableOde system(
        1, [](double t, const double* y, double* f) { return f[0] = std::cos(t) * y[0], Status::success(); });
    const double h = 0.02;
    double y[3];
    const char* const types[] = {"adams", "ampc", "mampc"};
    for (int i = 0; i < 3; ++i) {
      const BuiltComponent<Integrator> integrator = method(types[i], m);
      OdeRun run(*integrator, system, 0, {1});
      run.run(m * h, m);  // m - 1 starting steps, whose error is rounding, and one of the method
      y[i] = run.y()[0];
    }
    const sdk::MeanWeights W = sdk::adams_mean_weights(m);
    const double w1 = W.predictor.value(), w2 = W.corrector.value();
    CHECK(std::abs((w1 * y[0] + w2 * y[1]) / (w1 + w2) - y[2]) < 1e-13);  // differences up to 12th order of rounding
    if (m < 8) CHECK(std::abs(y[1] - y[2]) > 0);
  }
}

TEST_CASE("(30): from AM_m the mean of MAMPC_m differs by h^(m+2) gamma_m^2 f' f^(m)" * doctest::test_suite("papers")) {
  const double rate = -1.3;
  for (int m = 3; m <= 5; ++m) {
    for (const double h : {0.1, 0.05}) {
      CAPTURE(m);
      CAPTURE(h);
      const double difference = moulton_increment(m, rate, h) - increment("mampc", m, rate, h);
      const double gamma_m = static_cast<double>(integral(m, 0));
      // f is linear, so f' is a constant, and (30) is exact with f^(m) at some mu between the first and the last point.
      const double f_m = difference / (std::pow(h, m + 2) * gamma_m * gamma_m * rate);
      const double ends[] = {std::pow(rate, m + 1), std::pow(rate, m + 1) * std::exp(rate * m * h)};
      const std::string what = "f^(m), m = " + std::to_string(m) + ", h = " + (h > 0.07 ? "0.1" : "0.05");
      check_paper_row({"Wu, (30)", what, PaperFigure::none, (ends[0] + ends[1]) / 2, std::abs(ends[0] - ends[1]) / 2},
                      f_m);
    }
  }
}

TEST_CASE("below (30): MAMPC_m is one order of h more accurate than AMPC_m, and as accurate in order as AM_m" *
          doctest::test_suite("papers")) {
  const double rate = -1.3, h = 0.02;
  for (int m = 3; m <= 4; ++m) {
    CAPTURE(m);
    const auto slope = [&](auto add) {
      const auto error = [&](double step) {
        return std::abs(std::exp(rate * m * step) - std::exp(rate * (m - 1) * step) - add(step));
      };
      return std::log2(error(2 * h) / error(h));
    };
    // Of one step; slopes differ from the orders by about m h rate.
    const auto check = [&](const char* type, double order) {
      const std::string what = std::string("order in a step, ") + type + ", m = " + std::to_string(m);
      check_paper_row({"Wu, (30)", what, PaperFigure::none, order, 0.04 * order},
                      slope([&](double step) { return increment(type, m, rate, step); }));
    };
    check("ampc", m + 1), check("mampc", m + 2);
    CHECK(slope([&](double step) { return moulton_increment(m, rate, step); }) == doctest::Approx(m + 2).epsilon(0.04));
  }
}

TEST_CASE("the start keeps its local error, or the rounding of large components, and says which") {
  for (const double initial : {0.1, 1e3}) {
    CAPTURE(initial);
    const BuiltComponent<Integrator> integrator = method("mampc", 5);
    CallableOde system(1, [](double, const double* y, double* f) { return f[0] = -y[0], Status::success(); });
    OdeRun run(*integrator, system, 0, {initial});
    run.run(0.2, 4);  // the start and nothing else
    // At most a hundred short steps.
    CHECK(std::abs(run.y()[0] - initial * std::exp(-0.2)) < 100 * std::max(1e-15, 4 * 2.2e-16 * initial));
    char text[200];
    find_extension<IntegratorNotes>(*integrator)->note(run.memory(), text, 199);
    const std::string note = text;
    CHECK(note.find("Runge-Kutta-Fehlberg steps with a local error of 1e-15") != std::string::npos);
    CHECK((note.find("floored at their rounding") != std::string::npos) == (initial > 1));
    run.run(0.5, 10);
    find_extension<IntegratorNotes>(*integrator)->note(run.memory(), text, 199);
    CHECK(note == text);
  }
}

TEST_CASE("appendix: the methods in ordinates, and their error constants") {
  check_ordinates(gamma, 2, {3, -1});
  check_ordinates(gamma, 12, {23, -16, 5});
  check_ordinates(gamma, 24, {55, -59, 37, -9});
  check_ordinates(gamma, 720, {1901, -2774, 2616, -1274, 251});
  check_ordinates(gamma_star, 12, {5, 8, -1});
  check_ordinates(gamma_star, 24, {9, 19, -5, 1});
  check_ordinates(gamma_star, 720, {251, 646, -264, 106, -19});
  CHECK(gamma(2) == Fraction{5, 12});
  CHECK(gamma(3) == Fraction{3, 8});
  CHECK(gamma(4) == Fraction{251, 720});
  CHECK(gamma(5) == Fraction{95, 288});
  CHECK(gamma_star(3) == Fraction{-1, 24});
  CHECK(gamma_star(4) == Fraction{-19, 720});
  CHECK(gamma_star(5) == Fraction{-3, 160});
}

TEST_CASE("Table 2: stability limits on the negative real axis, from the characteristic polynomials" *
          doctest::test_suite("papers")) {
  struct Row {
    const char* type;
    double printed[3], limit[3];
  };
  const Row rows[] = {{"adams", {0.545, 0.300, 0.164}, {6.0 / 11, 0.3, 0.163339}},
                      {"ampc", {1.729, 1.285, 0.947}, {1.728784, 1.284816, 0.946917}},
                      {"mampc", {1.935, 1.412, 1.040}, {1.934608, 1.411461, 1.039349}}};
  for (const Row& row : rows) {
    for (int m = 3; m <= 5; ++m) {
      CAPTURE(row.type);
      CAPTURE(m);
      const double limit = boundary(row.type, m, std::acos(-1.0));
      const std::string what = std::string(row.type == rows[0].type ? "abp" : row.type) + ", m = " + std::to_string(m);
      check_paper_row({"Wu, Table 2", what, row.printed[m - 3], row.limit[m - 3], 1e-6}, limit);
      CHECK(std::abs(limit - row.printed[m - 3]) < 1e-3);  // most printed limits are rounded up
    }
  }
}

TEST_CASE("Figures 1 to 3: the regions of ampc and mampc, which contains it" * doctest::test_suite("papers")) {
  // Computed by another criterion from the appendix's formulas: stability_regions.py beside the table.
  std::ifstream table(std::string(TRAMMEL_SOURCE_DIR) + "/configs/papers/wu/stability_regions.csv");
  std::string line;
  REQUIRE(std::getline(table, line));
  REQUIRE(line == "degrees,ampc_3,mampc_3,ampc_4,mampc_4,ampc_5,mampc_5");
  int rows = 0;
  for (; std::getline(table, line); ++rows) {
    std::istringstream cells(line);
    double degrees, ampc, mampc;
    char comma;
    cells >> degrees;
    for (int m = 3; m <= 5; ++m) {
      cells >> comma >> ampc >> comma >> mampc;
      CAPTURE(m);
      CAPTURE(degrees);
      const double angle = degrees * std::acos(-1.0) / 180;
      const std::string at = "_" + std::to_string(m) + " at " + std::to_string(static_cast<int>(degrees)) + " degrees";
      // Multiple roots on the circle: 1e-12 to the power 1/2.
      check_paper_row({"Wu, Figures 1 to 3", "ampc" + at, PaperFigure::none, ampc, 1e-6}, boundary("ampc", m, angle));
      check_paper_row({"Wu, Figures 1 to 3", "mampc" + at, PaperFigure::none, mampc, 1e-6},
                      boundary("mampc", m, angle));
      CHECK(mampc > ampc);
    }
  }
  CHECK(rows == 18);
}

TEST_CASE("the characteristic polynomial's largest root is the growth of a run") {
  for (const char* type : {"adams", "ampc", "mampc", "rk4"}) {
    for (int m = 3; m <= 5; ++m) {
      for (const std::complex<double> z : {std::complex<double>(-1.2, 0.7), {-0.4, 1.1}, {-1.9, 0.3}, {0.2, 0.6}}) {
        CAPTURE(type);
        CAPTURE(m);
        CAPTURE(z.real());
        CallableOde system(2, [&](double, const double* y, double* f) {
          f[0] = z.real() * y[0] - z.imag() * y[1];
          f[1] = z.imag() * y[0] + z.real() * y[1];
          return Status::success();
        });
        const bool one_step = std::string(type) == "rk4";
        const BuiltComponent<Integrator> integrator =
            one_step ? BuiltComponent<Integrator>(ComponentKind::integrator, type) : method(type, m);
        const double expected = find_extension<LinearStability>(*integrator)->spectral_radius(z.real(), z.imag());
        OdeRun run(*integrator, system, 0, {1, 0});
        // Another root nearly as large beats with the largest; over many steps its share dies out.
        const int before = 200, counted = 200;
        for (int i = 0; i < before; ++i) run.step(1);
        const double first = std::hypot(run.y()[0], run.y()[1]);
        for (int i = 0; i < counted; ++i) run.step(1);
        const double growth = std::pow(std::hypot(run.y()[0], run.y()[1]) / first, 1.0 / counted);
        CHECK(growth == doctest::Approx(expected).epsilon(0.01));
      }
    }
  }
}
