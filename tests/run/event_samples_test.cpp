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

TEST_CASE("samples that are inserted stand in their order, of every function, and the next step begins without them") {
  EventSamples samples;
  samples.resize(2);
  samples.divide(0, 1, 0);
  for (std::size_t k = 0; k <= 2; ++k) samples.set(k, {1.0, samples.time(k) - 0.3});
  REQUIRE(samples.insert(0.7, {2, 0.4}));
  REQUIRE(samples.insert(0.3, {-2, 0}));
  const std::vector<EventSamples::Point>& points = samples.points_of(0);
  REQUIRE(points.size() == 5);
  CHECK(points[1].t == 0.3);
  CHECK(points[1].f == -2);
  CHECK(points[3].f == 2);
  CHECK(samples.points_of(1)[1].f == 0);
  CHECK(samples.first(1) == -0.3);
  samples.divide(1, 2, 0);
  CHECK(samples.count() == 3);
}

TEST_CASE("there is room for a number of inserted samples, and no more") {
  EventSamples samples;
  samples.resize(1);
  samples.divide(0, 1, 0);
  std::size_t taken = 0;
  while (taken < 100000 && samples.insert(0.5, {1})) ++taken;
  CHECK(taken > 150);
  CHECK(taken < 300);
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
