// GMRES: solves with matrices that are known by their products only.
#pragma once

#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// When an iteration ends. Residuals are shares of the right-hand side's length.
struct GmresLimits {
  Index iterations;
  double wanted;     ///< no further iteration at or below it
  double tolerated;  ///< a solution that leaves more is a failure
};

/// A x = b by the generalized minimal residual method: Y. Saad, M. H. Schultz, GMRES: a generalized minimal residual
/// algorithm for solving nonsymmetric linear systems, SIAM Journal on Scientific and Statistical Computing 7 (1986)
/// 856-869. The preconditioner B, an approximate inverse, stands on the right, A B y = b with x = B y, so that the
/// residual that is minimized is the true one. Never restarts: after as many iterations as there is memory for it ends.
class Gmres {
 public:
  /// [setup] Memory for `size` unknowns: limits.iterations + 2 vectors.
  void make_room(Index size, const GmresLimits& limits);

  /// [hot] multiply(y, out): out = A y. precondition(y, out): out = B y. Both take a ConstVectorView and a VectorView
  /// that do not overlap; nor do b and x. On failure x = 0:
  ///   not_finite     the length of b is not, value: that; or the solution is not finite, value: that of the residual
  ///   singular       the newest direction leads nowhere: A B is singular, or its product is not finite
  ///   not_converged  value: share of b that is left, above `tolerated`
  template <class Multiply, class Precondition>
  Status solve(ConstVectorView b, VectorView x, const Multiply& multiply, const Precondition& precondition) {
    x.map().setZero();
    Status status = begin(b);
    if (!status || right_side_ == 0) return status;
    while (status && goes_on()) {
      precondition(direction(iterations_), scratch());
      multiply(scratch(), direction(iterations_ + 1));
      status = extend();
    }
    if (status) status = combine();
    if (status) precondition(scratch(), x);
    return status;
  }

  /// Of the last `solve`.
  Index iterations() const { return iterations_; }

 private:
  Status begin(ConstVectorView b);
  bool goes_on() const { return iterations_ < limits_.iterations && left_ > limits_.wanted * right_side_; }
  /// Makes the newest direction orthogonal to the others and of length 1, and the Hessenberg matrix triangular.
  Status extend();
  /// scratch = y, the combination of the directions with the smallest residual.
  Status combine();
  VectorView direction(Index k) { return {directions_.data() + k * size_, size_}; }
  VectorView scratch() { return {scratch_.data(), size_}; }
  double& hessenberg(Index i, Index j) {
    return hessenberg_[static_cast<std::size_t>(j * (limits_.iterations + 1) + i)];
  }

  Index size_ = 0;
  GmresLimits limits_{};
  Index iterations_ = 0;
  double right_side_ = 0, left_ = 0;  ///< lengths of b and of the residual
  std::vector<double> directions_;    ///< an orthonormal basis of the Krylov space, one after another
  std::vector<double> hessenberg_, rotations_, residual_, scratch_;
};

}  // namespace trammel
