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

  /// Whether what failed says that there is no equilibrium, or no rate of it, where it looked. Other failures (a force
  /// outside its domain, a NaN) say nothing about equilibria and end a motion as what they are.
  static bool finds_none(const Status& status) {
    return status.code == StatusCode::singular || status.code == StatusCode::not_converged;
  }
  /// [step] From (q, lambda), which are moved to the equilibrium; after a failure they are somewhere on the way. `far`:
  /// the start is a drawing, not the equilibrium of a moment before. Fails (not_converged) where no equilibrium is near.
  Status solve(double t, VectorView q, VectorView lambda, bool far, Index& iterations);
  /// [step] dq/dt of the equilibrium (q, lambda):
  ///   K q' + Phi_q^T lambda' = Q_t,   Phi_q q' = nu                                                                 (3)
  /// Fails (singular) where it has none.
  Status rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out);
  /// [step] From the equilibrium (q, lambda) at t0 to the one at t1 that follows from it without a jump, in steps as short as
  /// that takes. `rate`: dq/dt at t0. Fails (not_converged) where the path ends; q and lambda are then where it does.
  Status follow(double t0, double t1, VectorView q, VectorView lambda, ConstVectorView rate);
  /// [step] From (q, lambda), which was the equilibrium before loads or drivers jumped at t, to one for what acts from then on.
  /// What is out of balance there, r0 and Phi0, is taken away little by little,
  ///   r = (1 - s) r0,   Phi = (1 - s) Phi0,   s from 0 to 1                                                         (4)
  /// a load step; where this path ends, the rest by the flow of (2); where it leads to an unstable equilibrium, all by the flow:
  /// parts of what is out of balance do not turn with the bodies, as loads may.
  struct Jump {
    Status status;
    bool moved = false;  ///< by more than rounding
    bool snaps = false;  ///< the path ended
    bool flows = false;  ///< it came to an unstable equilibrium, and the flow leads to another one
    Index most = 0;  ///< the coordinate that moved most; after a failure, that with the largest force out of balance
    double by = 0;   ///< its change, m or rad
  };
  Jump jump(double t, VectorView q, VectorView lambda);
  /// [step] In how many ways along the constraints the equilibrium is unstable: eigenvalues s of K x = s M x on the null space of
  /// Phi_q that are negative (divergence) or not real (flutter).
  struct Stability {
    Index unstable = 0;             ///< directions; 0 where it is not known
    const char* unknown = nullptr;  ///< why it is not known, a literal
  };
  Stability stability(double t, ConstVectorView q, ConstVectorView lambda);
  /// [step] Whether the equilibrium that was found is no continuation of the last one: some body ended far from where the
  /// rate before led, or not where the rates at both ends lead (trapezoidal rule, an error of third order), beside the way that
  /// the body went. Bodies by themselves: one that a driver moves far hides none that snaps.
  struct Way {
    ConstVectorView from, rate, to, rate_to;
  };
  bool departs(const Way& way, double h);
  /// c of Newton's method, s^2: a search from far away chooses it. Motions keep it beside their states.
  double flow() const { return largest_; }
  void set_flow(double c) { largest_ = c; }
  /// Largest change of a coordinate, in its unit (CoordinateSizes).
  double size(ConstVectorView dq) const;
  /// Largest violation of a row, in the same unit.
  double violation(ConstVectorView Phi) const;

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
  /// One path of equilibria over s in [0, 1]: time goes on, or what jumped is let go.
  struct Path {
    double t0, t1;
    bool lets_go;
    double time(double s) const { return t0 + s * (t1 - t0); }
  };
  Status solve(const Path& path, double s, VectorView q, VectorView lambda);
  Status solve(double t, VectorView q, VectorView lambda, bool far, double held, Index& iterations);
  /// Where drivers leave no freedom, the constraints alone say where q is: near singular positions, where multipliers are
  /// large, (2) does not. Fails where forces would move what is left.
  Status solve_driven(double t, VectorView q, VectorView lambda);
  /// dq/ds.
  Status rate(const Path& path, double s, ConstVectorView q, ConstVectorView lambda, VectorView out);
  /// From s = 0 with the rate in `rate_`; `reached` is where it ends.
  Status follow(const Path& path, VectorView q, VectorView lambda, double& reached);
  Status choose_largest_flow(double t, ConstVectorView q, ConstVectorView lambda);
  VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  ConstrainedSystem& system_;
  ConstrainedLinearization& linearization_;
  ImplicitSolve& implicit_;
  const CoordinateSizes* sizes_;
  const BodyLayout* layout_;
  Index n_, m_;
  double largest_ = 1;
  std::vector<double> rest_, residual_, step_, work_, g_, mu_;
  std::vector<double> guess_;
  std::vector<double> r0_, Phi0_;                                                           ///< of (4)
  std::vector<double> rate_, next_rate_, next_q_, next_lambda_, before_q_, before_lambda_;  ///< of paths
};

}  // namespace trammel
