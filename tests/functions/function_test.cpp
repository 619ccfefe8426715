// Functions: values and derivatives against Cauchy's integral, which knows nothing of the plugins' formulas.
#include "trammel/function.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "built_component.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

using Complex = std::complex<double>;

/// f^(k)(x) = k! / (2 pi i) times the integral of f(z) / (z - x)^{k+1} over a circle around x: trapezoidal rule with
/// 64 points on radius 1/2 is exact to rounding for the entire functions here.
template <class F>
void check_derivatives(const Function& function, const F& f, double x) {
  constexpr int points = 64;
  constexpr double radius = 0.5;
  double expected[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    Complex sum = 0;
    for (int j = 0; j < points; ++j) {
      const double angle = 2 * 3.14159265358979323846 * j / points;
      sum += f(x + std::polar(radius, angle)) * std::polar(1.0, -k * angle);
    }
    expected[k] = std::tgamma(k + 1) * sum.real() / points / std::pow(radius, k);
  }
  double value[4] = {NAN, NAN, NAN, NAN};
  REQUIRE(function.evaluate(x, 3, value).ok());
  double scale = 1;
  for (const double e : expected) scale = std::max(scale, std::abs(e));
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    CHECK(std::abs(value[k] - expected[k]) < 1e-12 * scale);  // rounding of 64 points, amplified by 6 / r^3 = 48
  }
  // Lower orders write no more than they are asked for.
  double low[4] = {NAN, NAN, NAN, NAN};
  REQUIRE(function.evaluate(x, 1, low).ok());
  CHECK(low[0] == value[0]);
  CHECK(low[1] == value[1]);
  CHECK(std::isnan(low[2]));
}

}  // namespace

TEST_CASE("constant") {
  const BuiltComponent<Function> f(ComponentKind::function, "constant", {{{"value", 2.5}}, {}, {}});
  check_derivatives(
      *f, [](Complex) { return Complex(2.5); }, 0.3);
  CHECK(f->max_order() == 3);
  CHECK(f->break_points(nullptr, 0) == 0);
}

TEST_CASE("polynomial, coefficients ascending") {
  const BuiltComponent<Function> f(ComponentKind::function, "polynomial",
                                   {{}, {}, {{"coefficients", {1, -2, 0.5, 3, 0, -0.25}}}});
  for (const double x : {-1.5, 0.0, 0.7, 3.0}) {
    check_derivatives(
        *f, [](Complex z) { return 1.0 - 2.0 * z + 0.5 * z * z + 3.0 * z * z * z - 0.25 * z * z * z * z * z; }, x);
  }
  const BuiltComponent<Function> line(ComponentKind::function, "polynomial", {{}, {}, {{"coefficients", {4}}}});
  check_derivatives(
      *line, [](Complex) { return Complex(4); }, -2);
}

TEST_CASE("harmonic, by angular frequency and by frequency") {
  const BuiltComponent<Function> f(ComponentKind::function, "harmonic",
                                   {{{"amplitude", 1.5}, {"omega", 2}, {"phase", 0.4}, {"offset", -1}}, {}, {}});
  for (const double x : {-2.0, 0.0, 0.9}) {
    check_derivatives(
        *f, [](Complex z) { return -1.0 + 1.5 * std::sin(2.0 * z + 0.4); }, x);
  }
  const BuiltComponent<Function> g(ComponentKind::function, "harmonic", {{{"frequency", 0.25}}, {}, {}});
  double value[1];
  REQUIRE(g->evaluate(1, 0, value).ok());
  CHECK(value[0] == doctest::Approx(1).epsilon(1e-15));  // a quarter of a period
}

TEST_CASE("harmonic wants exactly one of frequency and omega") {
  const auto create = [](std::map<std::string, double> numbers) {
    const BuiltComponent<Function> f(ComponentKind::function, "harmonic", {std::move(numbers), {}, {}});
  };
  CHECK_THROWS_WITH_AS(create({}), "a harmonic function takes either 'frequency' (Hz) or 'omega' (rad/s)", Error);
  CHECK_THROWS_AS(create({{"frequency", 1}, {"omega", 1}}), Error);
}
