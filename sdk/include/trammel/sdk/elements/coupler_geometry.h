// Geometry of massless coupler links: their end points and the length they keep.
#pragma once

#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::sdk {

/// The ends of a link that joins a point of each body, m.
struct CouplerLink {
  SpatialPoints points;
  Vec3<> d;       ///< P_j - P_i in the initial configuration, global
  double length;  ///< as asked for, or |d|
};

inline CouplerLink coupler_link(const TwoBodies& two, const EndPoints& ends, double length, const ModelInfo& model) {
  require_two_bodies(two);
  CouplerLink link{{vec3(ends.point_i), vec3(ends.point_j)}, {}, length};
  const SpatialBodyState &i = spatial_state(model, two.bodies[0]), &j = spatial_state(model, two.bodies[1]);
  link.d = position(j) + multiply(j.A, link.points.s_j) - position(i) - multiply(i.A, link.points.s_i);
  if (given(length) && !(length > 0)) throw Error::parameter("length", "the length of the link must be positive");
  if (!(norm(link.d) > 0)) {
    throw Error::parameter("point_i",
                           "the two ends of the link coincide in the initial configuration, where it has no "
                           "direction");
  }
  if (!given(length)) link.length = norm(link.d);
  return link;
}

}  // namespace trammel::sdk
