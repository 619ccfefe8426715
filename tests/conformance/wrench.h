// Rows of a Jacobian as forces and moments: what a multiplier of one does to a body.
#pragma once

#include "element_harness.h"

namespace conformance {

/// Generalized force of one row on one body as force and moment about the origin.
struct Wrench {
  sdk::Vec3<> force, moment;
};
inline Wrench operator+(const Wrench& a, const Wrench& b) { return {a.force + b.force, a.moment + b.moment}; }

inline Wrench wrench(const SpatialBodyState& body, const MatrixView& Phi_q, Index row) {
  double Q[7];
  for (Index k = 0; k < 7; ++k) Q[k] = Phi_q(row, k);
  return {sdk::vec3(Q),
          sdk::cross(sdk::position(body), sdk::vec3(Q)) + 0.5 * sdk::E_apply(sdk::parameters(body), sdk::vec4(Q + 3))};
}
inline Wrench wrench(const PlanarBodyState& body, const MatrixView& Phi_q, Index row) {
  const double x = Phi_q(row, 0), y = Phi_q(row, 1);
  return {{x, y, 0}, {0, 0, Phi_q(row, 2) + body.r[0] * y - body.r[1] * x}};
}

}  // namespace conformance
