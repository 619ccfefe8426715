// Geometry with one axis per body or one axis only: guides (a direction of the first body) and crossed axes.
#pragma once

#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::sdk {

/// A direction of the first body.
struct GuideKeys {
  double axis[3];
  double axis_i[3];
};
inline constexpr auto guide_fields = group(
    TRAMMEL_FIELD(GuideKeys, axis, "1", "Direction fixed in the first body, global, in the initial configuration.")
        .direction()
        .at_start()
        .optional(),
    TRAMMEL_FIELD(GuideKeys, axis_i, "1", "Direction fixed in the first body; instead of axis.")
        .direction()
        .on_body(0)
        .optional());

/// A right-handed frame f, g, h of the first body, h along the given direction, and the two points.
struct SpatialGuide {
  SpatialPoints points;
  Vec3<> f_i, g_i, h_i;
};

inline SpatialGuide spatial_guide(const TwoBodies& two, const PointKeys& point, const GuideKeys& guide,
                                  const ModelInfo& model) {
  SpatialGuide g{};
  g.points = spatial_points(two, point, model);
  if (given(guide.axis)) {
    if (given(guide.axis_i) || given(point.point_i)) refuse_mixture("axis");
    g.h_i = multiply_transposed(spatial_state(model, two.bodies[0]).A, unit_axis(vec3(guide.axis), "axis"));
  } else {
    if (!given(guide.axis_i)) throw Error::parameter("axis", "needs 'axis' (global) or 'axis_i' (body-fixed)");
    if (given(point.at)) refuse_mixture("at");
    g.h_i = unit_axis(vec3(guide.axis_i), "axis_i");
  }
  g.f_i = perpendicular(g.h_i);
  g.g_i = cross(g.h_i, g.f_i);
  return g;
}

/// Two different directions, one of each body.
struct CrossedAxisKeys {
  double axis[3];
  double second_axis[3];
  double axis_i[3];
  double axis_j[3];
};
inline constexpr auto crossed_axis_fields =
    group(TRAMMEL_FIELD(CrossedAxisKeys, axis, "1",
                        "Direction fixed in the first body, global, in the initial configuration.")
              .direction()
              .at_start()
              .optional(),
          TRAMMEL_FIELD(CrossedAxisKeys, second_axis, "1",
                        "Direction fixed in the second body, global, in the initial configuration.")
              .direction()
              .at_start()
              .optional(),
          TRAMMEL_FIELD(CrossedAxisKeys, axis_i, "1",
                        "Direction fixed in the first body; with axis_j instead of the two above.")
              .direction()
              .on_body(0)
              .optional(),
          TRAMMEL_FIELD(CrossedAxisKeys, axis_j, "1", "Direction fixed in the second body.")
              .direction()
              .on_body(1)
              .optional());

/// Unit vectors in body axes.
struct CrossedAxes {
  Vec3<> h_i, h_j;
};

inline CrossedAxes crossed_axes(const TwoBodies& two, const CrossedAxisKeys& p, const ModelInfo& model) {
  require_two_bodies(two);
  const bool local = given(p.axis_i) || given(p.axis_j);
  if (given(p.axis) || given(p.second_axis)) {
    if (local) refuse_mixture(given(p.axis) ? "axis" : "second_axis");
    if (!given(p.axis)) throw Error::parameter("axis", "is missing beside 'second_axis'");
    if (!given(p.second_axis)) throw Error::parameter("second_axis", "is missing beside 'axis'");
    return {multiply_transposed(spatial_state(model, two.bodies[0]).A, unit_axis(vec3(p.axis), "axis")),
            multiply_transposed(spatial_state(model, two.bodies[1]).A, unit_axis(vec3(p.second_axis), "second_axis"))};
  }
  if (!local) throw Error::parameter("axis", "needs 'axis' and 'second_axis' (global), or 'axis_i' and 'axis_j'");
  if (!given(p.axis_i)) throw Error::parameter("axis_i", "is missing beside 'axis_j'");
  if (!given(p.axis_j)) throw Error::parameter("axis_j", "is missing beside 'axis_i'");
  return {unit_axis(vec3(p.axis_i), "axis_i"), unit_axis(vec3(p.axis_j), "axis_j")};
}

/// Refuses a global point with body-fixed axes and the reverse.
inline void require_one_form(const PointKeys& point, const CrossedAxisKeys& axis) {
  if (given(point.at) && (given(axis.axis_i) || given(axis.axis_j))) refuse_mixture("at");
  if (given(axis.axis) && (given(point.point_i) || given(point.point_j))) refuse_mixture("axis");
}

}  // namespace trammel::sdk
