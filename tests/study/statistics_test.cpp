// Metrics that are plugins, through their loaded libraries, against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "built_component.h"
#include "trammel/metric.h"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Results by name after samples of f at uneven times over [0, end].
std::map<std::string, double> measure(const Metric& metric, double end, const std::function<double(double)>& f) {
  std::vector<double> state(static_cast<std::size_t>(metric.memory().state), 0.0);
  const Memory memory{state.data(), nullptr};
  const int n = 2000;
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n, t = end * (0.7 * s + 0.3 * s * s), value = f(t);
    MetricSample sample;
    sample.t = t;
    sample.values = {&value, 1};
    REQUIRE(metric.accumulate(sample, memory).ok());
  }
  std::map<std::string, double> results;
  for (Index i = 0; i < metric.result_count(); ++i) results[metric.result_name(i)] = metric.result(i, memory);
  return results;
}

std::map<std::string, double> measure(const std::string& type, double end, const std::function<double(double)>& f) {
  const BuiltComponent<Metric> metric(ComponentKind::metric, type, {{}, {{"channel", "x"}}, {}});
  REQUIRE(metric->channel_count() == 1);
  CHECK(std::string(metric->channel(0)) == "x");
  return measure(*metric, end, f);
}

}  // namespace

// Extremes lie on a grid of about 3e-3: second order in it off the true ones. Trapezoids: likewise.
TEST_CASE("extremes, means and drift of sin t + 0.5 over a period and a half") {
  const auto f = [](double t) { return std::sin(t) + 0.5; };
  const double T = 3 * pi;
  auto max = measure("max", T, f);
  CHECK(max.at("") == doctest::Approx(1.5).epsilon(1e-5));
  CHECK(std::fmod(max.at("time"), 2 * pi) == doctest::Approx(pi / 2).epsilon(5e-3));
  auto min = measure("min", T, f);
  CHECK(min.at("") == doctest::Approx(-0.5).epsilon(1e-5));
  CHECK(min.at("time") == doctest::Approx(1.5 * pi).epsilon(5e-3));
  CHECK(measure("mean", T, f).at("") == doctest::Approx(0.5 + 2 / T).epsilon(1e-5));
  CHECK(measure("rms", T, f).at("") == doctest::Approx(std::sqrt(0.5 + 0.25 + 2 / T)).epsilon(1e-5));
  auto drift = measure("drift", T, [&](double t) { return f(t) + 7; });
  CHECK(drift.at("") == doctest::Approx(1.0).epsilon(1e-5));
}

TEST_CASE("negative channels have extremes too") {
  CHECK(measure("max", 1, [](double t) { return -2 - t; }).at("") == -2);
  CHECK(measure("min", 1, [](double t) { return -2 - t; }).at("") == doctest::Approx(-3));
}

TEST_CASE("energy_drift is the largest change of the balance it asks for") {
  const BuiltComponent<Metric> metric(ComponentKind::metric, "energy_drift", {{}, {}, {}});
  CHECK(std::string(metric->channel(0)) == "=energy.total + energy.dissipated - energy.work");
  auto drift = measure(*metric, 1, [](double t) { return 5 - t * (1 - t); });
  CHECK(drift.at("") == doctest::Approx(0.25).epsilon(1e-5));
  CHECK(drift.at("time") == doctest::Approx(0.5).epsilon(5e-3));
}
