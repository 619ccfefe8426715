// Functions: values and derivatives against Cauchy's integral, which knows nothing of the plugins' formulas.
#include "trammel/function.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "built_component.h"
#include "loaded_function.h"
#include "trammel/error.h"

using namespace trammel;

namespace {}  // namespace

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
  CHECK_THROWS_WITH_AS(
      create({}), "plugin 'harmonic', create: a harmonic function takes either 'frequency' (Hz) or 'omega' (rad/s)",
      Error);
  CHECK_THROWS_AS(create({{"frequency", 1}, {"omega", 1}}), Error);
}
