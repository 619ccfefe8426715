// Tolerances, component by component, and the error that they allow there:
//
//   w_i = atol_i + rtol_i max(|y0_i|, |y1_i|)    (1)
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/integrator.h"

namespace trammel {

/// [hot] Entry i of a tolerance with one entry, or one per component; 0 if it has none.
inline double tolerance_of(ConstVectorView tolerance, Index i) {
  return tolerance.size > 1 ? tolerance[i] : tolerance.size == 1 ? tolerance[0] : 0.0;
}

/// [hot] (1): the error in component i that is just tolerated, between y0 and y1.
inline double allowed_error(const Tolerances& tolerances, Index i, double y0, double y1) {
  return tolerance_of(tolerances.atol, i) + tolerance_of(tolerances.rtol, i) * std::max(std::abs(y0), std::abs(y1));
}

}  // namespace trammel
