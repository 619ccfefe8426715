// Integrator `cvode`: the variable-order, variable-step multistep methods of SUNDIALS.
//
// Hindmarsh, Serban, Balos, Gardner, Reynolds, Woodward, User Documentation for CVODE (SUNDIALS 6). Adams-Moulton of
// order 1 to 12 with functional iteration, or BDF of order 1 to 5 with Newton's method and a dense Jacobian.
#pragma once

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "ode_session.h"
#include "trammel/sdk/plugin.h"

namespace trammel::sundials {

class CvodeSession final : public OdeSession {
 public:
  CvodeSession(const Problem& problem, const ConstStateView& state, bool stiff, int max_order, double share)
      : OdeSession(problem, state), mem_(CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context_.get())) {
    if (mem_ == nullptr) throw std::bad_alloc();
    share_ = share;
    CVodeSetErrHandlerFn(mem_, be_silent, nullptr);
    CVodeInit(mem_, f, state.t, z_.get());
    CVodeSetUserData(mem_, static_cast<OdeSession*>(this));
    CVodeWFtolerances(mem_, weights);
    CVodeSetMaxOrd(mem_, max_order);
    CVodeSetMaxHnilWarns(mem_, -1);
    if (stiff) {
      make_linear_solver();
      CVodeSetLinearSolver(mem_, linear_.get(), A_.get());
      CVodeSetJacFn(mem_, jacobian);
    } else {
      fixed_point_ = own(SUNNonlinSol_FixedPoint(z_.get(), 0, context_.get()));
      CVodeSetNonlinearSolver(mem_, fixed_point_.get());
    }
  }
  ~CvodeSession() override { CVodeFree(&mem_); }
  CvodeSession(const CvodeSession&) = delete;
  CvodeSession& operator=(const CvodeSession&) = delete;

  Status begin(const Problem& problem, const ConstStateView& state) override {
    problem_ = &problem;
    take(state);
    iterations_ = 0;
    if (CVodeReInit(mem_, state.t, z_.get()) == CV_SUCCESS) return Status::success();
    return Status::failure(StatusCode::failed, "CVODE did not begin");
  }

  Step step(const Problem& problem, double stop) override {
    problem_ = &problem;
    failure_ = {};
    Step result;
    CVodeSetStopTime(mem_, stop);
    if (CVode(mem_, stop, z_.get(), &result.t, CV_ONE_STEP) < 0) {
      result.status = explain("CVODE: error tests or iterations failed too often in one step");
      return result;
    }
    long iterations = 0;
    if (A_ != nullptr) CVodeGetNumNonlinSolvIters(mem_, &iterations);
    CVodeGetLastOrder(mem_, &result.order);
    result.newton_iterations = static_cast<int>(iterations - iterations_);
    iterations_ = iterations;
    return result;
  }

  Status interpolate(double t, const StateView& out) override {
    if (CVodeGetDky(mem_, t, 0, dense_.get()) != CV_SUCCESS) {
      return Status::failure(StatusCode::failed, "CVODE has no dense output there");
    }
    out.x.map() = at(dense_.get()).map() + offset().map();
    return Status::success();
  }

 private:
  void* mem_;
  Owner<SUNNonlinearSolver> fixed_point_;
  long iterations_ = 0;
};

class Cvode final : public SundialsIntegrator {
 public:
  enum class Method : std::int32_t { adams, bdf };
  struct Parameters {
    Method method;
    std::int64_t max_order;
    double error_share;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, method, "1", "Adams-Moulton for smooth, BDF for stiff problems.")
          .choices("adams|bdf")
          .otherwise("\"adams\""),
      TRAMMEL_FIELD(Parameters, max_order, "1", "Highest order; 0: what the method has, adams 12, bdf 5.")
          .at_least(0)
          .at_most(12)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, error_share, "1",
                    "Local errors are kept to this share of the tolerances: many short steps add them up.")
          .above(0)
          .at_most(1)
          .otherwise("0.1"));

  explicit Cvode(const Parameters& p)
      : stiff_(p.method == Method::bdf),
        max_order_(p.max_order > 0 ? static_cast<int>(p.max_order)
                   : stiff_        ? 5
                                   : 12),
        share_(p.error_share) {
    if (stiff_ && max_order_ > 5) throw Error::parameter("max_order", "\"bdf\" has orders 1 to 5");
  }

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = traits.interpolation_order = max_order_;
    traits.self_controlled = traits.restart_only = true;
    traits.implicit = stiff_;
    return traits;
  }

 protected:
  const sdk::NamedFamily& family() const override {
    return stiff_ ? sdk::backward_differentiation_family : sdk::adams_family;
  }
  std::unique_ptr<Session> make_session(const Problem& problem, const ConstStateView& state) const override {
    return std::make_unique<CvodeSession>(problem, state, stiff_, max_order_, share_);
  }

 private:
  bool stiff_;
  int max_order_;
  double share_;
};

}  // namespace trammel::sundials
