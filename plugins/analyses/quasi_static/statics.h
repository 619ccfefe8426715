// Statics: equilibria of a model at one time, and how they change with time.
#pragma once

#include <vector>

#include "trammel/constrained_system.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

/// With velocities 0:
///   r = Q(t, q) - Phi_q^T lambda = 0,   Phi(t, q) = 0                                                              (1)
/// by pseudo-transient continuation (C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523), in implicit
/// steps of the flow M q' = r along the constraints, with K = (Phi_q^T lambda)_q - Q_q:
///   (M + c K) dq + Phi_q^T mu = c r,   Phi_q dq = -Phi,   lambda += mu / c                                         (2)
/// c grows with every step that does not lead too far, so that (2) ends as Newton's method. Beginning with a small c it
/// leaves unstable equilibria, unless it begins in one.
class Statics {
 public:
  /// [setup] Makes all its room.
  explicit Statics(ConstrainedSystem& system);

  /// [step] From (q, lambda), which are moved to the equilibrium; after a failure they are somewhere on the way. `far`:
  /// the start is a drawing, not the equilibrium of a moment before. Fails (not_converged) where no equilibrium is near.
  Status solve(double t, VectorView q, VectorView lambda, bool far, Index& iterations);
  /// [step] dq/dt of the equilibrium (q, lambda):
  ///   K q' + Phi_q^T lambda' = Q_t,   Phi_q q' = nu                                                                 (3)
  Status rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out);
  /// [step] In how many ways along the constraints the equilibrium is unstable: eigenvalues s of K x = s M x on the null space of
  /// Phi_q that are negative (divergence) or not real (flutter). -1: the model has more coordinates than `most_dense`, or a
  /// mass is singular.
  Index unstable_directions(double t, ConstVectorView q, ConstVectorView lambda);
  static constexpr Index most_dense = 300;
  /// [step] Whether the equilibrium that was found is no continuation of the last one: some body ended far from where the
  /// rate before led, or not where the rates at both ends lead (trapezoidal rule, an error of third order), beside the way that
  /// the body went. Bodies by themselves: one that a driver moves far hides none that snaps. `scratch`: n.
  struct Way {
    ConstVectorView from, rate, to, foreseen;
  };
  bool departs(const Way& way, double h, double t, ConstVectorView lambda, VectorView scratch);
  /// Largest change of a coordinate, in its unit (CoordinateSizes).
  double size(ConstVectorView dq) const;

 private:
  struct Slice {
    Index first, count;
  };
  Index bodies() const { return layout_ != nullptr ? layout_->bodies() : 1; }
  Slice body(Index b) const {
    return layout_ != nullptr ? Slice{layout_->body(b).first, layout_->body(b).count} : Slice{0, n_};
  }
  /// Every entry becomes the largest of its body.
  void take_largest_of_bodies(VectorView x) const;
  Status evaluate(double t, ConstVectorView q);
  Status choose_largest_flow(double t, ConstVectorView q, ConstVectorView lambda);
  VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  ConstrainedEquations& system_;
  ConstrainedLinearization& linearization_;
  ImplicitSolve& implicit_;
  const CoordinateSizes* sizes_;
  const BodyLayout* layout_;
  Index n_, m_;
  double largest_ = 1;  ///< c of Newton's method, s^2; chosen by the search that begins far away
  std::vector<double> rest_, residual_, step_, work_, g_, mu_;
};

}  // namespace trammel
