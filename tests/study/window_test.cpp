// Windows of statistics: parts of a run, filtered or not, against closed forms.
#include "window.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "shape_response.h"

using namespace trammel;
using namespace trammel::channel_statistics;

namespace {

constexpr double pi = std::numbers::pi;

Keys keys(FilterType filter, double from, double until) {
  Keys keys{};
  keys.from = from, keys.until = until, keys.filter = filter, keys.order = 2;
  keys.low = keys.high = keys.sample_rate = std::nan("");
  return keys;
}

struct Sums {
  double& largest;
  double& integral;
  double& length;
  void point(double, double x) const { largest = std::max(largest, x); }
  void piece(double h, double a, double m, double b) const {
    integral += h * (a * a + 4 * m * m + b * b) / 6, length += h;
  }
};

struct Found {
  double largest = -1e300, rms = 0, length = 0;
};

Found look(const Keys& keys, double end, double h, const std::function<double(double)>& f) {
  const Window window(keys);
  std::vector<double> memory(static_cast<std::size_t>(window.size()), 0.0);
  Found found;
  double integral = 0;
  const Sums sums{found.largest, integral, found.length};
  const auto steps = static_cast<int>(std::round(end / h));
  for (int i = 0; i <= steps; ++i) {
    const double s = static_cast<double>(i) / steps, t = end * (0.8 * s + 0.2 * s * s);  // uneven samples
    window.accumulate(t, f(t), i == 0, memory.data(), sums);
  }
  if (window.needs_all_samples()) window.finish(memory.data(), sums);
  found.rms = std::sqrt(integral / found.length);
  return found;
}

}  // namespace

TEST_CASE("a window cuts samples where it begins and ends") {
  const Found found = look(keys(FilterType::none, 1.25, 2.5), 4, 0.01, [](double t) { return t; });
  CHECK(std::abs(found.largest - 2.5) < 1e-12);
  CHECK(std::abs(found.length - 1.25) < 1e-12);
  CHECK(std::abs(found.rms - std::sqrt((std::pow(2.5, 3) - std::pow(1.25, 3)) / 3 / 1.25)) < 1e-12);
}

TEST_CASE("a filtered sine has the amplitude that the filter leaves, once the start has died out") {
  for (const FilterType type : {FilterType::low_pass, FilterType::high_pass, FilterType::band_pass, FilterType::wk}) {
    Keys k = keys(type, 20, 25);
    if (type != FilterType::high_pass && type != FilterType::wk) k.high = 3;
    if (type == FilterType::high_pass || type == FilterType::band_pass) k.low = 1;
    const Shape shape = type == FilterType::low_pass    ? low_pass(2, 3)
                        : type == FilterType::high_pass ? high_pass(2, 1)
                        : type == FilterType::band_pass ? band_pass(2, 1, 3)
                                                        : weighting(wk);
    const double gain = std::abs(response(shape, {0, 2 * pi * 2}));
    const Found found = look(k, 26, 0.001, [](double t) { return 3 * std::sin(2 * pi * 2 * t); });
    CHECK(std::abs(found.largest / (3 * gain) - 1) < 2e-4);
    CHECK(std::abs(found.rms / (3 * gain / std::sqrt(2)) - 1) < 1e-4);
  }
}

TEST_CASE("forth and back, the square of the magnitude and no phase") {
  Keys k = keys(FilterType::low_pass, 10, 15);
  k.high = 3, k.zero_phase = true, k.sample_rate = 500;
  const double gain = 1 / (1 + std::pow(2.0 / 3, 4));
  const Found found = look(k, 26, 0.001, [](double t) { return std::sin(2 * pi * 2 * t); });
  CHECK(std::abs(found.rms / (gain / std::sqrt(2)) - 1) < 1e-3);
  // A pulse stays where it is.
  k.from = 0;
  const Window window(k);
  CHECK(window.needs_all_samples());
}

TEST_CASE("keys that do not go together are refused") {
  const auto refused = [](Keys k) {
    try {
      const Window window(k);
    } catch (const Error& error) {
      return error.key();
    }
    return std::string();
  };
  CHECK(refused(keys(FilterType::none, 2, 1)) == "until");
  CHECK(refused(keys(FilterType::low_pass, 0, 1)) == "high");
  Keys both = keys(FilterType::band_pass, 0, 1);
  both.low = 3, both.high = 2;
  CHECK(refused(both) == "high");
  Keys none = keys(FilterType::none, 0, 1);
  none.low = 3;
  CHECK(refused(none) == "low");
  Keys zero = keys(FilterType::wk, 0, 1);
  zero.zero_phase = true;
  CHECK(refused(zero) == "sample_rate");
  zero.sample_rate = 100, zero.until = std::nan("");
  CHECK(refused(zero) == "until");
}
