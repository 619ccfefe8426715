// ConstrainedSolve: linear solves with mass and constraints at the last evaluation point. A role of ConstrainedSystem.
#pragma once

#include "trammel/constrained_equations.h"

namespace trammel {

/// Norm in which projections are of minimal length.
enum class ProjectionWeights : std::int32_t { mass, identity };

/// `factorize` after an evaluation, then `solve` as often as wanted, at the same point.
class ConstrainedSolve : public ConstrainedEquations {
 public:
  /// [hot] Factorizes [W Phi_q^T; Phi_q 0], W = M or I; after `evaluate_jacobian`, or
  /// `evaluate_solve`. `singular`, here or of the first solve: the subject is the
  /// dependent row, or constraints() + body.
  virtual Status factorize(ProjectionWeights weights) = 0;
  /// [hot] Solves [W Phi_q^T; Phi_q 0] [x; lambda] = [f; g] with the last factorization. lambda may be empty; x must
  /// not overlap f.
  virtual Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) = 0;

 protected:
  ~ConstrainedSolve() = default;
};

}  // namespace trammel
