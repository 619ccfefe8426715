// Derivatives and implicit solves of a second-order problem, judged by differences.
#pragma once

#include "check/element_point.h"
#include "trammel/second_order_system.h"

namespace trammel::conformance {

/// M at the point of the last `linearize`.
MatrixXd mass_of(SecondOrderSystem& problem);

/// Fails where `linearize` at (t, x, x') does not give the derivatives of the accelerations to this relative tolerance, or
/// where the implicit solves, with real and complex shifts, do not solve. False: it gives no derivatives.
bool second_order_derivatives(SecondOrderSystem& problem, double t, const VectorXd& x, const VectorXd& v,
                              double tolerance);

}  // namespace trammel::conformance
