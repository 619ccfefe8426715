// The error metric against closed forms: formulas of columns, the local cubic, both grids.
#include "study/error_metric.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>

#include "process.h"
#include "trammel/error.h"

using namespace trammel;
using At = ChannelObserver::At;

namespace {

constexpr double pi = 3.14159265358979323846;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// y = f(t) on 0, dt, ..., 1.
CsvTable table_of(double (*f)(double), double dt) {
  CsvTable table{{"t", "y"}, {}};
  for (int i = 0; i <= static_cast<int>(std::lround(1 / dt)); ++i) {
    table.values.push_back(i * dt);
    table.values.push_back(f(i * dt));
  }
  return table;
}

ErrorOptions options(ErrorOptions::Grid grid) {
  return {{}, ErrorOptions::Norm::max, grid, left_out(), left_out(), left_out()};
}

std::map<std::string, double> by_name(const ErrorMetric& metric) {
  std::map<std::string, double> named;
  for (const auto& [name, value] : metric.results()) named[name] = value;
  return named;
}

double cubic(double t) { return 2 - t + 3 * t * t - 5 * t * t * t; }
double wave(double t) { return std::sin(2 * t); }

}  // namespace

TEST_CASE("formulas of columns; unwrap follows an angle over many turns") {
  ColumnSet columns;
  ColumnExpression plain("rod.x", columns), formula("=2*rod.x + t - pi", columns);
  ColumnExpression angle("=unwrap(2*atan2(crank.e3, crank.e0)) + 1", columns);
  CHECK(columns.names() == std::vector<std::string>{"rod.x", "crank.e3", "crank.e0"});
  for (int i = 0; i <= 100; ++i) {
    const double theta = -0.3 * i;  // five turns backwards
    const double values[] = {0.5, std::sin(theta / 2), std::cos(theta / 2)};
    CHECK(plain.evaluate(i, values) == 0.5);
    CHECK(formula.evaluate(i, values) == doctest::Approx(1 + i - pi));
    CHECK(std::abs(angle.evaluate(i, values) - (theta + 1)) < 1e-13);  // rounding of five turns
  }
  CHECK(refusal([&] { ColumnExpression("rod x", columns); }).find("is no name of a column") != std::string::npos);
  CHECK(refusal([&] { ColumnExpression("=sn(rod.x)", columns); }).find("did you mean 'sin'?") != std::string::npos);
  CHECK(refusal([&] { ColumnExpression("=unwrap(1", columns); }).find("a ')' is missing") != std::string::npos);
  CHECK(refusal([&] { ColumnExpression("=unwrap(unwrap(rod.x))", columns); }).find("inside") != std::string::npos);
}

TEST_CASE("the local cubic is exact for cubics, also at the ends, and of fourth order") {
  std::vector<double> times, values, coarse_times, coarse_values, fine_times, fine_values;
  for (const double t : {0.0, 0.1, 0.25, 0.3, 0.7, 1.0}) times.push_back(t), values.push_back(cubic(t));
  for (double t = 0; t <= 1; t += 0.01) CHECK(std::abs(local_cubic(times, values, t) - cubic(t)) < 1e-14);
  for (int i = 0; i <= 10; ++i) coarse_times.push_back(0.1 * i), coarse_values.push_back(wave(0.1 * i));
  for (int i = 0; i <= 20; ++i) fine_times.push_back(0.05 * i), fine_values.push_back(wave(0.05 * i));
  const double coarse = std::abs(local_cubic(coarse_times, coarse_values, 0.45) - wave(0.45));
  const double fine = std::abs(local_cubic(fine_times, fine_values, 0.475) - wave(0.475));
  CHECK(coarse / fine > 14);  // 2^4, slightly disturbed by the wave's phase
  CHECK(coarse / fine < 18);
  CHECK(local_cubic({0, 1}, {3, 5}, 0.5) == doctest::Approx(4));  // two points: the line
}

TEST_CASE("on the reference's grid: largest, when, root mean square, percent") {
  ColumnSet columns;
  ErrorMetric metric(options(ErrorOptions::Grid::reference), {{"q", "y"}}, table_of(cubic, 0.1), "r", columns);
  REQUIRE(metric.times().size() == 11);
  double squares = 0;
  for (const double t : metric.times()) {
    const double off = t * (1 - t), value = cubic(t) + off;  // largest, 0.25, at 0.5
    squares += off * off;
    metric.sample(At::time, t, &value);
    const double elsewhere = 100;  // steps of the run do not count here
    metric.sample(At::step, t + 0.05, &elsewhere);
  }
  const auto result = by_name(metric);
  CHECK(result.at("") == doctest::Approx(0.25));
  CHECK(result.at("max") == doctest::Approx(0.25));
  CHECK(result.at("time") == doctest::Approx(0.5));
  CHECK(result.at("rms") == doctest::Approx(std::sqrt(squares / 11)));
  CHECK(result.at("percent") == doctest::Approx(100 * 0.25 / cubic(0.5)));
}

TEST_CASE("on the run's own steps, in a window, relative to a threshold") {
  ErrorOptions own = options(ErrorOptions::Grid::own);
  own.from = 0.2;
  own.until = 0.8;
  own.threshold = 10;
  own.norm = ErrorOptions::Norm::rms;
  ColumnSet columns;
  ErrorMetric metric(own, {{"=q*2", "=y + 1"}}, table_of(cubic, 0.1), "r", columns);
  CHECK(metric.times().empty());
  for (int i = 0; i <= 37; ++i) {
    const double t = i / 37.0, off = t > 0.2 && t < 0.8 ? 0.3 : 50, value = (cubic(t) + 1 + off) / 2;
    metric.sample(At::step, t, &value);
  }
  CHECK(by_name(metric).at("") == doctest::Approx(0.03));  // 0.3 everywhere, over the threshold of 10
  CHECK(by_name(metric).at("max") == doctest::Approx(0.03));
}

TEST_CASE("a reference that does not fit is refused") {
  ColumnSet columns;
  const CsvTable table = table_of(cubic, 0.1);
  const auto make = [&](const ErrorOptions& o, const ColumnPairs& pairs) {
    return refusal([&] { ErrorMetric(o, pairs, table, "'r.csv'", columns); });
  };
  CHECK(make(options(ErrorOptions::Grid::own), {{"q", "yy"}}) ==
        "the reference 'r.csv' has no column 'yy'; did you mean 'y'?");
  ErrorOptions late = options(ErrorOptions::Grid::reference);
  late.from = 3;
  CHECK(make(late, {{"q", "y"}}).find("no rows between") != std::string::npos);
}

TEST_CASE("tables of numbers are read strictly") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "r.csv";
  const auto said = [&](const std::string& text) {
    write_text(file, text);
    const std::string message = refusal([&] { read_csv(file); });
    return message.substr(std::min(message.size(), folder.path().string().size() + 1));
  };
  CHECK(said("# comment\n t , y \n0,1\n\n 1e-400, -2.5e3\r\n").empty());
  const CsvTable table = read_csv(file);
  CHECK(table.columns == std::vector<std::string>{"t", "y"});
  CHECK(table.values == std::vector<double>{0, 1, 0, -2500});
  CHECK(said("t,y\n0,1\n1\n") == "r.csv:3: has 1 entries; the header has 2");
  CHECK(said("t,y\n0,x\n") == "r.csv:2: 'x' is no number");
  CHECK(said("t,y\n0,1e400\n") == "r.csv:2: '1e400' is no number");
  CHECK(said("t,t\n0,1\n") == "r.csv:1: two columns are called 't'");
  CHECK(said("t,y\n") == "r.csv: holds no rows of numbers");
}
