// Bodies in space along the tree: a link's rotation and place from its parent's and the joint's numbers, with both rates.
//
// With body-fixed levers l (the joint points; slides lengthen the one whose body they are fixed in) of parent p and child:
//   A = A_p F_p R F^T,     r = r_p + l_p - l                                                                      (1)
//   w = w_p + A_p F_p w_R, w' = w'_p + A_p F_p w'_R + w_p x (w - w_p)                                             (2)
//   l' = w x l + d',       l'' = w' x l + w x (w x l + 2 d') + d''          d', d'': the slide's, turned along    (3)
// (J. Wittenburg, Dynamics of Systems of Rigid Bodies (1977), 5.2; Bae and Haug, Mech. Struct. Mach. 15 (1987) 359-382.)
#pragma once

#include "turns.h"

namespace trammel::recursive {

template <class T>
struct SpatialFrame {
  Vec4<T> p;
  Vec3<T> rows[3];  ///< of A
  Vec3<T> r, r1, r2, w, w1;

  TRAMMEL_INLINE Vec3<T> turn(const Vec3<T>& s) const { return {dot(rows[0], s), dot(rows[1], s), dot(rows[2], s)}; }
  TRAMMEL_INLINE Vec3<T> turn(const Vec3<double>& s) const requires(!std::is_same_v<T, double>) {
    return {dot(rows[0], s), dot(rows[1], s), dot(rows[2], s)};
  }
  TRAMMEL_INLINE Vec3<T> turn_back(const Vec3<T>& g) const { return g.x * rows[0] + g.y * rows[1] + g.z * rows[2]; }
};

struct Spatial {
  static constexpr Index coordinates = 7;
  template <class T>
  using Frame = SpatialFrame<T>;
  /// Position, rotation as a twist.
  struct Twist {
    Vec3<> r, w;
  };
  /// What products with the tree's Jacobian need of a link.
  struct Levers {
    Vec3<> parent, child;  ///< l_p, l in global axes
    Vec3<> turns[3];       ///< unit axes of the turns, of the parent's joint axes for Turn::all
    Vec3<> slides[3];      ///< axes of the slides with the sign of their effect
  };

  template <class T>
  static Frame<T> ground() {
    const T zero(0.0), one(1.0);
    const Vec3<T> none{zero, zero, zero};
    return {{one, none}, {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}, none, none, none, none, none};
  }
  static Frame<double> same(const Frame<double>& f, double) { return f; }
  template <class T>
  static Frame<T> same(const Frame<double>& f, T) {
    const auto three = [](const Vec3<>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
    return {{T(f.p.e0), three(f.p.e)},
            {three(f.rows[0]), three(f.rows[1]), three(f.rows[2])},
            three(f.r),
            three(f.r1),
            three(f.r2),
            three(f.w),
            three(f.w1)};
  }

  template <class T>
  TRAMMEL_INLINE static void rotation(const Vec4<T>& p, Vec3<T>* A) {
    const T &w = p.e0, &x = p.e.x, &y = p.e.y, &z = p.e.z;
    const T ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    const T xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
    A[0] = {ww + xx - yy - zz, 2.0 * (xy - wz), 2.0 * (xz + wy)};
    A[1] = {2.0 * (xy + wz), ww - xx + yy - zz, 2.0 * (yz - wx)};
    A[2] = {2.0 * (xz - wy), 2.0 * (yz + wx), ww - xx - yy + zz};
  }

  /// The slide's displacement or one of its rates from x, on axes F: of thetas, or of the screw's angle.
  template <class T>
  TRAMMEL_INLINE static Vec3<T> along_slides(const Joint& j, const std::array<Vec3<>, 3>& F, const T* x,
                                             double offset) {
    Vec3<T> d{T(0.0), T(0.0), T(0.0)};
    for (std::size_t k = 0; k < 3; ++k) {
      if (((j.slides >> k) & 1u) != 0) d = d + *x++ * F[k];
    }
    if (j.lead != 0) d = d + (j.lead * *x + offset) * F[2];
    return d;
  }

  /// (1) to (3). `sign`: of the Euler parameters, which the state does not know.
  template <class T>
  TRAMMEL_INLINE static void step(const Joint& j, double sign, const Frame<T>& parent, const T* x, const T* x1,
                                  const T* x2, Frame<T>& child, Levers* levers) {
    using std::cos;
    using std::sin;
    const int s = j.slide_count();
    Vec3<T> w_R, w_R1;
    if (j.turn == Turn::third) {
      const T c = sign * cos(0.5 * x[s]), si = sign * sin(0.5 * x[s]);
      child.p = quaternion_times(parent.p, c * j.still + si * j.turned);
      const Vec3<T> h = parent.turn(j.axes[0][2]);
      w_R = x1[s] * h, w_R1 = x2[s] * h;
    } else if (j.turn == Turn::none) {
      child.p = quaternion_times(parent.p, sign * j.still);
      w_R = w_R1 = {T(0.0), T(0.0), T(0.0)};
    } else {
      const TurnMotion<T> turn =
          j.turn == Turn::two ? two_turns(j.first, j.second, x + s, x1 + s, x2 + s) : any_turn(x + s, x1 + s, x2 + s);
      const Vec4<T> in_parent = quaternion_times(sign * j.frame[0], turn.m);
      child.p = quaternion_times(parent.p, quaternion_times(in_parent, j.frame[1]));
      const auto global = [&](const Vec3<T>& a) {
        return parent.turn(a.x * j.axes[0][0] + a.y * j.axes[0][1] + a.z * j.axes[0][2]);
      };
      w_R = global(turn.w), w_R1 = global(turn.w1);
    }
    if constexpr (std::is_same_v<T, double>) {
      child.p = (1.5 - 0.5 * dot(child.p, child.p)) * child.p;  // products leave rounding in the length, which adds up
    }
    rotation(child.p, child.rows);
    child.w = parent.w + w_R;
    child.w1 = parent.w1 + w_R1 + cross(parent.w, w_R);
    const bool slides = j.slides != 0 || j.lead != 0;
    const auto lever = [&](const Frame<T>& of, std::size_t side, double direction) TRAMMEL_INLINE_LAMBDA {
      Vec3<T> l;
      if (slides && j.slides_on_child == (side == 1)) {
        const std::array<Vec3<>, 3>& F = j.axes[side];
        l = of.turn(j.point[side] + along_slides(j, F, x, j.offset));
        const Vec3<T> d1 = of.turn(along_slides(j, F, x1, 0)), d2 = of.turn(along_slides(j, F, x2, 0));
        const Vec3<T> turned = cross(of.w, l);
        child.r = child.r + direction * l;
        child.r1 = child.r1 + direction * (turned + d1);
        child.r2 = child.r2 + direction * (cross(of.w1, l) + cross(of.w, turned + 2.0 * d1) + d2);
      } else {
        l = of.turn(j.point[side]);
        const Vec3<T> turned = cross(of.w, l);
        child.r = child.r + direction * l;
        child.r1 = child.r1 + direction * turned;
        child.r2 = child.r2 + direction * (cross(of.w1, l) + cross(of.w, turned));
      }
      return l;
    };
    child.r = parent.r, child.r1 = parent.r1, child.r2 = parent.r2;
    const Vec3<T> l_parent = lever(parent, 0, 1), l_child = lever(child, 1, -1);
    if constexpr (std::is_same_v<T, double>) {
      if (levers != nullptr) measure_levers(j, parent, x, child, l_parent, l_child, *levers);
    }
    (void)levers;
  }

  TRAMMEL_INLINE static void measure_levers(const Joint& j, const Frame<double>& parent, const double* x,
                                            const Frame<double>& child, const Vec3<>& l_parent, const Vec3<>& l_child,
                                            Levers& out) {
    out.parent = l_parent, out.child = l_child;
    const auto axis = [&](const Vec3<>& a) { return parent.turn(a); };
    if (j.turn == Turn::third) {
      out.turns[0] = axis(j.axes[0][2]);
    } else if (j.turn == Turn::two) {
      const double zero[2] = {0, 0}, unit[2] = {0, 1};
      const TurnMotion<double> second = two_turns(j.first, j.second, x + j.slide_count(), unit, zero);
      out.turns[0] = axis(j.axes[0][static_cast<std::size_t>(j.first)]);
      out.turns[1] = axis(second.w.x * j.axes[0][0] + second.w.y * j.axes[0][1] + second.w.z * j.axes[0][2]);
    } else if (j.turn == Turn::all) {
      for (std::size_t k = 0; k < 3; ++k) out.turns[k] = axis(j.axes[0][k]);
    }
    if (j.slides == 0 && j.lead == 0) return;
    for (std::size_t k = 0; k < 3; ++k) {
      out.slides[k] = j.slides_on_child ? -child.turn(j.axes[1][k]) : axis(j.axes[0][k]);
    }
  }

  /// Coordinates, rates and accelerations; p'' = E^T w'/2 - w.w p/4.
  template <class T, class Out>
  TRAMMEL_INLINE static void write(const Frame<T>& f, const Out& out) {
    const Vec4<T> p1 = 0.5 * sdk::E_transpose(f.p, f.w);
    const Vec4<T> p2 = 0.5 * sdk::E_transpose(f.p, f.w1) - (0.25 * dot(f.w, f.w)) * f.p;
    const T q[] = {f.r.x, f.r.y, f.r.z, f.p.e0, f.p.e.x, f.p.e.y, f.p.e.z};
    const T v[] = {f.r1.x, f.r1.y, f.r1.z, p1.e0, p1.e.x, p1.e.y, p1.e.z};
    const T a[] = {f.r2.x, f.r2.y, f.r2.z, p2.e0, p2.e.x, p2.e.y, p2.e.z};
    for (Index k = 0; k < coordinates; ++k) out(k, q[k], v[k], a[k]);
  }

  TRAMMEL_INLINE static Twist twist(const Frame<double>& f, const double* dq) {
    return {sdk::vec3(dq), 2.0 * sdk::E_apply(f.p, sdk::vec4(dq + 3))};
  }
  TRAMMEL_INLINE static void untwist(const Frame<double>& f, const Twist& t, double* dq) {
    store(t.r, dq), store(0.5 * sdk::E_transpose(f.p, t.w), dq + 3);
  }
  TRAMMEL_INLINE static Twist wrench(const Frame<double>& f, const double* force) {
    return {sdk::vec3(force), 0.5 * sdk::E_apply(f.p, sdk::vec4(force + 3))};
  }

  /// The child's twist from the parent's and dx.
  TRAMMEL_INLINE static Twist spread(const Joint& j, const Levers& at, const double* x, const Twist& parent,
                                     const double* dx) {
    Twist child{parent.r + cross(parent.w, at.parent), parent.w};
    for (std::size_t k = 0; k < 3; ++k) {
      if (((j.slides >> k) & 1u) != 0) child.r = child.r + *dx * at.slides[k], ++dx, ++x;
    }
    if (j.turn == Turn::all) {
      const Vec4<> m = four(x);
      const double square = dot(m, m);
      const Vec3<> w = (2 / square) * sdk::E_apply(m, four(dx));
      child.w = child.w + w.x * at.turns[0] + w.y * at.turns[1] + w.z * at.turns[2];
    } else {
      for (int k = 0; k < j.turn_count(); ++k) child.w = child.w + dx[k] * at.turns[k];
      if (j.lead != 0) child.r = child.r + (j.lead * dx[0]) * at.slides[2];
    }
    child.r = child.r - cross(child.w, at.child);
    return child;
  }
  /// Its inverse: dx of two twists that the joint allows.
  TRAMMEL_INLINE static void relative(const Joint& j, const Levers& at, const double* x, const Twist& parent,
                                      const Twist& child, double* dx) {
    const Vec3<> r = child.r + cross(child.w, at.child) - parent.r - cross(parent.w, at.parent);
    for (std::size_t k = 0; k < 3; ++k) {
      if (((j.slides >> k) & 1u) != 0) *dx++ = dot(at.slides[k], r), ++x;
    }
    const Vec3<> w = child.w - parent.w;
    if (j.turn == Turn::all) {
      const Vec4<> m = four(x);
      store(0.5 * sdk::E_transpose(m, Vec3<>{dot(at.turns[0], w), dot(at.turns[1], w), dot(at.turns[2], w)}), dx);
    } else {
      for (int k = 0; k < j.turn_count(); ++k) dx[k] = dot(at.turns[k], w);
    }
  }
  /// The transpose of `spread`: generalized forces of a wrench on the child, which is then added to the parent's.
  TRAMMEL_INLINE static void gather(const Joint& j, const Levers& at, const double* x, const Twist& child,
                                    Twist* parent, double* force) {
    const Vec3<> torque = child.w - cross(at.child, child.r);
    for (std::size_t k = 0; k < 3; ++k) {
      if (((j.slides >> k) & 1u) != 0) *force++ = dot(at.slides[k], child.r), ++x;
    }
    if (j.turn == Turn::all) {
      const Vec4<> m = four(x);
      const Vec3<> t{dot(at.turns[0], torque), dot(at.turns[1], torque), dot(at.turns[2], torque)};
      store((2 / dot(m, m)) * sdk::E_transpose(m, t), force);
    } else {
      for (int k = 0; k < j.turn_count(); ++k) force[k] = dot(at.turns[k], torque);
      if (j.lead != 0) force[0] += j.lead * dot(at.slides[2], child.r);
    }
    if (parent == nullptr) return;
    parent->r = parent->r + child.r;
    parent->w = parent->w + torque + cross(at.parent, child.r);
  }

  /// x of two bodies, with angles near `near`, and the sign of the child's Euler parameters.
  static double measure(const Joint& j, const double* parent, const double* child, const double* near, double* x);
};

}  // namespace trammel::recursive
