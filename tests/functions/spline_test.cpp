// Splines by the properties that define them: through the points, cubic between, smooth at knots, their end conditions.
#include <fstream>

#include "loaded_function.h"

namespace trammel {
namespace {

const std::vector<double> xs{-1, 0, 0.5, 2, 2.25, 4}, ys{2, -1, 0.5, 0.25, 1, 2};
const std::string points = R"json("x": [-1, 0, 0.5, 2, 2.25, 4], "y": [2, -1, 0.5, 0.25, 1, 2])json";

/// One-sided derivatives at x from four values of the cubic to its right (side = 1) or left: exact but for rounding.
std::vector<double> one_sided(const LoadedFunction& f, double x, double side, double width) {
  const double h = side * width / 4, s = 1e-12;
  double v[4];
  for (int k = 0; k < 4; ++k) v[k] = f(k == 0 ? x + s * h : x + k * h);
  return {v[0], (-11 * v[0] + 18 * v[1] - 9 * v[2] + 2 * v[3]) / (6 * h),
          (2 * v[0] - 5 * v[1] + 4 * v[2] - v[3]) / (h * h), (-v[0] + 3 * v[1] - 3 * v[2] + v[3]) / (h * h * h)};
}

void check_inside(const LoadedFunction& f) {
  for (std::size_t k = 0; k < xs.size(); ++k) CHECK(f(xs[k]) == doctest::Approx(ys[k]).epsilon(1e-14));
  for (std::size_t k = 0; k + 1 < xs.size(); ++k) {
    const double width = xs[k + 1] - xs[k], x = xs[k] + 0.4 * width;
    const std::vector<double> expected = one_sided(f, x, 1, 0.5 * width);
    for (int n = 0; n < 4; ++n) CHECK(f(x, n) == doctest::Approx(expected[static_cast<std::size_t>(n)]).epsilon(1e-9));
  }
  for (std::size_t k = 1; k + 1 < xs.size(); ++k) {
    const std::vector<double> left = one_sided(f, xs[k], -1, xs[k] - xs[k - 1]);
    const std::vector<double> right = one_sided(f, xs[k], 1, xs[k + 1] - xs[k]);
    for (std::size_t n = 0; n < 3; ++n) CHECK(left[n] == doctest::Approx(right[n]).epsilon(1e-9));
    CHECK(std::abs(left[3] - right[3]) > 0.1);
  }
  check_integral(f, -1, 4);
  check_integral(f, -0.3, 2.1);
}

TEST_CASE("natural spline") {
  const LoadedFunction f(R"json({ "type": "spline", )json" + points + "}");
  check_inside(f);
  CHECK(f(-1, 2) == doctest::Approx(0));
  CHECK(f(4, 2) == doctest::Approx(0));
  CHECK(f.break_points() == xs);
  double value[4];
  CHECK(f->evaluate(4.001, 0, value).code == StatusCode::out_of_domain);
  CHECK(f->evaluate(-1.001, 0, value).code == StatusCode::out_of_domain);
}

TEST_CASE("clamped spline reproduces a cubic, whose knots are no break points") {
  const LoadedFunction f(R"json({ "type": "spline", "ends": "clamped", "begin_slope": 0.5, "end_slope": -3, )json" +
                         points + "}");
  check_inside(f);
  CHECK(f(-1, 1) == doctest::Approx(0.5));
  CHECK(f(4, 1) == doctest::Approx(-3));
  // x^3 - 2 x at 0, 1, 2, 4; slopes -2 and 46.
  const LoadedFunction cubic(R"json({ "type": "spline", "x": [0, 1, 2, 4], "y": [0, -1, 4, 56], "ends": "clamped",
    "begin_slope": -2, "end_slope": 46 })json");
  for (const double x : {0.3, 1.5, 3.1}) {
    CHECK(cubic(x) == doctest::Approx(x * x * x - 2 * x).epsilon(1e-14));
    CHECK(cubic(x, 3) == doctest::Approx(6).epsilon(1e-13));
  }
  CHECK(cubic.break_points() == std::vector<double>{0, 4});
}

TEST_CASE("periodic spline repeats smoothly") {
  const LoadedFunction f(R"json({ "type": "spline", "ends": "periodic", )json" + points + "}");
  check_inside(f);
  for (int n = 0; n < 3; ++n) CHECK(f(-1, n) == doctest::Approx(f(4 - 1e-13, n)).epsilon(1e-9));
  for (const double x : {-0.7, 0.2, 3.9}) {
    for (int n = 0; n < 4; ++n) {
      CHECK(f(x + 5, n) == doctest::Approx(f(x, n)).epsilon(1e-12));
      CHECK(f(x - 15, n) == doctest::Approx(f(x, n)).epsilon(1e-12));
    }
  }
  const FunctionIntegral* integral = find_extension<FunctionIntegral>(*f);
  double begin = 0, end = 0;
  REQUIRE(integral->antiderivative(-3.5, &begin).ok());
  REQUIRE(integral->antiderivative(8.5, &end).ok());
  CHECK(end - begin == doctest::Approx(2 * quadrature(f, -1, 4) + quadrature(f, 1.5, 3.5)).epsilon(1e-11));
  const std::vector<double> breaks = f.break_points();
  REQUIRE(breaks.size() > 20);
  CHECK(breaks[0] == -1);
  CHECK(breaks[5] == 4);
  CHECK(breaks[6] == 5);
}

TEST_CASE("straight lines beyond the table when asked for; no breaks when not wanted") {
  const LoadedFunction f(R"json({ "type": "spline", "outside": "linear", "break_at_knots": false, )json" + points +
                         "}");
  CHECK(f(6) == doctest::Approx(2 + 2 * f(4, 1)));
  CHECK(f(6, 2) == 0);
  CHECK(f(-2) == doctest::Approx(2 - f(-1, 1)));
  check_integral(f, -3, -1);
  check_integral(f, 4, 5);
  CHECK(f.break_points().empty());
}

TEST_CASE("points from a CSV file, by position and by name") {
  const std::filesystem::path folder = temporary_run_file("").parent_path();
  std::ofstream(folder / "table.csv")
      << "# a cam\ntime, \"lift\" ,rate\n-1,2,0\n0,-1,0\n\n0.5,0.5,0\n2,0.25,0\n2.25,1,0\n4,2,7\n";
  const LoadedFunction inline_points(R"json({ "type": "spline", )json" + points + "}");
  const LoadedFunction by_position(R"json({ "type": "spline", "file": "table.csv" })json");
  const LoadedFunction by_name(
      R"json({ "type": "spline", "file": "table.csv", "x_column": "time", "y_column": "rate" })json");
  for (const double x : {-0.5, 1.0, 3.0}) CHECK(by_position(x) == inline_points(x));
  CHECK(by_name(4) == 7);
}

}  // namespace
}  // namespace trammel
