// Steps that are rejected where the formulation takes another chart: the method begins anew, or the run says why not.
#include "run/stepping/stepper.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "one_equation_plant.h"

using namespace trammel;

namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// Takes another chart after each rejected attempt.
struct Charts final : OneEquationPlant {
  bool rollback(const StateView&) override { return true; }
};

/// Starts once; the error of its steps is too large, or they fail.
struct StartsOnce final : Integrator {
  explicit StartsOnce(bool attempts_fail) : fails(attempts_fail) {}
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = 2, traits.error_order = 1;
    return traits;
  }
  MemorySize memory(const ProblemSize&) const override { return {}; }
  Status start(const Problem&, const ConstStateView&, const Memory&) const override {
    return ++starts > 1 ? Status::failure(StatusCode::failed, "nothing to start from") : Status::success();
  }
  StepResult attempt(const Problem&, const ConstStateView& state, double, const StateView& next, VectorView error,
                     const Memory&) const override {
    ++attempts;
    next.x.map() = state.x.map();
    if (error.size > 0) error[0] = 1;
    StepResult result;
    if (fails) result.status = Status::failure(StatusCode::not_converged, "attempt");
    return result;
  }
  bool fails;
  mutable int starts = 0, attempts = 0;
};

}  // namespace

TEST_CASE("a method that cannot start in the new chart ends the run at once, by its own words") {
  for (const bool attempts_fail : {false, true}) {
    CAPTURE(attempts_fail);
    Charts plant;
    const StartsOnce method(attempts_fail);
    StepControlOptions control{};
    control.step = control.initial_step = control.min_step = control.max_step = not_given;
    control.safety = 0.9, control.min_factor = 0.2, control.max_factor = 5;
    control.defect_control = DefectMode::off;
    const EngineParts parts{plant, method, "once", "test", control, 1, {}, nullptr};
    Stepper stepper(parts);
    Statistics statistics;
    REQUIRE(stepper.start() == "");
    const std::string trouble = stepper.advance(1, statistics);
    CAPTURE(trouble);
    CHECK(trouble.find("restart at t = 0 failed: nothing to start from") == 0);
    CHECK(method.attempts == 1);
    CHECK(method.starts == 2);
  }
}
