// Where steps end: goals, break points, grids of fixed steps, narrow parts, landings, and what bounds a single step.
#include "run/stepping/step_plan.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace trammel;

namespace {

constexpr double nothing = std::numeric_limits<double>::infinity();

StepControlOptions control(double step = std::nan(""), double max_step = std::nan("")) {
  StepControlOptions options{};
  options.step = step, options.max_step = max_step;
  return options;
}

IntegratorTraits method(int order, bool variable_step = true) {
  IntegratorTraits traits;
  traits.order = order, traits.variable_step = variable_step;
  return traits;
}

/// Ends of the steps from 0 to t_end with the controller's proposal h.
std::vector<double> ends(StepPlan& plan, double h, double t_end) {
  std::vector<double> found;
  plan.begin_segment(0);
  for (double t = 0; t < t_end - 1e-12 && found.size() < 10000;) {
    const StepPlan::Target target = plan.next(t, h, t_end);
    CHECK(target.t - t == doctest::Approx(target.h).epsilon(1e-9));
    t = target.t;
    plan.step_taken(target, t);
    found.push_back(t);
  }
  return found;
}

bool holds(const std::vector<double>& times, double t) {
  for (const double x : times) {
    if (x == t) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("controlled steps end on break points and on the goal exactly, and leave no sliver before them") {
  StepPlan plan(control(), method(5), {{0.3, 0.7}, {}, {}}, 1);
  const std::vector<double> found = ends(plan, 0.09, 1);
  CHECK(holds(found, 0.3));
  CHECK(holds(found, 0.7));
  CHECK(found.back() == 1);
  double t = 0;
  for (const double end : found) {
    CHECK(end - t <= 0.09 * (1 + 1e-9));
    CHECK(end - t > 0.02);
    t = end;
  }
}

TEST_CASE("the largest step, a flight, a turn and a landing bound controlled steps, each as long as it says") {
  StepPlan plan(control(std::nan(""), 0.2), method(5), {}, 10);
  plan.begin_segment(0);
  CHECK(plan.next(0, 1, 10).h == 0.2);
  plan.limit_turning(0.15);
  CHECK(plan.next(0, 1, 10).h == 0.15);
  plan.limit_flight(0.1);
  const StepPlan::Target flight = plan.next(0, 1, 10);
  CHECK(flight.h == 0.1);
  plan.step_taken(flight, 0.1);  // a flight is one step's
  CHECK(plan.next(0.1, 1, 10).h == 0.15);
  plan.land_at(0.18);
  CHECK(plan.next(0.1, 1, 10).t == 0.18);
  CHECK(plan.next(0.18, 1, 10).h == 0.15);
}

TEST_CASE("methods of low order take three steps at least between break points") {
  StepPlan low(control(), method(2), {{0.5}, {}, {}}, 1), high(control(), method(4), {{0.5}, {}, {}}, 1);
  low.begin_segment(0), high.begin_segment(0);
  CHECK(low.next(0, 1, 1).h == doctest::Approx(0.5 / 3));
  CHECK(high.next(0, 1, 1).t == 0.5);
}

TEST_CASE("fixed steps are counted, not summed up: ten thousand of 1e-3 end at 10") {
  StepPlan plan(control(1e-3), method(4), {}, 10);
  const std::vector<double> found = ends(plan, 1, 10);
  REQUIRE(found.size() == 10000);
  CHECK(found.back() == 10);
  CHECK(found[1233] == 1234 * 1e-3);
  CHECK(plan.on_grid(3.217));
  CHECK_FALSE(plan.on_grid(3.2175));
}

TEST_CASE("on an equidistant grid a break point off it is reached in eight steps of their own, and the grid is not") {
  StepPlan plan(control(0.1), method(4, false), {{0.25}, {}, {}}, 1);
  plan.begin_segment(0);
  StepPlan::Target target{};
  double t = 0;
  const auto step = [&] {
    target = plan.next(t, 1, 1);
    t = target.t;
    plan.step_taken(target, t);
  };
  step();
  CHECK_FALSE(target.anew);
  step();
  CHECK(t == 0.2);
  for (int k = 1; k <= 8; ++k) {
    step();
    CHECK(target.anew == (k == 1));
    CHECK(target.h == doctest::Approx(0.05 / 8));
  }
  CHECK(t == 0.25);
}

TEST_CASE("fixed steps that may have any length become short in a narrow part, and the grid goes on behind it") {
  StepPlan::Times times;
  times.profile.add({{0.42, 0.44, 0.01}}, {}, 0.001);
  StepPlan plan(control(0.1), method(4), times, 10);
  const std::vector<double> found = ends(plan, 1, 10);
  int inside = 0;
  double t = 0;
  for (const double end : found) {
    if (t >= 0.42 - 1e-9 && end <= 0.44 + 1e-9) ++inside;
    if (t >= 0.42 && end <= 0.44) CHECK(end - t <= 0.01 / 4 * (1 + 1e-9));
    t = end;
  }
  CHECK(inside >= 7);
  CHECK(found.size() < 130);
  CHECK(plan.about_fixed_steps(10).empty());
}

TEST_CASE("what is fast everywhere is warned of, with a step that sees it") {
  StepPlan::Times times;
  times.profile.add({{0, 10, 0.01}}, {}, 0.001);
  StepPlan plan(control(0.1), method(4), times, 10);
  CHECK(plan.step_that_sees(10) == doctest::Approx(0.005));
  CHECK(plan.about_fixed_steps(10).find("steps of 0.005 s or less see it") != std::string::npos);
  StepPlan fine(control(0.004), method(4), times, 10);
  CHECK(fine.step_that_sees(10) == nothing);
  CHECK(fine.about_fixed_steps(10).empty());
}

TEST_CASE("the first step cut by an event is taken in eight parts, and in longer ones where the event comes later") {
  StepPlan plan(control(0.1), method(4), {}, 1);
  plan.begin_segment(0);
  plan.divide_piece(0.04);
  std::vector<double> found;
  for (double t = 0; t < 0.1 - 1e-12;) {
    const StepPlan::Target target = plan.next(t, 1, 1);
    t = target.t;
    plan.step_taken(target, t);
    found.push_back(t);
  }
  CHECK(found[0] == doctest::Approx(0.005));
  CHECK(found[7] == doctest::Approx(0.04));
  CHECK(found[8] - found[7] > 0.005 * 1.5);
  CHECK(found.back() == 0.1);
  CHECK(plan.next(0.1, 1, 1).t == doctest::Approx(0.2));
}

TEST_CASE("functions are seen as they are before a break point, and jumps beside a step are told") {
  const StepPlan plan(control(), method(5), {{0.5}, {0.5}, {}}, 1);
  CHECK(plan.left_of_break(0.5) < 0.5);
  CHECK(plan.left_of_break(0.5) > 0.5 - 1e-14);
  CHECK(plan.left_of_break(0.4) == 0.4);
  CHECK(plan.jump_outside(0.6, 0.7, 0.45, 0.7) == 0.5);
  CHECK(plan.jump_outside(0.3, 0.4, 0.3, 0.6) == 0.5);
  CHECK(plan.jump_outside(0.3, 0.4, 0.3, 0.45) == nothing);
}
