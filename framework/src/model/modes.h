// Eigenvalues of a motion linearized at a state.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "trammel/second_order_system.h"

namespace trammel {

/// y' = A y, y = (dx, dx'), of x'' = f(t, x, x') linearized at a state with its exact Jacobians:
///   A = [0, I; J1, J2],  J1 = d(x'')/dx,  J2 = d(x'')/dx'
struct LinearMotion {
  Eigen::MatrixXd J1, J2;  ///< 1/s^2, 1/s

  /// The 2 n eigenvalues, by rising real part; of pairs the one with negative imaginary part first.
  std::vector<std::complex<double>> eigenvalues() const;
};

/// [setup] Dense. A failure is that of the view: derivatives are missing, or the mass matrix is singular.
Status linearize_motion(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot, LinearMotion& motion);

}  // namespace trammel
