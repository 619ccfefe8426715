// Bodies in a plane along the tree, as spatial.h: phi = phi_p + angle + x, and levers that turn.
#pragma once

#include "turns.h"

namespace trammel::recursive {

template <class T>
struct PlanarFrame {
  T phi, w, w1, c, s;
  Vec2<T> r, r1, r2;

  template <class U>
  TRAMMEL_INLINE Vec2<T> turn(const Vec2<U>& a) const {
    return {c * a.x - s * a.y, s * a.x + c * a.y};
  }
};

struct Planar {
  static constexpr Index coordinates = 3;
  template <class T>
  using Frame = PlanarFrame<T>;
  struct Twist {
    Vec2<> r;
    double w;
  };
  struct Levers {
    Vec2<> parent, child, slides[2];
  };

  template <class T>
  static Frame<T> ground() {
    const T zero(0.0), one(1.0);
    return {zero, zero, zero, one, zero, {zero, zero}, {zero, zero}, {zero, zero}};
  }
  static Frame<double> same(const Frame<double>& f, double) { return f; }
  template <class T>
  static Frame<T> same(const Frame<double>& f, T) {
    const auto two = [](const Vec2<>& a) { return Vec2<T>{T(a.x), T(a.y)}; };
    return {T(f.phi), T(f.w), T(f.w1), T(f.c), T(f.s), two(f.r), two(f.r1), two(f.r2)};
  }
  static Vec2<> flat(const Vec3<>& a) { return {a.x, a.y}; }

  template <class T>
  TRAMMEL_INLINE static Vec2<T> along_slides(const Joint& j, const std::array<Vec3<>, 3>& F, const T* x) {
    Vec2<T> d{T(0.0), T(0.0)};
    for (std::size_t k = 0; k < 2; ++k) {
      if (((j.slides >> k) & 1u) != 0) d = d + *x++ * flat(F[k]);
    }
    return d;
  }

  /// `turns`: of the child's angle, which the state knows only where the joint turns.
  template <class T>
  TRAMMEL_INLINE static void step(const Joint& j, double turns, const Frame<T>& parent, const T* x, const T* x1,
                                  const T* x2, Frame<T>& child, Levers* levers) {
    using std::cos;
    using std::sin;
    const int s = j.slide_count();
    const bool turning = j.turn == Turn::third;
    child.phi = parent.phi + (j.angle + turns), child.w = parent.w, child.w1 = parent.w1;
    if (turning) child.phi = child.phi + x[s], child.w = child.w + x1[s], child.w1 = child.w1 + x2[s];
    child.c = cos(child.phi), child.s = sin(child.phi);
    const auto lever = [&](const Frame<T>& of, std::size_t side, double direction) TRAMMEL_INLINE_LAMBDA {
      const std::array<Vec3<>, 3>& F = j.axes[side];
      const bool slides = j.slides != 0 && j.slides_on_child == (side == 1);
      Vec2<T> l = of.turn(flat(j.point[side])), d1{T(0.0), T(0.0)}, d2 = d1;
      if (slides) {
        l = l + of.turn(along_slides(j, F, x));
        d1 = of.turn(along_slides(j, F, x1)), d2 = of.turn(along_slides(j, F, x2));
      }
      child.r = child.r + direction * l;
      child.r1 = child.r1 + direction * (of.w * perp(l) + d1);
      child.r2 = child.r2 + direction * (of.w1 * perp(l) - (of.w * of.w) * l + (2.0 * of.w) * perp(d1) + d2);
      return l;
    };
    child.r = parent.r, child.r1 = parent.r1, child.r2 = parent.r2;
    const Vec2<T> l_parent = lever(parent, 0, 1), l_child = lever(child, 1, -1);
    if constexpr (std::is_same_v<T, double>) {
      if (levers != nullptr) {
        levers->parent = l_parent, levers->child = l_child;
        for (std::size_t k = 0; k < 2 && j.slides != 0; ++k) {
          levers->slides[k] = j.slides_on_child ? -child.turn(flat(j.axes[1][k])) : parent.turn(flat(j.axes[0][k]));
        }
      }
    }
    (void)levers, (void)l_parent, (void)l_child;
  }

  template <class T, class Out>
  TRAMMEL_INLINE static void write(const Frame<T>& f, const Out& out) {
    out(0, f.r.x, f.r1.x, f.r2.x), out(1, f.r.y, f.r1.y, f.r2.y), out(2, f.phi, f.w, f.w1);
  }
  TRAMMEL_INLINE static Twist twist(const Frame<double>&, const double* dq) { return {sdk::vec2(dq), dq[2]}; }
  TRAMMEL_INLINE static void untwist(const Frame<double>&, const Twist& t, double* dq) { store(t.r, dq), dq[2] = t.w; }
  TRAMMEL_INLINE static Twist wrench(const Frame<double>&, const double* force) { return {sdk::vec2(force), force[2]}; }

  TRAMMEL_INLINE static Twist spread(const Joint& j, const Levers& at, const double*, const Twist& parent,
                                     const double* dx) {
    Twist child{parent.r + parent.w * perp(at.parent), parent.w};
    for (std::size_t k = 0; k < 2; ++k) {
      if (((j.slides >> k) & 1u) != 0) child.r = child.r + *dx++ * at.slides[k];
    }
    if (j.turn == Turn::third) child.w += *dx;
    child.r = child.r - child.w * perp(at.child);
    return child;
  }
  TRAMMEL_INLINE static void relative(const Joint& j, const Levers& at, const double*, const Twist& parent,
                                      const Twist& child, double* dx) {
    const Vec2<> r = child.r + child.w * perp(at.child) - parent.r - parent.w * perp(at.parent);
    for (std::size_t k = 0; k < 2; ++k) {
      if (((j.slides >> k) & 1u) != 0) *dx++ = dot(at.slides[k], r);
    }
    if (j.turn == Turn::third) *dx = child.w - parent.w;
  }
  TRAMMEL_INLINE static void gather(const Joint& j, const Levers& at, const double*, const Twist& child, Twist* parent,
                                    double* force) {
    const double torque = child.w - dot(perp(at.child), child.r);
    for (std::size_t k = 0; k < 2; ++k) {
      if (((j.slides >> k) & 1u) != 0) *force++ = dot(at.slides[k], child.r);
    }
    if (j.turn == Turn::third) *force = torque;
    if (parent == nullptr) return;
    parent->r = parent->r + child.r;
    parent->w += torque + dot(perp(at.parent), child.r);
  }

  /// x of two bodies, and the turns of the child's angle.
  static double measure(const Joint& j, const double* parent, const double* child, const double* near, double* x);
};

}  // namespace trammel::recursive
