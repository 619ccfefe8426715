// The Jacobian of a first-order view: the exact one where it has it, else by differences.
//
// Forward differences with the increments of RADAU5 (Hairer, Wanner, Solving ODEs II (1996), IV.8), u the rounding unit:
//   delta_j = sqrt(u max(1e-5, |y_j|)),   f_y e_j = (f(t, y + delta_j e_j) - f(t, y)) / delta_j                    (1)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/ode_system.h"

namespace trammel::sdk {

/// [hot] (1). f = f(t, y); `moved` and `f_moved` are scratch of the size of y.
inline Status difference_jacobian(OdeSystem& system, double t, ConstVectorView y, ConstVectorView f, VectorView moved,
                                  VectorView f_moved, MatrixView f_y) {
  moved.map() = y.map();
  for (Index j = 0; j < y.size; ++j) {
    moved[j] += std::sqrt(std::numeric_limits<double>::epsilon() * std::max(1e-5, std::abs(y[j])));
    const double step = moved[j] - y[j];  // as it can be represented
    const Status status = system.rhs(t, moved, f_moved);
    moved[j] = y[j];
    if (!status) return status;
    f_y.map().col(j) = (f_moved.map() - f.map()) / step;
  }
  return Status::success();
}

/// [hot] The view's own Jacobian, or (1), which `differenced` is set for; otherwise it stays as it is.
inline Status ode_jacobian(OdeSystem& system, double t, ConstVectorView y, ConstVectorView f, VectorView moved,
                           VectorView f_moved, MatrixView f_y, bool& differenced) {
  const Status status = system.jacobian(t, y, f_y);
  if (status.code != StatusCode::unsupported) return status;
  differenced = true;
  return difference_jacobian(system, t, y, f, moved, f_moved, f_y);
}

}  // namespace trammel::sdk
