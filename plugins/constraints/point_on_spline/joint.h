// What the planar and the spatial joint share: parameters, and the counter that remembers where on the curve the point
// is.
#pragma once

#include "curve.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_channels.h"
#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::point_on_spline {

using sdk::Pose;

struct Parameters {
  sdk::TwoBodies two;
  Numbers points;
  bool closed;
  double point_j[3];
};

/// A function, because clang 14 takes no parameter of a template as an argument of `table`.
consteval auto spline_table(const char* zero) {
  return sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, points, "m",
                    "Points of the curve in the first body, their coordinates one after another.")
          .count(4, 100000),
      TRAMMEL_FIELD(Parameters, closed, "1", "Whether the curve returns from its last point to its first.")
          .otherwise("false"),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Point of the second body that stays on the curve.")
          .on_body(1)
          .otherwise(zero));
}

/// d in the axes of a body over any scalar: A^T d.
template <class T>
Vec2<T> in_body(const Pose<PlanarBodyState, T>& b, const Vec2<T>& d) {
  return {sdk::dot(b.direction({1, 0}), d), sdk::dot(b.direction({0, 1}), d)};
}
template <class T>
Vec3<T> in_body(const Pose<SpatialBodyState, T>& b, const Vec3<T>& d) {
  return {sdk::dot(b.direction({1, 0, 0}), d), sdk::dot(b.direction({0, 1, 0}), d),
          sdk::dot(b.direction({0, 0, 1}), d)};
}

/// The curve's parameter at the closest point. Kept by the kernel as a counted angle: Newton starts from the value at
/// the last accepted state, so that the branch never jumps inside a step, also where the curve passes near itself.
template <template <class> class Vec, class State>
class CurveParameter final : public CountedAngles {
 public:
  CurveParameter(const Curve<Vec>& curve, const Vec<double>& s_j, const State& i, const State& j)
      : curve_(curve), s_j_(s_j) {
    const State* states[2] = {&i, &j};
    double q[2][State::coordinates], v[State::coordinates];
    for (int b = 0; b < 2; ++b) sdk::coordinates_of(*states[b], q[b], v);
    const Pose<State, double> poses[2] = {Pose<State, double>(q[0]), Pose<State, double>(q[1])};
    initial_ = curve.closest(local(poses));
    if (!given(initial_)) {
      throw Error::parameter("point_j", "the curve has no closest point to it in the initial configuration");
    }
  }

  Index angle_count() const override { return 1; }
  void initial_angles(VectorView u) const override { u[0] = initial_; }
  void angles(const ElementState& s, VectorView u) const override {
    double q[2][State::coordinates], v[State::coordinates];
    for (Index b = 0; b < 2; ++b) sdk::coordinates_of(s.body<State>(b), q[b], v);
    const Pose<State, double> poses[2] = {Pose<State, double>(q[0]), Pose<State, double>(q[1])};
    const double found = base(local(poses), s);
    // A state without a closest point keeps the last parameter; the row itself then is not finite and is reported.
    u[0] = given(found) ? found : s.angle_references != nullptr ? s.angle_references[0] : initial_;
  }

  /// The guided point in the axes of the first body, m.
  template <class T>
  Vec<T> local(const Pose<State, T>* b) const {
    return in_body(b[0], b[1].point(s_j_) - b[0].r);
  }
  template <class T>
  T value(const Vec<T>& x, const ElementState& s) const {
    return curve_.lifted(x, base(values(x), s));
  }

 private:
  double base(const Vec<double>& x, const ElementState& s) const {
    return s.angle_references != nullptr ? curve_.closest(x, s.angle_references[0]) : curve_.closest(x);
  }
  template <class T>
  static Vec2<> values(const Vec2<T>& x) {
    return {sdk::base_value(x.x), sdk::base_value(x.y)};
  }
  template <class T>
  static Vec3<> values(const Vec3<T>& x) {
    return {sdk::base_value(x.x), sdk::base_value(x.y), sdk::base_value(x.z)};
  }

  const Curve<Vec>& curve_;
  Vec<double> s_j_;
  double initial_ = 0;
};

}  // namespace trammel::point_on_spline
