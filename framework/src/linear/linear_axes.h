// Linearized motions in axes in which they are steady: displacements and turns in place of Euler parameters.
#pragma once

#include <vector>

#include "linear/body_twists.h"
#include "linear/tangent_motion.h"
#include "model/modes.h"

namespace trammel {

/// A place where a model is linearized.
struct LinearPlace {
  double t;
  ConstVectorView q, v, z;
};

/// x' = A x, x = (xi, eta, dz) of the twists that are independent (body_twists.h), and dy = S x of y = (q, v, z).
struct SteadyMotion {
  std::vector<Index> chosen;  ///< d entries of the twists
  Eigen::MatrixXd A, S;
  Eigen::MatrixXd rate;  ///< f_y S
  Eigen::MatrixXd X;     ///< x = X (dw, dw', dz) in the tangent's coordinates
};
/// [setup] With the entries `chosen`, or with those that pivoting finds where that is empty.
SteadyMotion steady_motion(const BodyTwists& twists, const LinearPlace& place, const TangentMotion& tangent,
                           const std::vector<Index>& chosen = {});

/// [setup] The linear model of `linearize_model` at the same place, with xi in place of its coordinates:
///   xi'' = (a21 - a22 a11) xi + (a11 + a22) xi' + a23 dz  from  A = [a11, 1, 0; a21, a22, a23; ...],  dq = T xi         (1)
Status take_axes(ConstrainedModel& model, const LinearPlace& place, const BodyTwists& twists, LinearModel& linear);

/// [setup] How much A changes along the motion through the place, in axes that turn with `turning`: the largest entry of A' by the
/// square of `rate`, 1/s, the fastest of its motions, with xi and eta / rate as coordinates. 0: A is that of a steady motion.
/// The model is left beside the place. A failure is that of an evaluation.
Status change_along_motion(ConstrainedModel& model, const LinearPlace& place, const Eigen::Vector3d& turning,
                           double rate, double& change);

/// Whether Euler parameters change at these velocities.
bool spatial_bodies_turn(const Assembly& assembly, ConstVectorView v);

}  // namespace trammel
