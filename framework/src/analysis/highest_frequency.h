// Highest frequency of the small vibrations about a state: what the steps of explicit methods have to resolve.
#pragma once

#include "trammel/constrained_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

/// sqrt of the largest negative eigenvalue of d(x'')/dx, rad/s, by Arnoldi's method with 30 vectors at most: exact for
/// fewer coordinates, a close estimate otherwise. Damping and gyroscopic terms are left out. 0: nothing vibrates, or
/// derivatives are missing.
///
/// [setup] Moves the linearization point of the view and its factorization.
double highest_frequency(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot);

/// The same on the tangent space of the constraints, at the state last evaluated with evaluate_dynamics and factorized
/// with ProjectionWeights::mass, whose accelerations and multipliers are given.
double highest_frequency(ConstrainedSystem& model, ConstVectorView a, ConstVectorView lambda);

}  // namespace trammel
