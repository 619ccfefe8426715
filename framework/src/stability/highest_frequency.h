// Frequencies and decay rates of the small motions about a state: what fixed steps have to resolve.
#pragma once

#include <complex>
#include <vector>

#include "trammel/constrained_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

/// x'' = J1 x + J2 x' about a state, known by its products. [setup]; moves the linearization point of the view and its
/// factorization.
class SmallMotions {
 public:
  SmallMotions(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot);
  /// On the tangent space of the constraints, at the state last evaluated with evaluate_dynamics and factorized with
  /// ProjectionWeights::mass, whose accelerations and multipliers are given. The turning of that space is left out.
  SmallMotions(ConstrainedSystem& model, ConstVectorView a, ConstVectorView lambda);

  /// sqrt of the largest negative eigenvalue of J1, rad/s, by Arnoldi's method with 30 vectors at most: exact for fewer
  /// coordinates, a close estimate otherwise. 0: nothing vibrates, or derivatives are missing.
  double highest_frequency();
  /// All eigenvalues of [0, I; J1, J2], 1/s, where up to 15 degrees of freedom have them; else none. `scale`: a
  /// frequency that makes positions and velocities comparable. After `highest_frequency`: where that has met more
  /// motions than it can hold, there are twice as many eigenvalues here, and nothing is computed.
  std::vector<std::complex<double>> eigenvalues(double scale) const;

 private:
  /// da = J1 dx + J2 dv; false: it failed.
  bool apply(const Eigen::VectorXd& dx, const Eigen::VectorXd& dv, Eigen::VectorXd& da) const;
  bool make_tangent(Eigen::VectorXd& dx) const;
  Eigen::VectorXd any_vector() const;

  SecondOrderSystem* view_ = nullptr;
  ConstrainedSystem* model_ = nullptr;
  Index n_;
  bool known_, few_ = true;
};

}  // namespace trammel
