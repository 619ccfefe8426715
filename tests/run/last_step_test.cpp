// States inside a step without dense output of the method's own: ends as they are, a cubic exactly, slopes asked once.
#include "run/stepping/last_step.h"

#include <doctest/doctest.h>

#include "one_equation_plant.h"

using namespace trammel;

namespace {

constexpr double same_time = 1e-12;

double cubic_at(double t) { return 1 + t * (2 + t * (-3 + t)); }

/// y = cubic_at(t).
struct SlopePlant final : OneEquationPlant {
  SlopePlant() {
    equation.slope = [](double t) { return 2 + t * (-6 + 3 * t); };
  }
};

struct NoDenseOutput final : Integrator {
  IntegratorTraits traits() const override { return {}; }
  MemorySize memory(const ProblemSize&) const override { return {}; }
  Status start(const Problem&, const ConstStateView&, const Memory&) const override { return Status::success(); }
  StepResult attempt(const Problem&, const ConstStateView&, double, const StateView&, VectorView,
                     const Memory&) const override {
    return {};
  }
};

struct Step {
  Step() {
    last.end().view.t = 0.5;
    last.end().view.x[0] = cubic_at(0.5);
    last.begin();
    take(1.5);
  }
  void take(double t) {
    StateBuffer& next = last.attempted();
    next.view.t = t;
    next.view.x[0] = cubic_at(t);
    last.accept(next, t - last.t());
  }
  double at(double t) {
    REQUIRE(last.interpolate(t, inside.view));
    return inside.view.x[0];
  }
  SlopePlant plant;
  NoDenseOutput integrator;
  MethodRun method{integrator, "none", "test", plant};
  LastStep last{method, plant, same_time};
  StateBuffer inside{{1, 0}, ViewKind::ode};
};

}  // namespace

TEST_CASE("a cubic motion is found exactly inside the step, its slopes are evaluated once in a step") {
  Step step;
  CHECK(step.last.t_previous() == 0.5);
  CHECK(step.last.h() == 1);
  for (const double t : {0.6, 0.9, 1.0, 1.4}) CHECK(step.at(t) == doctest::Approx(cubic_at(t)).epsilon(1e-14));
  CHECK(step.plant.equation.evaluations == 2);
  step.take(1.75);
  CHECK(step.last.t_previous() == 1.5);
  CHECK(step.at(1.6) == doctest::Approx(cubic_at(1.6)).epsilon(1e-14));
  CHECK(step.plant.equation.evaluations == 4);
}

TEST_CASE("at its ends the states themselves are shown, corrections after the attempt included") {
  Step step;
  step.last.end().view.x[0] = 7;
  CHECK(step.at(1.5 - 0.5 * same_time) == 7);
  CHECK(step.at(0.5) == cubic_at(0.5));
  CHECK(step.plant.equation.evaluations == 0);
}

TEST_CASE("a step shorter than what counts as the same time shows its ends, and what is between them") {
  Step step;
  step.last.begin();
  step.take(1.5 + 0.25 * same_time);
  step.last.end().view.x[0] = 8;
  CHECK(step.at(1.5) == cubic_at(1.5));
  CHECK(step.at(1.5 + 0.25 * same_time) == 8);
  CHECK(step.at(1.5 + 0.125 * same_time) < 8);
  CHECK(step.plant.equation.evaluations == 2);
}

TEST_CASE("a step that an event cut off has another end and length, and the same motion inside") {
  Step step;
  const double before = step.at(0.8);
  (void)step.at(1.25);
  step.inside.view.t = 1.25;
  step.last.cut_off(step.inside);
  CHECK(step.last.t() == 1.25);
  CHECK(step.last.h() == 0.75);
  CHECK(step.at(1.25) == doctest::Approx(cubic_at(1.25)).epsilon(1e-14));
  CHECK(step.at(0.8) == before);
}

TEST_CASE("a start is a step of no length") {
  Step step;
  step.last.begin();
  CHECK(step.last.t_previous() == step.last.t());
  CHECK(step.at(1.5) == cubic_at(1.5));
}
