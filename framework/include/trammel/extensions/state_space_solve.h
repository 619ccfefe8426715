// StateSpaceSolve: the state-space view of a model with many degrees of freedom, without full matrices.
#pragma once

#include "trammel/linalg.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel {

/// What StateSpaceDerivatives (system_extensions.h) gives as matrices, for many independent coordinates, as
/// products and solves. What it knows of the point of `linearize` it keeps.
class StateSpaceSolve {
 public:
  static constexpr const char* id = "trammel.state_space_solve/1";

  /// [step] As StateSpaceDerivatives::reduce, whose M^ d(w'')/dt it gives. `singular`: Phi_u is too near to a singular
  /// matrix. Allocates where the partition is new.
  virtual Status linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, VectorView MJt) = 0;
  /// [hot] out = M^ y, M^ J1 y and M^ J2 y; d entries each.
  virtual void apply_mass(ConstVectorView y, VectorView out) = 0;
  virtual void apply_J1(ConstVectorView y, VectorView out) = 0;
  virtual void apply_J2(ConstVectorView y, VectorView out) = 0;
  /// [step] Makes solves with M^ - c1 M^ J2 - c0 M^ J1 ready, as SecondOrderSystem::prepare.
  virtual Status prepare(Index first, const Shift* shifts, Index count) = 0;
  /// [hot] Solve with it; d entries each. `singular`: no solution to the last digits is found.
  virtual Status solve(Index handle, ConstVectorView r, VectorView z) = 0;
  virtual Status solve_complex(Index handle, ConstComplexView r, ComplexView z) = 0;

 protected:
  ~StateSpaceSolve() = default;
};

}  // namespace trammel
