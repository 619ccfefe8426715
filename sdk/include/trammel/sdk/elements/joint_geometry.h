// Geometry of elements between two bodies: from global `at`, `axis` or body-fixed `point_i`, `axis_i`, ... keys.
#pragma once

#include <string>

#include "trammel/error.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/field.h"

namespace trammel::sdk {

/// The shared keys; embed the groups that an element has (TRAMMEL_EMBED).
struct TwoBodies {
  BodyRefs bodies;
};
inline constexpr auto two_bodies_fields =
    group(TRAMMEL_FIELD(TwoBodies, bodies, "1", "First and second body, or ground.").count(2));

struct PointKeys {
  double at[3];
  double point_i[3];
  double point_j[3];
};
inline constexpr auto point_fields =
    group(TRAMMEL_FIELD(PointKeys, at, "m", "Joint point, global, in the initial configuration.").at_start().optional(),
          TRAMMEL_FIELD(PointKeys, point_i, "m", "Joint point fixed in the first body; with point_j instead of at.")
              .on_body(0)
              .optional(),
          TRAMMEL_FIELD(PointKeys, point_j, "m", "Joint point fixed in the second body.").on_body(1).optional());

struct AxisKeys {
  double axis[3];
  double axis_i[3];
  double axis_j[3];
};
inline constexpr auto axis_fields = group(
    TRAMMEL_FIELD(AxisKeys, axis, "1", "Joint axis, global, in the initial configuration.")
        .direction()
        .at_start()
        .optional(),
    TRAMMEL_FIELD(AxisKeys, axis_i, "1", "Joint axis fixed in the first body; with axis_j instead of axis.")
        .direction()
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(AxisKeys, axis_j, "1", "Joint axis fixed in the second body.").direction().on_body(1).optional());

/// Two body-fixed end points, the mass centres if left out.
struct EndPoints {
  double point_i[3];
  double point_j[3];
};
template <const char* zero>
inline constexpr auto end_point_fields =
    group(TRAMMEL_FIELD(EndPoints, point_i, "m", "End point fixed in the first body.").on_body(0).otherwise(zero),
          TRAMMEL_FIELD(EndPoints, point_j, "m", "End point fixed in the second body.").on_body(1).otherwise(zero));
inline constexpr char zero_planar[] = "[0, 0]";
inline constexpr char zero_spatial[] = "[0, 0, 0]";

// --- Checks ----------------------------------------------------------------------------------------------------------

/// Throws if the two bodies are the same (or both ground).
inline void require_two_bodies(const TwoBodies& keys) {
  if (keys.bodies[0].index == keys.bodies[1].index) {
    throw Error::parameter("bodies", "the two bodies must differ");
  }
}

inline void refuse_mixture(const char* global_key) {
  throw Error::parameter(global_key, std::string("'") + global_key +
                                         "' is global and cannot be mixed with body-fixed point_i, point_j, axis_i, "
                                         "axis_j: give either kind");
}

/// The given form of a pair of keys: true if global; throws if both, neither or half of one is given.
inline bool global_form(const double* global, const double* first, const double* second, const char* key,
                        const char* first_key, const char* second_key) {
  if (given(global)) {
    if (given(first) || given(second)) refuse_mixture(key);
    return true;
  }
  if (given(first) && given(second)) return false;
  const char* missing = given(first) ? second_key : given(second) ? first_key : key;
  throw Error::parameter(missing, std::string("needs '") + key + "' (global), or both '" + first_key + "' and '" +
                                      second_key + "' (body-fixed)");
}

inline Vec3<> unit_axis(const Vec3<>& axis, const char* key) {
  const double length = norm(axis);
  if (!(length > 0)) throw Error::parameter(key, "an axis may not be zero");
  return (1 / length) * axis;
}
inline Vec2<> unit_axis(const Vec2<>& axis, const char* key) {
  const double length = norm(axis);
  if (!(length > 0)) throw Error::parameter(key, "an axis may not be zero");
  return (1 / length) * axis;
}

// --- Spatial ---------------------------------------------------------------------------------------------------------

inline const SpatialBodyState& spatial_state(const ModelInfo& model, BodyRef body) {
  return *static_cast<const SpatialBodyState*>(model.initial_state(body));
}

/// Joint points in body axes, m.
struct SpatialPoints {
  Vec3<> s_i, s_j;
};

inline SpatialPoints spatial_points(const TwoBodies& two, const PointKeys& keys, const ModelInfo& model) {
  require_two_bodies(two);
  if (!global_form(keys.at, keys.point_i, keys.point_j, "at", "point_i", "point_j")) {
    return {vec3(keys.point_i), vec3(keys.point_j)};
  }
  const auto local = [&](BodyRef body) {
    const SpatialBodyState& b = spatial_state(model, body);
    return multiply_transposed(b.A, vec3(keys.at) - position(b));
  };
  return {local(two.bodies[0]), local(two.bodies[1])};
}

/// Axis frames in body axes: unit axes h, and f, g perpendicular to them with f x g = h. In the initial configuration
/// f_j points as near to f_i as its axis allows, so that relative rotation about the axis counts from there.
struct SpatialAxes {
  Vec3<> f_i, g_i, h_i;
  Vec3<> f_j, g_j, h_j;
};

inline SpatialAxes spatial_axes(const TwoBodies& two, const AxisKeys& keys, const ModelInfo& model) {
  require_two_bodies(two);
  const SpatialBodyState& i = spatial_state(model, two.bodies[0]);
  const SpatialBodyState& j = spatial_state(model, two.bodies[1]);
  SpatialAxes axes;
  if (global_form(keys.axis, keys.axis_i, keys.axis_j, "axis", "axis_i", "axis_j")) {
    const Vec3<> h = unit_axis(vec3(keys.axis), "axis");
    axes.h_i = multiply_transposed(i.A, h), axes.h_j = multiply_transposed(j.A, h);
  } else {
    axes.h_i = unit_axis(vec3(keys.axis_i), "axis_i"), axes.h_j = unit_axis(vec3(keys.axis_j), "axis_j");
  }
  axes.f_i = perpendicular(axes.h_i);
  axes.g_i = cross(axes.h_i, axes.f_i);
  const Vec3<> f = multiply_transposed(j.A, multiply(i.A, axes.f_i));
  const Vec3<> along = f - dot(f, axes.h_j) * axes.h_j;
  // Shorter than this only if the axes start about 90 degrees apart; then no start of the count is natural.
  axes.f_j = norm(along) > 1e-6 ? (1 / norm(along)) * along : perpendicular(axes.h_j);
  axes.g_j = cross(axes.h_j, axes.f_j);
  return axes;
}

/// Points and axes of one joint.
struct SpatialJointGeometry {
  SpatialPoints points;
  SpatialAxes axes;
};

/// Refuses a global `at` with body-fixed axes and the reverse.
inline void require_one_form(const PointKeys& point, const AxisKeys& axis) {
  if (given(point.at) && (given(axis.axis_i) || given(axis.axis_j))) refuse_mixture("at");
  if (given(axis.axis) && (given(point.point_i) || given(point.point_j))) refuse_mixture("axis");
}

inline SpatialJointGeometry spatial_joint_geometry(const TwoBodies& two, const PointKeys& point, const AxisKeys& axis,
                                                   const ModelInfo& model) {
  require_one_form(point, axis);
  return {spatial_points(two, point, model), spatial_axes(two, axis, model)};
}

// --- Planar ----------------------------------------------------------------------------------------------------------

inline const PlanarBodyState& planar_state(const ModelInfo& model, BodyRef body) {
  return *static_cast<const PlanarBodyState*>(model.initial_state(body));
}

struct PlanarPoints {
  Vec2<> s_i, s_j;
};

inline PlanarPoints planar_points(const TwoBodies& two, const PointKeys& keys, const ModelInfo& model) {
  require_two_bodies(two);
  if (!global_form(keys.at, keys.point_i, keys.point_j, "at", "point_i", "point_j")) {
    return {vec2(keys.point_i), vec2(keys.point_j)};
  }
  const auto local = [&](BodyRef body) {
    const PlanarBodyState& b = planar_state(model, body);
    return rotate_back(b, vec2(keys.at) - position(b));
  };
  return {local(two.bodies[0]), local(two.bodies[1])};
}

}  // namespace trammel::sdk
