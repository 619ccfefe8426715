// Spatial joints: fused rows, and the joint coordinates and reaction point they share.
#pragma once

#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/elements/scalar_force.h"

namespace trammel::sdk {

template <class... Kernels>
using SpatialConstraint = FusedConstraint<SpatialPair, SpatialPairVector, Kernels...>;

/// Reaction about the point s_j of the second body.
class SpatialReaction final : public ReactionPoint {
 public:
  explicit SpatialReaction(const Vec3<>& s_j) : s_j_(s_j) {}

  Index reaction_body() const override { return 1; }
  void reaction_point(const ElementState& s, double* point) const override {
    const SpatialBodyState& j = s.body<SpatialBodyState>(1);
    store(position(j) + multiply(j.A, s_j_), point);
  }

 private:
  Vec3<> s_j_;
};

/// Two points coincide: rows 0..2 are P_j - P_i, m.
class CommonPoint final : public SpatialConstraint<PointRows> {
 public:
  struct Parameters {
    TwoBodies two;
    PointKeys point;
  };
  static constexpr auto parameters = table<Parameters>(TRAMMEL_EMBED(Parameters, two, two_bodies_fields),
                                                       TRAMMEL_EMBED(Parameters, point, point_fields));

  CommonPoint(const Parameters& given, const ModelInfo& model)
      : CommonPoint(given, spatial_points(given.two, given.point, model)) {}

  const void* extension(const char* id) const override {
    return offer_extensions<ReactionPoint, Drawing, FreeDirections, MultiplierTwists, JointPlacement>(
        id, &reaction_, &drawn_, this, this, &placed_);
  }

 private:
  CommonPoint(const Parameters& given, const SpatialPoints& points)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j}),
        reaction_(points.s_j),
        drawn_(Drawn(Symbol::point).at(points)),
        placed_(Placed(JointTurn::all).at(points)) {}

  SpatialReaction reaction_;
  Drawn drawn_;
  Placed placed_;
};

/// The counted angle of a joint.
class JointAngle final : public CountedAngles {
 public:
  JointAngle(const SpatialAxes& axes, const CountedFrom& from)
      : angle_{axes.f_i, axes.g_i, axes.f_j}, value_(from.value), origin_(from.origin) {}
  /// Of axes without references: `value` in the drawing.
  JointAngle(const SpatialAxes& axes, double value) : JointAngle(axes, angle_zero(false, 0, value, "angle")) {}

  Index angle_count() const override { return 1; }
  void initial_angles(VectorView angle) const override { angle[0] = start(); }
  void angles(const ElementState& s, VectorView angle) const override { angle[0] = value(s); }

  double value(const ElementState& s) const { return unwrap(s, angle_.principal(s)); }
  /// The counted angle from the principal one.
  double unwrap(const ElementState& s, double principal) const {
    const double angle = value_ + principal;
    return s.angle_references != nullptr ? counted_angle(angle, s.angle_references[0]) : angle;
  }
  double rate(const ElementState& s) const { return angle_.terms(s).rate; }
  const SpatialAngle& definition() const { return angle_; }
  /// The angle where f_j is along f_i, and the angle in the drawing.
  double value() const { return value_; }
  double start() const { return origin_.drawn; }
  const CoordinateOrigin& origin() const { return origin_; }

 private:
  SpatialAngle angle_;
  double value_;
  CoordinateOrigin origin_;
};

/// Displacement of P_j from P_i along the first body's axis h_i.
struct JointDisplacement {
  Vec3<> h_i, s_i, s_j;
  double offset = 0;  ///< m
  CoordinateOrigin origin{};

  /// `keys` gave the points, `initial_displacement` is NaN if left out.
  JointDisplacement(const TwoBodies& two, const Vec3<>& axis, const SpatialPoints& points, const PointKeys& keys,
                    double initial_displacement, const ModelInfo& model)
      : h_i(axis), s_i(points.s_i), s_j(points.s_j) {
    const SpatialBodyState &i = spatial_state(model, two.bodies[0]), &j = spatial_state(model, two.bodies[1]);
    const Vec3<> d = position(j) + multiply(j.A, s_j) - position(i) - multiply(i.A, s_i);
    const CountedFrom from =
        displacement_zero(dot(multiply(i.A, h_i), d), !given(keys.at), initial_displacement, model);
    offset = from.offset(), origin = from.origin;
  }

  /// In the drawing.
  double start() const { return origin.drawn; }
  double value(const ElementState& s) const {
    const SpatialPair b(s);
    return offset + dot(multiply(b.i.A, h_i), MovingDistance<false>(b, s_i, s_j).d);
  }
  double rate(const ElementState& s) const {
    const SpatialPair b(s);
    const MovingVector<true> H(b.i, b.p_i, b.v_i, h_i);
    const MovingDistance<true> D(b, s_i, s_j);
    return dot(H.a1, D.d) + dot(H.a, D.d1);
  }
};

/// `.angle .rate` and `.displacement .speed` of a joint, whichever it has; a null pointer: it has not.
class JointChannels final : public ElementChannels {
 public:
  JointChannels(const JointAngle* angle, const JointDisplacement* displacement)
      : angle_(angle), displacement_(displacement) {}

  Index channel_count() const override { return (angle_ != nullptr ? 2 : 0) + (displacement_ != nullptr ? 2 : 0); }
  const char* channel_name(Index i) const override { return names[index(i)]; }
  const char* channel_unit(Index i) const override { return units[index(i)]; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    double* value = out.data;
    if (angle_ != nullptr) {
      *value++ = angle_->value(s);
      *value++ = angle_->rate(s);
    }
    if (displacement_ != nullptr) {
      *value++ = displacement_->value(s);
      *value++ = displacement_->rate(s);
    }
    return Status::success();
  }

 private:
  static constexpr const char* names[] = {"angle", "rate", "displacement", "speed"};
  static constexpr const char* units[] = {"rad", "rad/s", "m", "m/s"};
  Index index(Index i) const { return angle_ != nullptr ? i : i + 2; }

  const JointAngle* angle_;
  const JointDisplacement* displacement_;
};

}  // namespace trammel::sdk
