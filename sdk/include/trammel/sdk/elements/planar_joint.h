// Planar joints: fused rows, and the joint coordinates and reaction point they share.
#pragma once

#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/planar_rows.h"

namespace trammel::sdk {

template <class... Kernels>
using PlanarConstraint = FusedConstraint<PlanarPair, PlanarPairVector, Kernels...>;

/// Reaction about the point s_j of the second body.
class PlanarReaction final : public ReactionPoint {
 public:
  explicit PlanarReaction(const Vec2<>& s_j) : s_j_(s_j) {}

  Index reaction_body() const override { return 1; }
  void reaction_point(const ElementState& s, double* point) const override {
    const PlanarBodyState& j = s.body<PlanarBodyState>(1);
    store(position(j) + rotate(j, s_j_), point);
    point[2] = 0;
  }

 private:
  Vec2<> s_j_;
};

/// Coordinates of a planar joint: `.angle .rate` = offset + phi_j - phi_i and its rate, or `.displacement .speed` of P_j from
/// P_i along the direction u fixed in the first body, with an offset in m.
class PlanarAngleChannels final : public ElementChannels {
 public:
  explicit PlanarAngleChannels(double offset = 0) : offset_(offset) {}

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "angle" : "rate"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "rad" : "rad/s"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const PlanarPair b(s);
    out[0] = b.j.phi - b.i.phi + offset_, out[1] = b.j.omega - b.i.omega;
    return Status::success();
  }

 private:
  double offset_;
};

class PlanarDisplacementChannels final : public ElementChannels {
 public:
  PlanarDisplacementChannels(const Vec2<>& u_i, const PlanarPoints& points, double offset)
      : u_i_(u_i), points_(points), offset_(offset) {}

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "displacement" : "speed"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "m" : "m/s"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const PlanarPair b(s);
    const PlanarDistance D(b, points_.s_i, points_.s_j);
    const Vec2<> u = rotate(b.i, u_i_);
    out[0] = offset_ + dot(u, D.d), out[1] = dot(u, D.d1) + D.w_i * dot(perp(u), D.d);
    return Status::success();
  }

 private:
  Vec2<> u_i_;
  PlanarPoints points_;
  double offset_;
};

/// Joints that guide a point of the second body along a line of the first.
struct PlanarGuide {
  PlanarPoints points;
  Vec2<> u_i;           ///< direction of the line, unit, fixed in the first body
  double angle;         ///< rad: phi_j - phi_i at which the axes of both bodies are parallel, near the start
  double displacement;  ///< m: of P_j from P_i along the line at the start
};

inline PlanarGuide planar_guide(const TwoBodies& two, const PointKeys& point, const AxisKeys& axis, bool second_axis,
                                const ModelInfo& model) {
  require_one_form(point, axis);
  PlanarGuide guide{};
  guide.points = planar_points(two, point, model);
  const PlanarBodyState &i = planar_state(model, two.bodies[0]), &j = planar_state(model, two.bodies[1]);
  guide.angle = j.phi - i.phi;
  if (given(axis.axis)) {
    if (given(axis.axis_i) || given(axis.axis_j)) refuse_mixture("axis");
    guide.u_i = rotate_back(i, unit_axis(vec2(axis.axis), "axis"));
  } else if (given(axis.axis_i) && given(axis.axis_j) == second_axis) {
    guide.u_i = unit_axis(vec2(axis.axis_i), "axis_i");
    if (second_axis) {
      const Vec2<> u_j = unit_axis(vec2(axis.axis_j), "axis_j");
      const double parallel = std::atan2(guide.u_i.y, guide.u_i.x) - std::atan2(u_j.y, u_j.x);
      guide.angle = counted_angle(parallel, guide.angle);
    }
  } else {
    throw Error::parameter("axis", second_axis ? "needs 'axis' (global), or both 'axis_i' and 'axis_j' (body-fixed)"
                                               : "needs 'axis' (global) or 'axis_i' (fixed in the first body)");
  }
  const Vec2<> d = position(j) + rotate(j, guide.points.s_j) - position(i) - rotate(i, guide.points.s_i);
  guide.displacement = dot(rotate(i, guide.u_i), d);
  return guide;
}

inline CountedFrom displacement_zero(const PlanarGuide& guide, const PointKeys& point, const DisplacementKeys& keys,
                                     const ModelInfo& model) {
  return displacement_zero(guide.displacement, !given(point.at), keys.initial_displacement, model);
}

}  // namespace trammel::sdk
