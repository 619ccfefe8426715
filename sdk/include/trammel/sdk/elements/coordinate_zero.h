// Zeros of joint coordinates: between markers where these are given, a value in the drawing, or zero in the drawing.
#pragma once

#include <array>

#include "trammel/error.h"
#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/math/two_pi.h"
#include "trammel/sdk/elements/joint_geometry.h"

// A coordinate is measured as m(q), an angle up to whole turns, and counted as x = m - m_0 + x_0:
//
//   markers       m_0 = 0, x_0 = 0                between points, references, or the x axes of planar bodies
//   given, drawn  m_0 = m(drawing), x_0 = the given value, or 0
namespace trammel::sdk {

/// Where a coordinate counts from, worked out while its element is made.
struct CountedFrom {
  double base = 0;   ///< m_0
  double value = 0;  ///< x_0
  double start = 0;  ///< the coordinate in the drawing
  CoordinateOrigin origin{};

  double offset() const { return value - base; }
};

inline bool markers_define_zero(const ModelInfo& model) {
  const RunFormat* format = find_extension<RunFormat>(model);
  return format == nullptr || format->run_format() >= 2;
}

/// Of a displacement that is `drawn` between its points in the drawing. `points`: the run file gives both points in their
/// bodies, or their defaults stand. `initial`: `initial_displacement`, NaN if left out.
inline CountedFrom displacement_zero(double drawn, bool points, double initial, const ModelInfo& model) {
  const double markers = points ? drawn : left_out();
  if (!given(initial) && points && markers_define_zero(model)) {
    return {0, 0, drawn, {"displacement", CoordinateZero::points, drawn, markers}};
  }
  const double value = given(initial) ? initial : 0;
  const CoordinateZero zero = given(initial) ? CoordinateZero::given : CoordinateZero::drawing;
  return {drawn, value, value, {"displacement", zero, value, markers}};
}

/// The value in the drawing, instead of the displacement between the points.
struct DisplacementKeys {
  double initial_displacement;
};
inline constexpr auto displacement_fields =
    group(TRAMMEL_FIELD(DisplacementKeys, initial_displacement, "m",
                        "Value of .displacement in the initial configuration; as the points give it if left out.")
              .optional());

// --- Angles in space -------------------------------------------------------------------------------------------------

/// The zero of a spatial angle, or its value in the drawing.
struct AngleKeys {
  double reference_i[3];
  double reference_j[3];
  double initial_angle;
};
inline constexpr auto reference_fields =
    group(TRAMMEL_FIELD(AngleKeys, reference_i, "1",
                        "Direction fixed in the first body from which the angle counts; with reference_j.")
              .direction()
              .on_body(0)
              .optional(),
          TRAMMEL_FIELD(AngleKeys, reference_j, "1",
                        "Direction fixed in the second body that is along reference_i, seen along the axis, at zero.")
              .direction()
              .on_body(1)
              .optional());
inline constexpr auto angle_fields = group(
    embedded(reference_fields, 0),
    TRAMMEL_FIELD(AngleKeys, initial_angle, "rad",
                  "Value of .angle in the initial configuration, instead of references; 0 there if all are left out.")
        .optional());

/// Whether a pair of references is given; refuses half of one, and one beside the value in the drawing.
inline bool references_given(const double* first, const double* second, double initial, const char* initial_key) {
  if (given(first) != given(second)) {
    throw Error::parameter(given(first) ? "reference_j" : "reference_i", "a reference is missing: give both or none");
  }
  if (given(first) && given(initial)) {
    throw Error::parameter(
        initial_key,
        std::string("'reference_i' and 'reference_j' define the zero already: leave '") + initial_key + "' out");
  }
  return given(first);
}

/// The part of a reference across the unit axis h, of length 1; refused where there is none.
inline Vec3<> across_axis(const Vec3<>& reference, const Vec3<>& h, const char* key) {
  const Vec3<> across = reference - dot(reference, h) * h;
  if (!(norm(across) > 1e-6)) {
    throw Error::parameter(key, "a reference may not be along the axis: the angle about it counts from the reference");
  }
  return (1 / norm(across)) * across;
}

/// Axes of a joint, f in both bodies along the references if these are given.
inline SpatialAxes spatial_axes(const TwoBodies& two, const AxisKeys& keys, const AngleKeys& angle,
                                const ModelInfo& model) {
  SpatialAxes axes = spatial_axes(two, keys, model);
  if (!references_given(angle.reference_i, angle.reference_j, angle.initial_angle, "initial_angle")) return axes;
  axes.f_i = across_axis(vec3(angle.reference_i), axes.h_i, "reference_i"), axes.g_i = cross(axes.h_i, axes.f_i);
  axes.f_j = across_axis(vec3(angle.reference_j), axes.h_j, "reference_j"), axes.g_j = cross(axes.h_j, axes.f_j);
  return axes;
}

/// Of an angle that is `drawn` between its references in the drawing, if they are given.
inline CountedFrom angle_zero(bool references, double drawn, double initial, const char* coordinate) {
  if (references) return {0, 0, drawn, {coordinate, CoordinateZero::references, drawn, drawn}};
  const double value = given(initial) ? initial : 0;
  const CoordinateZero zero = given(initial) ? CoordinateZero::given : CoordinateZero::drawing;
  return {0, value, value, {coordinate, zero, value, left_out()}};
}

/// Of the angle of f_j about h_i, from f_i. Without references the axes have f_j along f_i in the drawing.
inline CountedFrom angle_zero(const TwoBodies& two, const SpatialAxes& axes, const AngleKeys& keys,
                              const ModelInfo& model) {
  const bool references = given(keys.reference_i);
  const SpatialBodyState& i = spatial_state(model, two.bodies[0]);
  const Vec3<> F_j = multiply(spatial_state(model, two.bodies[1]).A, axes.f_j);
  const double drawn = std::atan2(dot(F_j, multiply(i.A, axes.g_i)), dot(F_j, multiply(i.A, axes.f_i)));
  return angle_zero(references, drawn, keys.initial_angle, "angle");
}

// --- Angles in the plane ---------------------------------------------------------------------------------------------

/// The angle from reference_i to reference_j, by default from the first body's x axis to the second's.
inline constexpr auto planar_angle_fields =
    group(TRAMMEL_FIELD(AngleKeys, reference_i, "1",
                        "Direction fixed in the first body from which the angle counts; its x axis if left out.")
              .direction()
              .on_body(0)
              .optional(),
          TRAMMEL_FIELD(AngleKeys, reference_j, "1",
                        "Direction fixed in the second body that is along reference_i at zero; its x axis if left out.")
              .direction()
              .on_body(1)
              .optional(),
          TRAMMEL_FIELD(AngleKeys, initial_angle, "rad", "Value of .angle in the initial configuration, instead.")
              .optional());

/// Of an angle that is `drawn` between x axes in the drawing; `to`: the reference that turns with it, `from`: the other.
/// False: no reference is given.
inline bool planar_references(const double* from, const double* to, double drawn, double initial, CountedFrom& zero) {
  if (!given(from) && !given(to)) return false;
  if (given(initial)) {
    throw Error::parameter("initial_angle", "a reference defines the zero already: leave 'initial_angle' out");
  }
  const auto direction = [](const double* r) { return given(r) ? std::atan2(r[1], r[0]) : 0.0; };
  const double turned = std::remainder(direction(to) - direction(from), two_pi), angle = drawn + turned;
  zero = {-turned, 0, angle, {"angle", CoordinateZero::references, angle, angle}};
  return true;
}

inline CountedFrom planar_angle_zero(const TwoBodies& two, const AngleKeys& keys, const ModelInfo& model) {
  require_two_bodies(two);
  const double drawn = planar_state(model, two.bodies[1]).phi - planar_state(model, two.bodies[0]).phi;
  CountedFrom zero;
  if (planar_references(keys.reference_i, keys.reference_j, drawn, keys.initial_angle, zero)) return zero;
  if (!given(keys.initial_angle)) return {0, 0, drawn, {"angle", CoordinateZero::bodies, drawn, drawn}};
  const double value = keys.initial_angle;
  return {drawn, value, value, {"angle", CoordinateZero::given, value, drawn}};
}

// --- What elements tell of it ----------------------------------------------------------------------------------------

/// The extension; keep one as a member and offer it.
class Zeros final : public CoordinateZeros {
 public:
  Zeros() = default;
  explicit Zeros(const CountedFrom& from) { add(from.origin); }
  void add(const CoordinateOrigin& origin) { origins_[static_cast<std::size_t>(count_++)] = origin; }

  Index zero_count() const override { return count_; }
  CoordinateOrigin zero(Index i) const override { return origins_[static_cast<std::size_t>(i)]; }

 private:
  std::array<CoordinateOrigin, 2> origins_{};
  Index count_ = 0;
};

}  // namespace trammel::sdk
