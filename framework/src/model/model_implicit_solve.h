// ModelImplicitSolve: a model's matrices of implicit methods; the kernel's ImplicitSolve.
#pragma once

#include "model/implicit_factors.h"
#include "model/model_kkt.h"
#include "trammel/implicit_solve.h"

namespace trammel {

/// With the linearization that the factors were given, at the point of the KKT matrix.
class ModelImplicitSolve final : public ImplicitSolve {
 public:
  /// [setup] Both outlive it.
  ModelImplicitSolve(ModelKkt& kkt, ImplicitFactors& factors) : kkt_(kkt), factors_(factors) {}

  using ImplicitSolve::prepare, ImplicitSolve::solve_implicit;
  Status prepare(Index first, const Shift* shifts, Index count) override {
    kkt_.mass_blocks();
    kkt_.factorizations += count;
    return factors_.prepare(kkt_.matrix_of_all_rows(), first, shifts, count);
  }
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    factors_.real(handle).solve(kkt_.matrix_of_all_rows(), f, g, x, lambda);
    return Status::success();
  }
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                ComplexView lambda) override {
    factors_.complex(handle).solve(kkt_.matrix_of_all_rows(), f, g, x, lambda);
    return Status::success();
  }

 private:
  ModelKkt& kkt_;
  ImplicitFactors& factors_;
};

}  // namespace trammel
