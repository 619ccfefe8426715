// Integrator `ida`: BDF of variable order and step on the stabilized index-2 form.
//
// Hindmarsh, Serban, Balos, Gardner, Woodward, Reynolds, User Documentation for IDA (SUNDIALS 6). Positions and
// velocities are under error control; multipliers count neither there nor in Newton's stopping rule, as errors of
// index-2 and index-3 variables do not stay as small (Hairer, Wanner, Solving Ordinary Differential Equations II,
// VII.3).
#pragma once

#include <ida/ida.h>

#include <cstdio>

#include "scaled_lu.h"
#include "session.h"
#include "trammel/sdk/methods/error_weights.h"
#include "trammel/sdk/plugin.h"

namespace trammel::sundials {

class IdaSession final : public Session {
 public:
  IdaSession(const Problem& problem, const ConstStateView& state, int max_order)
      : n_(state.x.size),
        equations_(state.x.size, state.lambda.size),
        ones_(static_cast<std::size_t>(2 * n_), 1.0),
        context_(make_context()),
        Y_(own(N_VNew_Serial(std::max<Index>(equations_.size(), 1), context_.get()))),
        Y_dot_(own(N_VClone(Y_.get()))),
        dense_(own(N_VClone(Y_.get()))),
        J_(own(SUNDenseMatrix(equations_.size(), equations_.size(), context_.get()))),
        lu_(equations_, context_.get()),
        mem_(IDACreate(context_.get())) {
    if (mem_ == nullptr) throw std::bad_alloc();
    problem_ = &problem;
    take(state);
    IDASetErrHandlerFn(
        mem_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDAInit(mem_, residual, state.t, Y_.get(), Y_dot_.get());
    IDASetUserData(mem_, this);
    IDAWFtolerances(mem_, weights);
    IDASetMaxOrd(mem_, max_order);
    IDASetLinearSolver(mem_, lu_.get(), J_.get());
    IDASetJacFn(mem_, jacobian);
  }
  ~IdaSession() override { IDAFree(&mem_); }
  IdaSession(const IdaSession&) = delete;
  IdaSession& operator=(const IdaSession&) = delete;

  Status begin(const Problem& problem, const ConstStateView& state) override {
    problem_ = &problem;
    take(state);
    iterations_ = 0;
    if (IDAReInit(mem_, state.t, Y_.get(), Y_dot_.get()) == IDA_SUCCESS) return Status::success();
    return Status::failure(StatusCode::failed, "IDA did not begin");
  }
  Status move(const Problem& problem, const ConstStateView& state) override { return begin(problem, state); }

  Step step(const Problem& problem, double stop) override {
    problem_ = &problem;
    failure_ = {};
    Step result;
    IDASetStopTime(mem_, stop);
    if (IDASolve(mem_, stop, &result.t, Y_.get(), Y_dot_.get(), IDA_ONE_STEP) < 0) {
      result.status =
          failure_ ? Status::failure(StatusCode::not_converged, "error tests or iterations of IDA", worst()) : failure_;
      return result;
    }
    long iterations = 0;
    IDAGetNumNonlinSolvIters(mem_, &iterations);
    IDAGetLastOrder(mem_, &result.order);
    result.newton_iterations = static_cast<int>(iterations - iterations_);
    iterations_ = iterations;
    return result;
  }

  void note(char* text, std::size_t capacity) const override {
    std::snprintf(text, capacity, "%ld evaluations of the equations, %ld exact Jacobians", residuals_, jacobians_);
  }

  void write(const StateView& out) const override { store(Y_.get(), out), store_rates(Y_dot_.get(), out); }

  Status interpolate(double t, const StateView& out) override {
    bool found = IDAGetDky(mem_, t, 0, dense_.get()) == IDA_SUCCESS;
    if (found) store(dense_.get(), out);
    found = found && IDAGetDky(mem_, t, 1, dense_.get()) == IDA_SUCCESS;
    if (found) store_rates(dense_.get(), out);
    return found ? Status::success() : Status::failure(StatusCode::failed, "IDA has no dense output there");
  }

 private:
  static double* data(N_Vector x) { return N_VGetArrayPointer(x); }

  void take(const ConstStateView& state) const {
    double *Y = data(Y_.get()), *Y_dot = data(Y_dot_.get());
    N_VConst(0, Y_.get());
    N_VConst(0, Y_dot_.get());
    equations_.q(Y).map() = state.x.map();
    equations_.v(Y).map() = state.v.map();
    equations_.lambda(Y).map() = state.lambda.map();
    equations_.q(Y_dot).map() = state.v.map();
    equations_.v(Y_dot).map() = state.a.map();
  }
  void store(N_Vector Y, const StateView& out) const {
    out.x.map() = equations_.q(data(Y)).map();
    out.v.map() = equations_.v(data(Y)).map();
    out.lambda.map() = equations_.lambda(data(Y)).map();
  }
  void store_rates(N_Vector Y_dot, const StateView& out) const { out.a.map() = equations_.v(data(Y_dot)).map(); }

  static int residual(realtype t, N_Vector Y, N_Vector Y_dot, N_Vector F, void* self) {
    IdaSession& s = *static_cast<IdaSession*>(self);
    ++s.residuals_;
    s.failure_ = s.equations_.residual(*s.problem_->constrained, t, data(Y), data(Y_dot), data(F));
    return s.failure_ ? 0 : 1;
  }
  static int jacobian(realtype t, realtype c, N_Vector Y, N_Vector Y_dot, N_Vector, SUNMatrix J, void* self, N_Vector,
                      N_Vector, N_Vector) {
    IdaSession& s = *static_cast<IdaSession*>(self);
    ++s.jacobians_;
    const Index N = s.equations_.size();
    s.failure_ =
        s.equations_.jacobian(*s.problem_->constrained, t, c, data(Y), data(Y_dot), {SUNDenseMatrix_Data(J), N, N, N});
    return s.failure_ ? 0 : 1;
  }
  /// The position or velocity with the largest weighted error in the last attempt.
  std::int32_t worst() {
    if (IDAGetEstLocalErrors(mem_, dense_.get()) != IDA_SUCCESS ||
        IDAGetErrWeights(mem_, Y_dot_.get()) != IDA_SUCCESS) {
      return -1;
    }
    const Eigen::Map<const Eigen::ArrayXd> error(data(dense_.get()), 2 * n_), weight(data(Y_dot_.get()), 2 * n_);
    Eigen::Index index = -1;
    return (error * weight).abs().maxCoeff(&index) > 0 ? static_cast<std::int32_t>(index) : -1;
  }
  /// SUNDIALS divides its sum of squares by the number of all unknowns.
  static int weights(N_Vector Y, N_Vector w, void* self) {
    IdaSession& s = *static_cast<IdaSession*>(self);
    const Index controlled = 2 * s.n_;
    N_VConst(0, w);
    const VectorView state{data(Y), controlled}, out{data(w), controlled};
    const sdk::ErrorWeights all(s.problem_->tolerances, {s.ones_.data(), controlled}, state, state, out);
    out.map() *= std::sqrt(static_cast<double>(s.equations_.size()) / std::max<Index>(controlled, 1));
    return 0;
  }

  Index n_;
  StabilizedIndex2 equations_;
  std::vector<double> ones_;
  Owner<SUNContext> context_;
  Owner<N_Vector> Y_, Y_dot_, dense_;
  Owner<SUNMatrix> J_;
  ScaledLu lu_;
  void* mem_;
  const Problem* problem_ = nullptr;  ///< of the call at hand
  Status failure_;
  long iterations_ = 0, residuals_ = 0, jacobians_ = 0;
};

class Ida final : public SundialsIntegrator {
 public:
  struct Parameters {
    std::int64_t max_order;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, max_order, "1", "Highest order of BDF.").at_least(1).at_most(5).otherwise("5"));

  explicit Ida(const Parameters& p) : max_order_(static_cast<int>(p.max_order)) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::constrained;
    traits.order = traits.interpolation_order = max_order_;
    traits.self_controlled = traits.restart_only = traits.implicit = true;
    return traits;
  }

 protected:
  const sdk::NamedFamily& family() const override { return sdk::backward_differentiation_family; }
  std::unique_ptr<Session> make_session(const Problem& problem, const ConstStateView& state) const override {
    return std::make_unique<IdaSession>(problem, state, max_order_);
  }

 private:
  int max_order_;
};

}  // namespace trammel::sundials
