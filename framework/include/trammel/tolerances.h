// Tolerances, component by component, and the error that they allow there:
//
//   w_i = atol_i + rtol_i max(|y0_i|, |y1_i|)    (1)
//
// and the norms of errors e_i that are scaled by it:
//
//   |e| = sqrt(sum e_i^2 / number of components that count)    (2)    or    max |e_i|    (3)
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

/// [hot] (2), or (3) with `max_norm`, over the components i of n with `counts(i)`, from their `scaled(i)`; 1 means: just
/// tolerated. The first scaled error that is not finite, if there is one.
template <class Counts, class Scaled>
double scaled_norm(Index n, bool max_norm, const Counts& counts, const Scaled& scaled) {
  double sum = 0, largest = 0;
  Index counted = 0;
  for (Index i = 0; i < n; ++i) {
    if (!counts(i)) continue;
    const double e = scaled(i);
    if (!std::isfinite(e)) return e;
    sum += e * e;
    largest = std::max(largest, std::abs(e));
    ++counted;
  }
  if (max_norm) return largest;
  return counted > 0 ? std::sqrt(sum / static_cast<double>(counted)) : 0;
}

}  // namespace trammel
