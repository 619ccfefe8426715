// What the sessions of CVODE and ARKODE share: f, error weights and Jacobian in SUNDIALS' terms.
#pragma once

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cstdio>

#include "handles.h"
#include "session.h"
#include "trammel/sdk/math/ode_jacobian.h"
#include "trammel/sdk/methods/error_weights.h"

namespace trammel::sundials {

/// The vector integrated is z = y - offset.
class OdeSession : public Session {
 public:
  OdeSession(const Problem& problem, const ConstStateView& state)
      : n_(state.x.size),
        context_(make_context()),
        z_(own(N_VNew_Serial(std::max<Index>(n_, 1), context_.get()))),
        dense_(own(N_VClone(z_.get()))),
        offset_(static_cast<std::size_t>(n_), 0.0),
        y_(offset_),
        f_(2 * offset_.size(), 0.0) {
    problem_ = &problem;
    N_VConst(0, z_.get());
    if (n_ > 0) at(z_.get()).map() = state.x.map();
  }

  void write(const StateView& out) const override { out.x.map() = at(z_.get()).map() + offset().map(); }

  void note(char* text, std::size_t capacity) const override {
    if (jacobians_ == 0) return;
    std::snprintf(text, capacity, "%ld Jacobians of the right-hand side%s", jacobians_,
                  differenced_ ? ", by difference quotients: the view offers no exact one" : "");
  }

  Status move(const Problem&, const ConstStateView& state) override {
    offset().map() = state.x.map() - at(z_.get()).map();
    return Status::success();
  }

 protected:
  double share_ = 1;  ///< of the tolerances, which local errors may take

  VectorView at(N_Vector v) const { return {N_VGetArrayPointer(v), n_}; }
  VectorView offset() const { return {const_cast<double*>(offset_.data()), n_}; }
  void take(const ConstStateView& state) {
    offset().map().setZero();
    at(z_.get()).map() = state.x.map();
  }

  /// Newton's matrix and solver, for implicit methods.
  void make_linear_solver() {
    A_ = own(SUNDenseMatrix(std::max<Index>(n_, 1), std::max<Index>(n_, 1), context_.get()));
    linear_ = own(SUNLinSol_Dense(z_.get(), A_.get(), context_.get()));
  }

  static int f(realtype t, N_Vector z, N_Vector z_dot, void* self) {
    OdeSession& s = *static_cast<OdeSession*>(self);
    if (s.n_ == 0) N_VConst(0, z_dot);  // SUNDIALS has no vectors without entries
    s.failure_ = s.problem_->ode->rhs(t, s.lifted(z), s.at(z_dot));
    return s.failure_ ? 0 : 1;  // 1: recoverable, a smaller step may do
  }

  /// SUNDIALS divides its sum of squares by n, whatever the weights are.
  static int weights(N_Vector z, N_Vector w, void* self) {
    OdeSession& s = *static_cast<OdeSession*>(self);
    const ConstVectorView y = s.lifted(z), mask = s.problem_->ode->mask();
    const VectorView out = s.at(w);
    if (s.n_ == 0) N_VConst(1, w);
    const sdk::ErrorWeights all(s.problem_->tolerances, mask, y, y, out);
    const Index counted =
        static_cast<Index>(std::count_if(mask.data, mask.data + s.n_, [](double m) { return m != 0; }));
    if (counted > 0) out.map() *= std::sqrt(static_cast<double>(s.n_) / counted);
    out.map() /= s.share_;
    return 0;
  }

  static int jacobian(realtype t, N_Vector z, N_Vector z_dot, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    OdeSession& s = *static_cast<OdeSession*>(self);
    ++s.jacobians_;
    const MatrixView f_y{SUNDenseMatrix_Data(J), s.n_, s.n_, s.n_};
    const Index n = s.n_;
    const VectorView moved{s.f_.data(), n}, f_moved{s.f_.data() + n, n};
    s.failure_ = sdk::ode_jacobian(*s.problem_->ode, t, s.lifted(z), s.at(z_dot), moved, f_moved, f_y, s.differenced_);
    return s.failure_ ? 0 : 1;
  }

  static void be_silent(int, const char*, const char*, char*, void*) {}

  /// The failure behind a negative return value.
  Status explain(const char* what) const {
    return failure_ ? Status::failure(StatusCode::not_converged, what) : failure_;
  }

  Index n_;
  Owner<SUNContext> context_;
  Owner<N_Vector> z_, dense_;
  Owner<SUNMatrix> A_;
  Owner<SUNLinearSolver> linear_;
  const Problem* problem_ = nullptr;  ///< of the call at hand
  Status failure_;

 private:
  ConstVectorView lifted(N_Vector z) {
    const VectorView y{y_.data(), n_};
    y.map() = at(z).map() + offset().map();
    return y;
  }

  std::vector<double> offset_, y_, f_;
  long jacobians_ = 0;
  bool differenced_ = false;
};

}  // namespace trammel::sundials
