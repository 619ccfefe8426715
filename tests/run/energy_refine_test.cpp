// Quadrature of powers inside a step: states that do not exist are tolerated, other failures are the run's.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "one_equation_plant.h"
#include "run/energy_balance.h"
#include "run/stepping/engine.h"

using namespace trammel;

namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// Something does work in a narrow pulse; beside the first three looks at it there may be no answer.
struct Pulse final : OneEquationPlant {
  Status power(const ConstStateView& state, EnergyBudget& budget) override {
    if (++looks > 3 && failure != StatusCode::ok) return Status::failure(failure, "power");
    budget = {};
    budget.work = std::exp(-1e3 * (state.t - 0.5) * (state.t - 0.5));
    return Status::success();
  }
  StatusCode failure = StatusCode::ok;
  int looks = 0;
};

struct Stays final : Integrator {
  IntegratorTraits traits() const override { return {}; }
  MemorySize memory(const ProblemSize&) const override { return {}; }
  Status start(const Problem&, const ConstStateView&, const Memory&) const override { return Status::success(); }
  StepResult attempt(const Problem&, const ConstStateView& state, double, const StateView& next, VectorView,
                     const Memory&) const override {
    next.x.map() = state.x.map();
    return {};
  }
};

Status balanced(StatusCode failure, int& looks) {
  Pulse plant;
  plant.failure = failure;
  const Stays method;
  StepControlOptions control{};
  control.step = 1;
  control.initial_step = control.min_step = control.max_step = not_given;
  control.safety = 0.9, control.min_factor = 0.2, control.max_factor = 5;
  control.defect_control = DefectMode::off;
  Engine engine({plant, method, "stays", "test", control, 1, {}, nullptr});
  EnergyBalance balance;
  REQUIRE(engine.start());
  balance.start(plant.seen, true, 1e-9);
  const StateBuffer between = engine.make_state();
  engine.before_observation([&] { return balance.look_inside(engine, plant, between.view); });
  REQUIRE(engine.advance());
  const Status status = balance.step(engine, plant, between.view);
  looks = plant.looks;
  return status;
}

}  // namespace

TEST_CASE("a power that cannot be evaluated is a failure of the balance, states that do not exist are none") {
  int looks = 0;
  CHECK(balanced(StatusCode::ok, looks).ok());
  CHECK(looks > 9);
  CHECK(balanced(StatusCode::not_converged, looks).ok());
  for (const StatusCode code : {StatusCode::failed, StatusCode::not_finite, StatusCode::out_of_domain}) {
    const Status status = balanced(code, looks);
    CHECK(status.code == code);
    CHECK(looks == 4);
  }
}
