// Samples of event functions: peaks between them that graze zero, kinks, and the number of parts; chattering.
#include "run/stepping/event_samples.h"

#include <doctest/doctest.h>

#include "run/stepping/chattering.h"

using namespace trammel;

namespace {

/// f = height - (t - 0.3)^2 over a step of 1 s in two parts.
struct Parabola {
  explicit Parabola(double height_) : height(height_) {
    samples.resize(1);
    samples.divide(0, 1, 0);
    for (std::size_t k = 0; k <= samples.parts(); ++k) samples.set(k, {at(samples.time(k))});
  }
  double at(double t) const { return height - (t - 0.3) * (t - 0.3); }
  double largest() {
    const std::vector<EventSamples::Point>& points = samples.points_of(0);
    REQUIRE(samples.look_at_peaks(1e-12, [&](double t, double& f) {
      ++evaluations;
      f = at(t);
      return Status::success();
    }));
    double most = points[0].f;
    for (std::size_t i = 1; i < points.size(); ++i) {
      CHECK(points[i].t > points[i - 1].t);
      most = std::max(most, points[i].f);
    }
    return most;
  }
  double height;
  EventSamples samples;
  int evaluations = 0;
};

}  // namespace

TEST_CASE("a peak that reaches over zero between two samples is found") {
  Parabola over(1e-4);
  CHECK(over.largest() == doctest::Approx(1e-4).epsilon(1e-6));
}

TEST_CASE("a peak that stays away from zero costs nothing") {
  Parabola below(-0.2);
  CHECK(below.largest() < 0);
  CHECK(below.evaluations == 0);
}

TEST_CASE("bodies that turn fast are sampled densely, an even number of parts and no more than there is room for") {
  EventSamples samples;
  samples.resize(1);
  samples.divide(0, 1, 4);
  CHECK(samples.parts() == 10);
  CHECK(samples.time(5) == 0.5);
  CHECK(samples.time(10) == 1);
  samples.divide(0, 1, 1e6);
  CHECK(samples.parts() == 66);
}

TEST_CASE("a function gets the kinks of its switches as points") {
  EventSamples samples;
  samples.resize(2);
  samples.divide(0, 1, 0);
  for (std::size_t k = 0; k <= 2; ++k) samples.set(k, {1.0, samples.time(k) - 0.3});
  const auto zero_of = [](std::size_t s, const auto& a, const auto& b, double& t) {
    CHECK(s == 1);
    CHECK(a.f * b.f < 0);
    t = 0.3;
    return Status::success();
  };
  const auto value = [](double t, double& f) {
    f = t < 0.3 ? 1 : -2;
    return Status::success();
  };
  REQUIRE(samples.look_at_kinks(1, 1, 1e-9, zero_of, value));
  const std::vector<EventSamples::Point>& points = samples.points_of(0);
  samples.take_kinks();
  REQUIRE(points.size() == 5);
  CHECK(points[1].t == doctest::Approx(0.3 - 1e-9).epsilon(1e-14));
  CHECK(points[1].f == 1);
  CHECK(points[2].t == doctest::Approx(0.3 + 1e-9).epsilon(1e-14));
  CHECK(points[2].f == -2);
}

TEST_CASE("lines through the outer points lead to the tip of a distance, which no parabola does") {
  EventSamples samples;
  samples.resize(1);
  samples.divide_at_least(16);
  samples.divide(0, 1, 0);
  const auto distance = [](double t) { return std::hypot(t - 0.41, 0.003) - 0.005; };
  for (std::size_t k = 0; k <= samples.parts(); ++k) samples.set(k, {distance(samples.time(k))});
  const std::vector<EventSamples::Point>& points = samples.points_of(0);
  REQUIRE(samples.look_at_peaks(1e-12, [&](double t, double& f) {
    f = distance(t);
    return Status::success();
  }));
  CHECK(std::any_of(points.begin(), points.end(), [](const auto& point) { return point.f < 0; }));
}

TEST_CASE("events that come too fast are reported with the time they took, at one time too") {
  Chattering slow(1000);
  for (int i = 0; i < 500; ++i) CHECK(std::isinf(slow.see(1e-5 * i)));
  Chattering fast(1000);
  for (std::size_t i = 0; i < Chattering::events; ++i) CHECK(std::isinf(fast.see(2)));
  CHECK(fast.see(2) == 0);
  CHECK(fast.see(2 + 9e-5) == doctest::Approx(9e-5));
  CHECK(std::isinf(fast.see(3)));
}
