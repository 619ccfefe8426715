// Values, derivatives, integrals and break points of the functions, against Cauchy's integral and quadrature.
#include "loaded_function.h"

namespace trammel {
namespace {

TEST_CASE("step: quintic between two values, constant outside") {
  const LoadedFunction f(R"json({ "type": "step", "begin": 1, "end": 3, "from": 0.5, "to": -2 })json");
  for (const double x : {1.3, 2.0, 2.7}) {
    check_derivatives(
        *f,
        [](Complex z) {
          const Complex u = (z - 1.0) / 2.0;
          return 0.5 - 2.5 * (10.0 * u * u * u - 15.0 * u * u * u * u + 6.0 * u * u * u * u * u);
        },
        x);
  }
  CHECK(f(0) == 0.5);
  CHECK(f(4) == doctest::Approx(-2).epsilon(1e-15));
  for (const double end : {1.0, 3.0}) {
    CHECK(f(end, 1) == doctest::Approx(0));
    CHECK(f(end, 2) == doctest::Approx(0));
  }
  CHECK(f.break_points() == std::vector<double>{1, 3});
  check_integral(f, -1, 5);
  check_integral(f, 1.5, 2.5);
}

TEST_CASE("bump: a polynomial of degree six on an interval") {
  const LoadedFunction f(R"json({ "type": "bump", "begin": 1, "end": 3, "height": 0.5 })json");
  for (const double x : {1.2, 2.0, 2.9}) {
    check_derivatives(
        *f,
        [](Complex z) {
          const Complex u = (z - 1.0) / 2.0;
          return 32.0 * u * u * u * (1.0 - u) * (1.0 - u) * (1.0 - u);
        },
        x);
  }
  CHECK(f(2) == 0.5);
  for (const double outside : {0.5, 1.0, 3.0, 4.0}) {
    for (int order = 0; order < 3; ++order) CHECK(f(outside, order) == doctest::Approx(0));
  }
  CHECK(f.break_points() == std::vector<double>{1, 3});
  check_integral(f, 0, 5);
  check_integral(f, 1.5, 2.5);
}

TEST_CASE("disc_path: a circle over the cylinder, flat elsewhere") {
  const LoadedFunction large(
      R"json({ "type": "disc_path", "centre": 2, "disc_radius": 4, "cylinder_radius": 0.5 })json");
  for (const double x : {1.8, 2.0, 2.21}) {
    check_derivatives(
        *large, [](Complex z) { return std::sqrt(20.25 - (z - 2.0) * (z - 2.0)) - 4.0; }, x);
  }
  const LoadedFunction f(
      R"json({ "type": "disc_path", "centre": 2, "disc_radius": 0.4699, "cylinder_radius": 0.05 })json");
  CHECK(f(2) == doctest::Approx(0.05));
  const double half = std::sqrt(0.5199 * 0.5199 - 0.4699 * 0.4699);  // 0.2225 m, where the slope is 0.473
  CHECK(f(2 - half + 1e-9, 1) == doctest::Approx(half / 0.4699).epsilon(1e-6));
  CHECK(f(2 - half - 1e-9, 1) == 0);
  CHECK(f(2 + half) == doctest::Approx(0));
  REQUIRE(f.break_points().size() == 2);
  CHECK(f.break_points()[0] == doctest::Approx(2 - half));
}

TEST_CASE("expression: exact derivatives of everything a formula may contain") {
  const LoadedFunction f(
      R"json({ "type": "expression", "formula": "sin(2*t)*exp(-a*x) + t^3/(1+t^2) - 2^t + sqrt(t+4)" })json");
  for (const double x : {-1.0, 0.0, 0.8}) {
    check_derivatives(
        *f,
        [](Complex z) {
          return std::sin(2.0 * z) * std::exp(-0.5 * z) + z * z * z / (1.0 + z * z) - std::pow(2.0, z) +
                 std::sqrt(z + 4.0);
        },
        x);
  }
  const LoadedFunction g(
      R"json({ "type": "expression", "formula": "tan(t) + asin(t/2) + acos(t/3) + atan(t) + atan2(t, 2) + log(t+3) + cosh(t) - sinh(2*t) + tanh(t) + (t+2)^1.5 + cos(t)" })json");
  for (const double x : {-0.4, 0.0, 0.6}) {
    check_derivatives(
        *g,
        [](Complex z) {
          return std::tan(z) + std::asin(z / 2.0) + std::acos(z / 3.0) + std::atan(z) + std::atan(z / 2.0) +
                 std::log(z + 3.0) + std::cosh(z) - std::sinh(2.0 * z) + std::tanh(z) + std::pow(z + 2.0, 1.5) +
                 std::cos(z);
        },
        x);
  }
  const LoadedFunction kink(
      R"json({ "type": "expression", "formula": "abs(t-1) + max(t, 2)*min(t, 3)", "break_points": [1, 2, 3] })json");
  CHECK(kink(0, 1) == 1);  // -1 + 2
  CHECK(kink(2.5) == doctest::Approx(1.5 + 6.25));
  CHECK(kink.break_points() == std::vector<double>{1, 2, 3});

  const LoadedFunction root(R"json({ "type": "expression", "formula": "sqrt(t)" })json");
  double value[4];
  CHECK(root->evaluate(-1, 0, value).code == StatusCode::out_of_domain);
  CHECK(root->evaluate(0, 0, value).ok());
  CHECK(root->evaluate(0, 1, value).code == StatusCode::out_of_domain);
}

TEST_CASE("fourier") {
  const LoadedFunction f(
      R"json({ "type": "fourier", "omega": 1.5, "offset": 0.25, "cosines": [1, 0, -0.5], "sines": [0.75, 2] })json");
  const auto exact = [](Complex z) {
    return 0.25 + std::cos(1.5 * z) - 0.5 * std::cos(4.5 * z) + 0.75 * std::sin(1.5 * z) + 2.0 * std::sin(3.0 * z);
  };
  for (const double x : {-2.0, 0.0, 1.1}) check_derivatives(*f, exact, x);
  check_integral(f, -1, 2);
  const LoadedFunction g(R"json({ "type": "fourier", "frequency": 0.25, "sines": [1] })json");
  CHECK(g(1) == doctest::Approx(1).epsilon(1e-15));
}

TEST_CASE("chirp: linear and exponential sweeps") {
  const double two_pi = 2 * std::acos(-1.0);
  const LoadedFunction f(
      R"json({ "type": "chirp", "amplitude": 2, "begin": 1, "end": 4, "begin_frequency": 0.2, "end_frequency": 0.8, "phase": 0.3, "offset": -1 })json");
  const auto linear = [=](Complex u) { return 0.3 + two_pi * (0.2 * u + 0.6 * u * u / 6.0); };
  for (const double x : {1.4, 2.5, 3.6}) {
    check_derivatives(
        *f, [&](Complex z) { return -1.0 + 2.0 * std::sin(linear(z - 1.0)); }, x);
  }
  check_derivatives(
      *f, [&](Complex z) { return -1.0 + 2.0 * std::sin(0.3 + two_pi * 0.2 * (z - 1.0)); }, 0.2);
  check_derivatives(
      *f, [&](Complex z) { return -1.0 + 2.0 * std::sin(linear(3.0) + two_pi * 0.8 * (z - 4.0)); }, 5);
  CHECK(f.break_points() == std::vector<double>{1, 4});

  const LoadedFunction g(
      R"json({ "type": "chirp", "end": 2, "begin_frequency": 0.5, "end_frequency": 1, "sweep": "exponential" })json");
  const double k = std::log(2.0) / 2;
  for (const double x : {0.5, 1.5}) {
    check_derivatives(
        *g, [&](Complex z) { return std::sin(two_pi * 0.5 / k * (std::exp(k * z) - 1.0)); }, x);
  }
  CHECK(find_extension<FunctionIntegral>(*g) == nullptr);
}

TEST_CASE("sum and product of others") {
  const std::string parts =
      R"json([{ "type": "harmonic", "omega": 2 }, { "type": "polynomial", "coefficients": [1, 1, 0.5] },
    { "type": "step", "begin": 5, "end": 6, "from": 1, "to": 3 }])json";
  const LoadedFunction s(R"json({ "type": "sum", "weights": [2, -1, 0.5], "offset": 4, "of": )json" + parts + "}");
  const LoadedFunction p(R"json({ "type": "product", "factor": -0.5, "of": )json" + parts + "}");
  for (const double x : {-1.0, 0.5, 2.0}) {
    check_derivatives(
        *s, [](Complex z) { return 4.0 + 2.0 * std::sin(2.0 * z) - (1.0 + z + 0.5 * z * z) + 0.5; }, x);
    check_derivatives(
        *p, [](Complex z) { return -0.5 * std::sin(2.0 * z) * (1.0 + z + 0.5 * z * z); }, x);
  }
  CHECK(s.break_points() == std::vector<double>{5, 6});
  CHECK(p.break_points() == std::vector<double>{5, 6});
  check_integral(s, 0, 7);
}

TEST_CASE("piecewise: each piece on its interval, joined or not") {
  const LoadedFunction f(R"json({ "type": "piecewise", "breaks": [1, 2], "continue_value": true, "pieces": [
    { "type": "polynomial", "coefficients": [0, 0, 1] }, { "type": "polynomial", "coefficients": [5, 2] }, 0 ] })json");
  CHECK(f(0.5) == 0.25);
  CHECK(f(1) == doctest::Approx(1));
  CHECK(f(1.5) == doctest::Approx(2));
  CHECK(f(1.5, 1) == 2);
  CHECK(f(3) == doctest::Approx(3));
  CHECK(f(3, 1) == 0);
  CHECK(f.break_points() == std::vector<double>{1, 2});
  check_integral(f, 0, 4);
  check_derivatives(
      *f, [](Complex z) { return z * z; }, 0.2);

  const LoadedFunction local(
      R"json({ "type": "piecewise", "breaks": [1, 4], "jumps": true, "local_argument": true, "pieces":
    [ 7, { "type": "step", "begin": 1, "end": 2 }, { "type": "harmonic", "omega": 1 } ] })json");
  CHECK(local(0) == 7);
  CHECK(local(2.5) == doctest::Approx(0.5));  // the middle of a step that begins at 1 + 1
  CHECK(local(5) == doctest::Approx(std::sin(1.0)));
  CHECK(local.break_points() == std::vector<double>{1, 2, 3, 4});
  check_integral(local, 0, 6);
}

TEST_CASE("known integrals of constant, polynomial, harmonic") {
  check_integral(LoadedFunction("2.5"), -1, 3);
  check_integral(LoadedFunction(R"json({ "type": "polynomial", "coefficients": [1, -2, 0, 4] })json"), -1, 2);
  check_integral(
      LoadedFunction(R"json({ "type": "harmonic", "omega": 3, "phase": 0.4, "offset": 2, "amplitude": -1.5 })json"), -1,
      2);
  check_integral(LoadedFunction(R"json({ "type": "harmonic", "omega": 0, "phase": 0.4 })json"), -1, 2);
}

TEST_CASE("integral of a function that knows it, and of one that does not") {
  const LoadedFunction f(
      R"json({ "type": "integral", "initial": 2, "from": 1, "of": { "type": "harmonic", "omega": 3 } })json");
  for (const double x : {-1.0, 1.0, 2.5}) {
    check_derivatives(
        *f, [](Complex z) { return 2.0 - (std::cos(3.0 * z) - std::cos(3.0)) / 3.0; }, x);
  }
  // The integral of exp(-t) sin(5 t) cos(t) / ..., whose plugin knows none: same derivatives, same closed form.
  const LoadedFunction g(
      R"json({ "type": "integral", "until": 8, "initial": -1, "of": { "type": "expression", "formula": "exp(-t)*sin(5*t)" } })json");
  for (const double x : {0.5, 2.0, 3.7, 7.5}) {
    check_derivatives(
        *g,
        [](Complex z) { return -1.0 + (5.0 - std::exp(-z) * (std::sin(5.0 * z) + 5.0 * std::cos(5.0 * z))) / 26.0; },
        x);
  }
  CHECK(g(0) == -1);
  double value[4];
  CHECK(g->evaluate(8, 3, value).ok());
  CHECK(g->evaluate(8.1, 0, value).code == StatusCode::out_of_domain);
  CHECK(g->evaluate(-0.1, 0, value).code == StatusCode::out_of_domain);
  // A kink named as break point.
  const LoadedFunction k(R"json({ "type": "integral", "until": 3, "of":
    { "type": "expression", "formula": "abs(t-1.3)", "break_points": [1.3] } })json");
  CHECK(k(3) == doctest::Approx(0.5 * (1.3 * 1.3 + 1.7 * 1.7)).epsilon(1e-14));
}

}  // namespace
}  // namespace trammel
