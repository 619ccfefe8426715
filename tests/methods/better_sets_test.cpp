// The rules of docs/better_sets.md, applied: the search in short, and what the sets that came out of it keep.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "built_component.h"
#include "set_search.h"
#include "stability/stability.h"

using namespace trammel;

namespace {

SetSearch::Weights weights(conditionally_explicit::Set name) {
  const conditionally_explicit::NamedSet& set = conditionally_explicit::named_sets[static_cast<int>(name)];
  return {set.weights, set.weights + set.degree - 1};
}

/// Limit along re + i im of the integrator with these weights, by black box.
double limit(const SetSearch::Weights& w, double re, double im) {
  Arguments arguments;
  arguments.lists["weights"] = w;
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "conditionally_explicit", arguments);
  RayOptions ray;
  ray.re = re, ray.im = im;
  return find_stability_limit(StabilityProbe(*method), ray).limit;
}

/// theta'' = -sin theta.
class Pendulum final : public SecondOrderSystem {
 public:
  Index size() const override { return 1; }
  ConstVectorView mask() const override { return {ones_, 2}; }
  Status acceleration(double, ConstVectorView x, ConstVectorView, VectorView a) override {
    a[0] = -std::sin(x[0]);
    return Status::success();
  }
  Status linearize(double, ConstVectorView x, ConstVectorView) override {
    slope_ = -std::cos(x[0]);
    return Status::success();
  }
  Status apply_mass(ConstVectorView y, VectorView out) override { return times(1, y, out); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return times(slope_, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return times(0, y, out); }
  Status time_gradient(VectorView out) override {
    out[0] = 0;
    return Status::success();
  }
  Status prepare(Index, const Shift*, Index) override { return Status::success(); }
  Status solve(Index, ConstVectorView r, VectorView z) override { return times(1, r, z); }

 private:
  static Status times(double factor, ConstVectorView y, VectorView out) {
    out[0] = factor * y[0];
    return Status::success();
  }
  double ones_[2] = {1, 1}, slope_ = 0;
};

/// theta(6) from 1.5 rad at rest.
double swing(const SetSearch::Weights& w, int steps) {
  Arguments arguments;
  arguments.lists["weights"] = w;
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "conditionally_explicit", arguments);
  Pendulum pendulum;
  Problem problem;
  problem.second_order = &pendulum;
  const MemorySize size = method->memory({1, 0});
  std::vector<double> state(static_cast<std::size_t>(size.state), 0.0), scratch(static_cast<std::size_t>(size.scratch));
  double now[2] = {1.5, 0}, next[2];
  const Memory memory{state.data(), scratch.data()};
  StateView from, to;
  from.t = 0, from.x = {now, 1}, from.v = {now + 1, 1};
  to.x = {next, 1}, to.v = {next + 1, 1};
  REQUIRE(method->start(problem, from, memory).ok());
  for (int i = 1; i <= steps; ++i) {
    to.t = 6.0 * i / steps;
    REQUIRE(method->attempt(problem, from, 6.0 / steps, to, {}, memory).status.ok());
    now[0] = next[0], now[1] = next[1], from.t = to.t;
    method->accept(problem, from, false, memory);
  }
  return now[0];
}

}  // namespace

TEST_CASE("the shipped sets meet the demand, undamped and damped") {
  using conditionally_explicit::Set;
  const SetSearch four = SetSearch::of_degree(4), five = SetSearch::of_degree(5);
  CHECK(four.instability(weights(Set::balanced_4)) == 0);
  CHECK(five.instability(weights(Set::balanced_5)) == 0);
  CHECK(std::abs(limit(weights(Set::balanced_4), 0, 1) - 1.0954) < 1e-3);
  CHECK(std::abs(limit(weights(Set::balanced_5), 0, 1) - 0.8341) < 1e-3);
  // With 5 percent damping the paper's stable set of degree 4 loses all of its range, the balanced ones hardly any.
  CHECK(limit(weights(Set::alpha_3_4), -0.05, 1) == 0);
  CHECK(limit(weights(Set::balanced_4), -0.05, 1) > 1.0);
  CHECK(limit(weights(Set::balanced_5), -0.05, 1) > 0.8);
}

TEST_CASE("error constants: a seventeenth of the paper's stable set, and of degree 5 less still") {
  using conditionally_explicit::Set;
  const SetSearch four = SetSearch::of_degree(4), five = SetSearch::of_degree(5);
  const double paper = four.error_constant(weights(Set::alpha_3_4));
  CHECK(paper == doctest::Approx(4.166e-2).epsilon(1e-3));
  CHECK(four.error_constant(weights(Set::balanced_4)) < paper / 16);
  CHECK(five.error_constant(weights(Set::balanced_5)) < 1e-3);
  CHECK(five.error_constant(weights(Set::alpha_4_5)) == doctest::Approx(2.29e-3).epsilon(1e-2));
}

TEST_CASE("positions of order 4 where forces do not depend on velocities") {
  using conditionally_explicit::Set;
  // The reference is balanced_5 with short steps, of another degree than the others.
  const double exact = swing(weights(Set::balanced_5), 12800);
  const auto order = [&](Set set) {
    return std::log2(std::abs(swing(weights(set), 400) - exact) / std::abs(swing(weights(set), 800) - exact));
  };
  CHECK(order(Set::balanced_4) == doctest::Approx(4).epsilon(0.06));
  CHECK(order(Set::balanced_5) == doctest::Approx(4).epsilon(0.06));
  CHECK(order(Set::alpha_3_4) == doctest::Approx(3).epsilon(0.06));
}

TEST_CASE("the search in short finds sets of degree 4 as good as the one shipped") {
  using conditionally_explicit::Set;
  const SetSearch search = SetSearch::of_degree(4);
  SetSearch::Found best{1e6, {}};
  for (const SetSearch::Found& start : search.grid(9, 3)) {
    SetSearch::Found found = start;
    for (const double size : {0.3, 0.1, 0.03, 0.01}) found = search.descend(found.weights, size, 60);
    best = std::min(best, found);
  }
  std::printf("degree 4: E = %.3g with %.6f, %.6f, %.6f\n", std::pow(10, best.cost), best.weights[0], best.weights[1],
              best.weights[2]);
  CHECK(search.instability(best.weights) == 0);
  CHECK(best.cost <= std::log10(search.error_constant(weights(Set::balanced_4))));
}

// The whole search, minutes: test_better_sets --no-skip --test-case="the whole search"
TEST_CASE("the whole search" * doctest::skip()) {
  for (const int degree : {4, 5}) {
    const SetSearch search = SetSearch::of_degree(degree);
    std::vector<SetSearch::Found> all;
    for (const SetSearch::Found& start : search.grid(degree == 4 ? 17 : 11, 24)) {
      SetSearch::Found found = start;
      for (double size = 0.3; size > 2e-3; size *= 0.35) found = search.descend(found.weights, size, 90);
      all.push_back(found);
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < 5; ++i) {
      std::printf("degree %d: E = %.4g with", degree, std::pow(10, all[i].cost));
      for (const double w : all[i].weights) std::printf(" %.6f", w);
      std::printf("\n");
    }
    CHECK(search.instability(all.front().weights) == 0);
  }
}
