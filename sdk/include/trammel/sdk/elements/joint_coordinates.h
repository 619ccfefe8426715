// Joint coordinates as rows x(q) with all derivatives, for the elements that build on them (couplers, gears, drivers).
#pragma once

#include <optional>

#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"

namespace trammel::sdk {

/// arg((F_j.F_i) + i (F_j.G_i)) on the branch of its counter, plus the value at the start: the angle of SpatialAngle,
/// right-handed about F_i x G_i, over any scalar.
template <class T>
T relative_angle(const Pose<SpatialBodyState, T>& i, const Pose<SpatialBodyState, T>& j, const SpatialAngle& a) {
  using std::atan2;
  const Vec3<T> F_j = j.direction(a.f_j);
  return atan2(dot(F_j, i.direction(a.g_i)), dot(F_j, i.direction(a.f_i)));
}

/// The counted angle of a spatial joint as a row.
class SpatialAngleCoordinate final : public AutoConstraint<SpatialAngleCoordinate, SpatialBodyState, 2, 1> {
 public:
  SpatialAngleCoordinate(const TwoBodies& two, const JointAngle& angle)
      : AutoConstraint(two.bodies[0], two.bodies[1]), angle_(angle) {}

  const void* extension(const char* id) const override { return offer_extensions<CountedAngles>(id, &angle_); }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = counted(relative_angle(b[0], b[1], angle_.definition()) + angle_.value(), s);
  }

 private:
  JointAngle angle_;
};

/// The displacement of a spatial joint as a row.
class SpatialDisplacementCoordinate final : public SpatialConstraint<DotDistanceRow> {
 public:
  SpatialDisplacementCoordinate(const TwoBodies& two, const JointDisplacement& d)
      : FusedConstraint(two.bodies[0], two.bodies[1], {d.h_i, d.s_i, d.s_j, -d.offset}) {}
};

/// `angle` and `displacement` of a spatial joint, whichever it has; a null pointer: it has not.
class SpatialJointCoordinates final : public JointCoordinates {
 public:
  SpatialJointCoordinates(const TwoBodies& two, const JointAngle* angle, const JointDisplacement* displacement) {
    if (angle != nullptr) angle_.emplace(two, *angle);
    if (displacement != nullptr) displacement_.emplace(two, *displacement);
  }

  Index coordinate_count() const override { return (angle_ ? 1 : 0) + (displacement_ ? 1 : 0); }
  const char* coordinate_name(Index i) const override { return angle_ && i == 0 ? "angle" : "displacement"; }
  const Constraint& coordinate(Index i) const override {
    if (angle_ && i == 0) return *angle_;
    return *displacement_;
  }

 private:
  std::optional<SpatialAngleCoordinate> angle_;
  std::optional<SpatialDisplacementCoordinate> displacement_;
};

/// What a spatial joint offers beyond its rows: counted angle, channels, coordinates, the reaction about a point s_j
/// of the second body, its picture. Joints call `extension` from theirs.
class SpatialJointReport : private CoordinateZeros {
 public:
  SpatialJointReport(const TwoBodies& two, const Vec3<>& s_j, const std::optional<JointAngle>& angle,
                     const std::optional<JointDisplacement>& displacement, const std::optional<Drawn>& drawn = {})
      : angle_(angle),
        displacement_(displacement),
        channels_(pointer(angle_), pointer(displacement_)),
        coordinates_(two, pointer(angle_), pointer(displacement_)),
        reaction_(s_j),
        drawn_(drawn) {}
  SpatialJointReport(const SpatialJointReport&) = delete;
  SpatialJointReport& operator=(const SpatialJointReport&) = delete;

  const void* extension(const char* id) const {
    return offer_extensions<CountedAngles, ElementChannels, ReactionPoint, JointCoordinates, CoordinateZeros, Drawing>(
        id, pointer(angle_), &channels_, &reaction_, &coordinates_, this, pointer(drawn_));
  }
  const JointAngle& angle() const { return *angle_; }
  const JointDisplacement& displacement() const { return *displacement_; }

 private:
  Index zero_count() const override { return coordinates_.coordinate_count(); }
  CoordinateOrigin zero(Index i) const override { return angle_ && i == 0 ? angle_->origin() : displacement_->origin; }

  template <class T>
  static const T* pointer(const std::optional<T>& x) {
    return x ? &*x : nullptr;
  }

  std::optional<JointAngle> angle_;
  std::optional<JointDisplacement> displacement_;
  JointChannels channels_;
  SpatialJointCoordinates coordinates_;
  SpatialReaction reaction_;
  std::optional<Drawn> drawn_;
};

/// The keys of spatial joints with a point and an axis about which they turn.
struct AxisJointKeys {
  TwoBodies two;
  PointKeys point;
  AxisKeys axis;
  AngleKeys angle;
};
inline constexpr auto axis_joint_fields =
    group(TRAMMEL_EMBED(AxisJointKeys, two, two_bodies_fields), TRAMMEL_EMBED(AxisJointKeys, point, point_fields),
          TRAMMEL_EMBED(AxisJointKeys, axis, axis_fields), TRAMMEL_EMBED(AxisJointKeys, angle, angle_fields));

/// Those that also slide along it.
struct SlidingJointKeys {
  AxisJointKeys joint;
  DisplacementKeys slide;
};
inline constexpr auto sliding_joint_fields = group(TRAMMEL_EMBED(SlidingJointKeys, joint, axis_joint_fields),
                                                   TRAMMEL_EMBED(SlidingJointKeys, slide, displacement_fields));

inline SpatialJointGeometry spatial_joint_geometry(const AxisJointKeys& keys, const ModelInfo& model) {
  require_one_form(keys.point, keys.axis);
  return {spatial_points(keys.two, keys.point, model), spatial_axes(keys.two, keys.axis, keys.angle, model)};
}
inline JointAngle joint_angle(const AxisJointKeys& keys, const SpatialAxes& axes, const ModelInfo& model) {
  return {axes, angle_zero(keys.two, axes, keys.angle, model)};
}
inline JointDisplacement joint_displacement(const SlidingJointKeys& keys, const SpatialJointGeometry& geometry,
                                            const ModelInfo& model) {
  const AxisJointKeys& joint = keys.joint;
  return {joint.two, geometry.axes.h_i, geometry.points, joint.point, keys.slide.initial_displacement, model};
}

/// offset + phi_j - phi_i as a row.
class PlanarAngleCoordinate final : public PlanarConstraint<PlanarAngleRow> {
 public:
  explicit PlanarAngleCoordinate(const TwoBodies& two, double offset = 0)
      : FusedConstraint(two.bodies[0], two.bodies[1], {-offset}) {}
};

/// offset + (A_i u_i).(P_j - P_i) as a row: the line's point is moved back by the offset.
class PlanarDisplacementCoordinate final : public PlanarConstraint<PlanarLineRow> {
 public:
  PlanarDisplacementCoordinate(const TwoBodies& two, const Vec2<>& u_i, const PlanarPoints& points, double offset)
      : FusedConstraint(two.bodies[0], two.bodies[1], {u_i, points.s_i - offset * u_i, points.s_j}) {}
};

/// The one coordinate of a planar joint.
template <class Coordinate>
class PlanarJointCoordinates final : public JointCoordinates {
 public:
  template <class... Arguments>
  explicit PlanarJointCoordinates(const Arguments&... arguments) : coordinate_(arguments...) {}

  Index coordinate_count() const override { return 1; }
  const char* coordinate_name(Index) const override {
    return std::is_same_v<Coordinate, PlanarAngleCoordinate> ? "angle" : "displacement";
  }
  const Constraint& coordinate(Index) const override { return coordinate_; }

 private:
  Coordinate coordinate_;
};

}  // namespace trammel::sdk
