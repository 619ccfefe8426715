// Integrator `arkode`: the adaptive Runge-Kutta methods of SUNDIALS, explicit and diagonally implicit.
//
// Reynolds, Gardner, Woodward, Chinomona, User Documentation for ARKODE (SUNDIALS 6), module ARKStep with its default
// tables and controller.
#pragma once

#include <arkode/arkode_arkstep.h>

#include "ode_session.h"
#include "trammel/sdk/plugin.h"

namespace trammel::sundials {

class ArkodeSession final : public OdeSession {
 public:
  ArkodeSession(const Problem& problem, const ConstStateView& state, bool implicit, int order)
      : OdeSession(problem, state),
        explicit_(implicit ? nullptr : f),
        implicit_(implicit ? f : nullptr),
        order_(order),
        mem_(ARKStepCreate(explicit_, implicit_, state.t, z_.get(), context_.get())) {
    if (mem_ == nullptr) throw std::bad_alloc();
    ARKStepSetErrHandlerFn(mem_, be_silent, nullptr);
    ARKStepSetUserData(mem_, static_cast<OdeSession*>(this));
    ARKStepWFtolerances(mem_, weights);
    ARKStepSetOrder(mem_, order);
    ARKStepSetMaxHnilWarns(mem_, -1);
    if (!implicit) return;
    make_linear_solver();
    ARKStepSetLinearSolver(mem_, linear_.get(), A_.get());
    ARKStepSetJacFn(mem_, jacobian);
    // f of a stage from the stage itself: evaluated, it would multiply what Newton's method left by the stiffness.
    ARKStepSetDeduceImplicitRhs(mem_, 1);
    // Its own choice of order 4, SDIRK 5(3)4, has no stage where the step begins; behind events it left errors of 1e-4
    // at every tolerance. ARK4(3)6L[2]SA (Kennedy and Carpenter 2003), like its choices of the other orders, has one.
    if (order == 4) ARKStepSetTableNum(mem_, ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ERK_NONE);
    // With its defaults Newton's matrix serves until gamma h has changed by a fifth, and one iteration is taken to be
    // enough where earlier ones converged fast: errors of a hundred tolerances in a step then pass unseen.
    ARKStepSetDeltaGammaMax(mem_, 1e-6);
    ARKStepSetNonlinConvCoef(mem_, 1e-5);
    ARKStepSetMaxNonlinIters(mem_, 10);
  }
  ~ArkodeSession() override { ARKStepFree(&mem_); }
  ArkodeSession(const ArkodeSession&) = delete;
  ArkodeSession& operator=(const ArkodeSession&) = delete;

  Status begin(const Problem& problem, const ConstStateView& state) override {
    problem_ = &problem;
    take(state);
    iterations_ = 0;
    return began(ARKStepReInit(mem_, explicit_, implicit_, state.t, z_.get()));
  }
  /// One-step methods have no history to keep; the next step size stays.
  Status move(const Problem& problem, const ConstStateView& state) override {
    problem_ = &problem;
    take(state);
    return began(ARKStepReset(mem_, state.t, z_.get()));
  }

  Step step(const Problem& problem, double stop) override {
    problem_ = &problem;
    failure_ = {};
    Step result;
    ARKStepSetStopTime(mem_, stop);
    if (ARKStepEvolve(mem_, stop, z_.get(), &result.t, ARK_ONE_STEP) < 0) {
      result.status = explain("ARKODE: error tests or iterations failed too often in one step");
      return result;
    }
    long iterations = 0;
    if (implicit_ != nullptr) ARKStepGetNumNonlinSolvIters(mem_, &iterations);
    result.order = order_;
    result.newton_iterations = static_cast<int>(iterations - iterations_);
    iterations_ = iterations;
    return result;
  }

  Status interpolate(double t, const StateView& out) override {
    if (ARKStepGetDky(mem_, t, 0, dense_.get()) != ARK_SUCCESS) {
      return Status::failure(StatusCode::failed, "ARKODE has no dense output there");
    }
    out.x.map() = at(dense_.get()).map();
    return Status::success();
  }

 private:
  static Status began(int flag) {
    return flag == ARK_SUCCESS ? Status::success() : Status::failure(StatusCode::failed, "ARKODE did not begin");
  }

  ARKRhsFn explicit_, implicit_;
  int order_;
  void* mem_;
  long iterations_ = 0;
};

class Arkode final : public SundialsIntegrator {
 public:
  enum class Method : std::int32_t { erk, dirk };
  struct Parameters {
    Method method;
    std::int64_t order;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, method, "1",
                                           "Explicit, or diagonally implicit with Newton's method for stiff problems.")
                                 .choices("erk|dirk")
                                 .otherwise("\"erk\""),
                             TRAMMEL_FIELD(Parameters, order, "1", "Order of the table: erk 2 to 8, dirk 2 to 5.")
                                 .at_least(2)
                                 .at_most(8)
                                 .otherwise("4"));

  explicit Arkode(const Parameters& p) : implicit_(p.method == Method::dirk), order_(static_cast<int>(p.order)) {
    if (implicit_ && order_ > 5) throw Error::parameter("order", "\"dirk\" has orders 2 to 5");
  }

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = order_;
    traits.interpolation_order = std::min(order_, 5);
    traits.self_controlled = traits.restart_only = true;
    traits.implicit = implicit_;
    return traits;
  }

 protected:
  const sdk::NamedFamily& family() const override {
    return implicit_ ? sdk::implicit_runge_kutta_family : sdk::runge_kutta_family;
  }
  std::unique_ptr<Session> make_session(const Problem& problem, const ConstStateView& state) const override {
    return std::make_unique<ArkodeSession>(problem, state, implicit_, order_);
  }

 private:
  bool implicit_;
  int order_;
};

}  // namespace trammel::sundials
