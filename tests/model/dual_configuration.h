// Bodies in dual numbers, planar and spatial alike, with nothing taken from the kernels of the elements under test.
#pragma once

#include <functional>
#include <vector>

#include "trammel/parameters.h"
#include "trammel/sdk/math/dual.h"
#include "trammel/sdk/math/vec.h"

// A planar body is a spatial one that turns about z: q = (x, y, phi). Spatial: q = (r, p), |p| = 1 on the motion, and
//   A(p) s = (e0^2 - e.e) s + 2 e (e.s) + 2 e0 e x s                                                             (1)
namespace trammel::duals {

using sdk::Dual;
using sdk::Vec3;

/// The directions in which the map (t, w, w') -> w'' is differentiated at a time.
inline constexpr int directions = 8;
using Scalar = Dual<double, directions>;
/// A scalar with two more derivatives: by a coordinate (outer) and along the motion (inner), or twice along the motion.
using Number = Dual<Dual<Scalar, 1>, 1>;

inline Number constant(const Scalar& x) {
  Number y;
  y.v.v = x;
  return y;
}
inline const Scalar& value(const Number& x) { return x.v.v; }
inline const Scalar& along_motion(const Number& x) { return x.v.d[0]; }
inline const Scalar& by_outer(const Number& x) { return x.d[0].v; }
inline const Scalar& by_both(const Number& x) { return x.d[0].d[0]; }

/// Mass, kg, and inertia in body axes, kg m^2: xx yy zz xy xz yz; a point mass has none and only its place for coordinates.
struct Body {
  double mass;
  double J[6];
  bool point = false;
  std::size_t first = 0, width = 0;  ///< its coordinates among all
};

/// Coordinates of all bodies at a time.
struct Configuration {
  std::size_t width;  ///< 3 planar, 7 spatial
  const std::vector<Body>* bodies;
  Number t;
  std::vector<Number> q;

  bool planar() const { return width == 3; }

  /// A s in global axes.
  Vec3<Number> direction(BodyRef body, const Vec3<>& s) const {
    if (body.is_ground() || is_point(body)) return {s.x, s.y, s.z};
    const Number* x = of(body);
    if (planar()) {
      const Number c = cos(x[2]), n = sin(x[2]);
      return {c * s.x - n * s.y, n * s.x + c * s.y, s.z};
    }
    const Vec3<Number> e{x[4], x[5], x[6]};
    return (x[3] * x[3] - dot(e, e)) * s + 2.0 * (dot(e, s) * e) + 2.0 * (x[3] * cross(e, s));  // (1)
  }
  /// r + A s, m.
  Vec3<Number> point(BodyRef body, const Vec3<>& s) const {
    const Vec3<Number> arm = direction(body, s);
    if (body.is_ground()) return arm;
    const Number* x = of(body);
    return planar() ? Vec3<Number>{x[0] + arm.x, x[1] + arm.y, arm.z}
                    : Vec3<Number>{x[0] + arm.x, x[1] + arm.y, x[2] + arm.z};
  }
  /// phi of a planar body, rad.
  Number angle(BodyRef body) const { return body.is_ground() || is_point(body) ? Number() : of(body)[2]; }

  bool is_point(BodyRef body) const { return (*bodies)[static_cast<std::size_t>(body.index)].point; }
  const Number* of(BodyRef body) const { return q.data() + (*bodies)[static_cast<std::size_t>(body.index)].first; }
};

using Numbers = std::vector<Number>;

/// Rows of one constraint: appends its Phi.
struct Rows {
  std::vector<BodyRef> bodies;
  std::function<void(const Configuration&, Numbers& Phi)> phi;
};

/// A generalized force: Q = -sum of F(y, y', t) x_q over coordinates x of the bodies, F a law over a quantity y of
/// theirs. A force f on a point P is x = -P.f or, component by component, x = -P_k, y = f_k.
struct Load {
  struct Term {
    Number x, y;
  };
  std::vector<BodyRef> bodies;
  std::function<void(const Configuration&, std::vector<Term>&)> terms;
  std::function<Scalar(const Scalar& y, const Scalar& rate, const Scalar& t)> law;
};

/// Equations of motion of a whole model.
struct Equations {
  std::size_t width;
  std::vector<Body> bodies;
  std::vector<Rows> rows;  ///< in the order of the model's rows
  std::vector<Load> loads;
};

}  // namespace trammel::duals
