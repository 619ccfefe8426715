// StepSampler: what chords through its samples say of a motion, beside closed forms.
#include "study/step_sampler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace trammel;

namespace {

struct Seen {
  double largest, mean, looks;
};

/// Of f over [0, end] in equal steps.
Seen follow(const std::function<double(double)>& f, double end, int steps) {
  StepSampler sampler;
  Seen seen{f(0), 0, 0};
  double t = 0, x = f(0);
  for (int i = 0; i < steps; ++i) {
    const double from = end * i / steps, to = end * (i + 1) / steps;
    sampler.begin(from, {f(from)});
    const auto look = [&](double at, std::vector<double>& values) {
      values = {f(at)}, seen.looks += at < to ? 1 : 0;
      return true;
    };
    for (const StepSampler::Point& point : sampler.step(from, to, look)) {
      seen.mean += 0.5 * (point.t - t) * (x + point.values[0]) / end;
      t = point.t, x = point.values[0];
      seen.largest = std::max(seen.largest, x);
    }
    CHECK(t == to);
  }
  return seen;
}

}  // namespace

TEST_CASE("a throw in one step, and in many") {
  const auto height = [](double t) { return 10 * t - 0.5 * 9.81 * t * t; };
  for (const int steps : {1, 3, 7, 50}) {
    CAPTURE(steps);
    const Seen seen = follow(height, 2, steps);
    CHECK(seen.largest == doctest::Approx(100 / 19.62).epsilon(1e-5));
    CHECK(seen.mean == doctest::Approx(10 - 9.81 * 2 / 3).epsilon(1e-5));
  }
}

TEST_CASE("waves in steps of a sixth to three periods") {
  const auto wave = [](double t) { return std::sin(t) + 0.5; };
  const double end = 30;
  for (const int steps : {2, 5, 10, 30}) {
    CAPTURE(steps);
    const Seen seen = follow(wave, end, steps);
    CHECK(seen.largest == doctest::Approx(1.5).epsilon(2e-3));
    CHECK(seen.mean == doctest::Approx(0.5 + (1 - std::cos(end)) / end).epsilon(2e-3));
  }
  // One look per step where a parabola serves, one in four steps where the chord does.
  CHECK(follow(wave, end, 3000).looks <= 3000);
  CHECK(follow(wave, end, 30000).looks < 0.3 * 30000);
}

TEST_CASE("what does not move, or by rounding only, costs few looks") {
  CHECK(follow([](double) { return 3.0; }, 1, 1000).looks < 260);
  CHECK(follow([](double t) { return 3.0 + 1e-15 * std::sin(1e6 * t); }, 1, 1000).looks < 260);
}
