// ImplicitSolve: the matrices of implicit methods for a constrained system. An optional role of ConstrainedSystem.
#pragma once

#include "trammel/linalg.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel {

/// `prepare` after ConstrainedLinearization::linearize, then solve; a handle serves until it is prepared again or the
/// system is linearized again.
class ImplicitSolve {
 public:
  /// [step] Factorizes [M + c1 C + c0 K, Phi_q^T; Phi_q, 0], K = (M a)_q + (Phi_q^T lambda)_q - Q_q, C = -Q_v, from
  /// which internal states, where there are any, are eliminated as velocities, once for each of `count` shifts, under
  /// the handles `first`, `first` + 1, ... (see SecondOrderSystem::prepare).
  virtual Status prepare(Index first, const Shift* shifts, Index count) = 0;
  /// [hot] Solves with one of a real shift: right-hand sides f (n), g (m).
  virtual Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x,
                                VectorView lambda) = 0;
  /// [hot] The same for a complex shift.
  virtual Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                        ComplexView lambda) = 0;

  /// For methods with one real matrix: its handle is 0.
  Status prepare(double c0, double c1) {
    const Shift shift{c0, c1};
    return prepare(0, &shift, 1);
  }
  Status solve_implicit(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
    return solve_implicit(0, f, g, x, lambda);
  }

 protected:
  ~ImplicitSolve() = default;
};

}  // namespace trammel
