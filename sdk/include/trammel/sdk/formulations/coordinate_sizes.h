// Changes of coordinates and violations of rows, counted in the model's own unit of length where the system has one.
#pragma once

#include "trammel/constrained_layout.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel::sdk {

/// Largest |dq_i|: in metres or radians where the system has no CoordinateSizes.
inline double largest_change(const ConstrainedLayout& system, ConstVectorView dq) {
  const CoordinateSizes* sizes = find_extension<CoordinateSizes>(system);
  if (sizes != nullptr) return sizes->largest_coordinate(dq);
  return dq.size > 0 ? dq.map().lpNorm<Eigen::Infinity>() : 0;
}

/// Largest |Phi_r|, or of the rates of rows.
inline double largest_violation(const ConstrainedLayout& system, ConstVectorView Phi) {
  const CoordinateSizes* sizes = find_extension<CoordinateSizes>(system);
  if (sizes != nullptr) return sizes->largest_row(Phi);
  return Phi.size > 0 ? Phi.map().lpNorm<Eigen::Infinity>() : 0;
}

}  // namespace trammel::sdk
