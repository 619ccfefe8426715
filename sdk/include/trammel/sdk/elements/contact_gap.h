// The gap between a plane of one body and a point of another, as contacts and stops use it.
#pragma once

#include <type_traits>

#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"

//   g = n.(P_j - P_i),  n = A_i axis_i the plane's outward normal: positive while P_j is outside                    (1)
namespace trammel::sdk {

/// The shared keys; embed `contact_fields`.
struct ContactKeys {
  TwoBodies two;
  EndPoints ends;
  double axis_i[3];
};
template <const char* zero>
inline constexpr auto contact_fields = group(
    TRAMMEL_EMBED(ContactKeys, two, two_bodies_fields), TRAMMEL_EMBED(ContactKeys, ends, end_point_fields<zero>),
    TRAMMEL_FIELD(ContactKeys, axis_i, "1", "Outward normal of the plane through point_i, fixed in the first body.")
        .direction()
        .on_body(0));

/// (1) as a single row, never one of the model's; also the channels .gap and .rate of an element that owns one.
template <class State>
class GapRow final : public AutoConstraint<GapRow<State>, State, 2, 1> {
 public:
  using Vec = std::conditional_t<State::coordinates == 3, Vec2<>, Vec3<>>;

  explicit GapRow(const ContactKeys& keys)
      : AutoConstraint<GapRow, State, 2, 1>(keys.two.bodies[0], keys.two.bodies[1]),
        n_i_(unit_axis(vec(keys.axis_i), "axis_i")),
        s_i_(vec(keys.ends.point_i)),
        s_j_(vec(keys.ends.point_j)) {
    require_two_bodies(keys.two);
  }

  template <class T>
  void phi(const T&, const Pose<State, T>* b, T* out) const {
    out[0] = dot(b[0].direction(n_i_), b[1].point(s_j_) - b[0].point(s_i_));  // (1)
  }
  /// Body-fixed, m: a point of the plane, and the point outside it.
  const Vec& s_i() const { return s_i_; }
  const Vec& s_j() const { return s_j_; }
  /// The plane's outward normal, fixed in the first body.
  const Vec& n_i() const { return n_i_; }

 private:
  static Vec vec(const double* v) {
    if constexpr (State::coordinates == 3)
      return vec2(v);
    else
      return vec3(v);
  }

  Vec n_i_, s_i_, s_j_;
};

}  // namespace trammel::sdk
