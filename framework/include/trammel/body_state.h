// Kinematics of one body, computed once per evaluation by the host system and read by every element attached to it.
#pragma once

#include <cstdint>

#include "trammel/linalg.h"

namespace trammel {

/// Planar host. q = (x, y, phi): position of the centre of mass, m, and angle, rad; v = dq/dt.
struct PlanarBodyState {
  static constexpr Index coordinates = 3;

  double r[2];
  double phi;
  double rdot[2];
  double omega;
  double c;  ///< cos(phi)
  double s;  ///< sin(phi)
};

/// Spatial host. q = (r, p): position of the centre of mass, m, and Euler parameters, e0 first; v = dq/dt.
struct SpatialBodyState {
  static constexpr Index coordinates = 7;

  double r[3];
  double p[4];
  double rdot[3];
  double pdot[4];
  double A[9];  ///< A(p) = E G^T by rows, body to ground, homogeneous of degree 2 in p: A^T A = (p.p)^2 I
  double pp;    ///< p.p
};

struct AcceptedStep;

/// Where and when an element is evaluated.
struct ElementState {
  double t = 0;                              ///< s
  const void* const* bodies = nullptr;       ///< one host state per attached body, ground included (identity, at rest)
  const double* angle_references = nullptr;  ///< one per counted angle, rad; see counted_angles.h
  const double* z = nullptr;                 ///< the element's internal first-order states
  const double* memory = nullptr;            ///< what it kept at the last accepted step (extensions/accepted_step.h)
  const AcceptedStep* last = nullptr;        ///< of forces that see the last accepted state (the same)

  /// State of attached body number k as the host's type: `s.body<SpatialBodyState>(1)`.
  template <class BodyState>
  const BodyState& body(Index k) const {
    return *static_cast<const BodyState*>(bodies[k]);
  }
};

}  // namespace trammel
