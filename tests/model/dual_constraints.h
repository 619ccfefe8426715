// Equations of the shipped constraints in dual numbers, written anew from their definitions.
#pragma once

#include <cmath>
#include <map>

#include "dual_keys.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapters 3 and 9. d = P_j - P_i.
namespace trammel::duals {

using Build = std::function<Rows(const Keys&)>;
/// A scalar over the bodies: a row, a joint coordinate, a motion over time.
using Coordinate = std::function<Number(const Configuration&)>;

inline Vec3<Number> between(const Configuration& c, const Points& p) {
  return c.point(p.j, p.s_j) - c.point(p.i, p.s_i);
}
/// (A_i f).d
inline Number across(const Configuration& c, const Points& p, const Vec3<>& f) {
  return dot(c.direction(p.i, f), between(c, p));
}
/// (A_i f).(A_j h)
inline Number inclined(const Configuration& c, const Points& p, const Vec3<>& f, const Vec3<>& h) {
  return dot(c.direction(p.i, f), c.direction(p.j, h));
}
/// The angle of the second body's f_j about f_i x g_i of the first.
inline Number turn(const Configuration& c, const Points& p, const sdk::SpatialAxes& a) {
  return atan2(inclined(c, p, a.g_i, a.f_j), inclined(c, p, a.f_i, a.f_j));
}

inline Rows rows(std::vector<BodyRef> bodies, std::vector<Coordinate> each) {
  return {std::move(bodies), [each = std::move(each)](const Configuration& c, Numbers& Phi) {
            for (const Coordinate& row : each) Phi.push_back(row(c));
          }};
}
inline Rows rows(const Points& p, std::vector<Coordinate> each) {
  return rows(std::vector<BodyRef>{p.i, p.j}, std::move(each));
}

/// Groups of rows of spatial joints.
inline std::vector<Coordinate> coincident(const Points& p) {
  return {[=](const Configuration& c) { return between(c, p).x; },
          [=](const Configuration& c) { return between(c, p).y; },
          [=](const Configuration& c) { return between(c, p).z; }};
}
inline Coordinate dot1(const Points& p, const Vec3<>& f, const Vec3<>& h, double value = 0) {
  return [=](const Configuration& c) { return inclined(c, p, f, h) - value; };
}
inline Coordinate dot2(const Points& p, const Vec3<>& f, double value = 0) {
  return [=](const Configuration& c) { return across(c, p, f) - value; };
}
inline Coordinate rod(const Points& p, double length) {
  return [=](const Configuration& c) { return norm(between(c, p)) - length; };
}
inline Coordinate planar_turn(const Points& p, double angle) {
  return [=](const Configuration& c) { return c.angle(p.j) - c.angle(p.i) - angle; };
}
inline std::vector<Coordinate> operator+(std::vector<Coordinate> a, const std::vector<Coordinate>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline std::vector<Coordinate> parallel(const Points& p, const sdk::SpatialAxes& a) {
  return {dot1(p, a.f_i, a.h_j), dot1(p, a.g_i, a.h_j)};
}
inline std::vector<Coordinate> in_line(const Points& p, const Vec3<>& f, const Vec3<>& g) {
  return {dot2(p, f), dot2(p, g)};
}

inline double length(const Keys& k, const Points& p) {
  return k.has("length") ? k.number("length") : norm(k.distance(p));
}

/// The normal of a planar axis, fixed in the first body.
inline Vec3<> normal(const Keys& k, BodyRef i) {
  const Vec3<> u = k.direction(i, "axis", "axis_i");
  return {-u.y, u.x, 0};
}
/// phi_j - phi_i at which the axes of both bodies are parallel, near the start.
inline double parallel_angle(const Keys& k, const Points& p) {
  const double start = k.angle(p.j) - k.angle(p.i);
  if (k.has("axis")) return start;
  const Vec3<> u_i = k.vector("axis_i"), u_j = k.vector("axis_j");
  const double parallel = std::atan2(u_i.y, u_i.x) - std::atan2(u_j.y, u_j.x);
  return start + std::remainder(parallel - start, 2 * M_PI);
}

/// The motion of a driver at any time: `function`, or the integral of `rate` from `start`.
inline Coordinate motion(const Keys& k, double start) {
  if (const FunctionRef f = k.function("function"); f != nullptr) {
    return [=](const Configuration& c) { return sdk::evaluate(*f, c.t); };
  }
  const FunctionRef rate = k.function("rate");
  const FunctionIntegral* integral = find_extension<FunctionIntegral>(*rate);
  double zero = 0;
  if (!integral->antiderivative(0, &zero)) throw NotCovered("no integral");
  return [=](const Configuration& c) {
    double f[4];
    const double t = base_value(c.t);
    if (!integral->antiderivative(t, f) || !rate->evaluate(t, 2, f + 1)) throw NotCovered("no motion");
    f[0] += start - zero;
    return sdk::lift(f, c.t);
  };
}
inline Rows driven(const Points& p, const Coordinate& coordinate, const Coordinate& f) {
  return rows(p, {[=](const Configuration& c) { return coordinate(c) - f(c); }});
}
inline Rows driven_coordinate(const Keys& k) {
  const BodyRef body = k.at<BodyRef>("body");
  const std::int32_t axis = k.at<std::int32_t>("coordinate");
  const Vec3<> e{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0}, s = k.vector_or_zero("point");
  const Points p{{-1}, body, {0, 0, 0}, s};
  if (k.planar() && axis == 2) return driven(p, planar_turn(p, 0), motion(k, k.angle(body)));
  return driven(p, dot2(p, e), motion(k, dot(e, k.global(body, s))));
}
inline Rows driven_displacement(const Keys& k) {
  const Points p = k.points();
  const Vec3<> u = k.direction(p.i, "axis", "axis_i");
  const double drawn = dot(k.turned(p.i, u), k.distance(p));
  const bool between_points = !k.has("at") && !k.has("initial_displacement") && sdk::markers_define_zero(k.model);
  const double start = between_points ? drawn : k.number_or_zero("initial_displacement");
  return driven(p, dot2(p, u, drawn - start), motion(k, start));
}
inline Rows driven_distance(const Keys& k) {
  const Points p = k.points();
  return driven(p, rod(p, 0), motion(k, norm(k.distance(p))));
}
/// Points of an element that has only bodies: their mass centres.
inline Points bodies_of(const Keys& k) { return {k.body(0), k.body(1), {0, 0, 0}, {0, 0, 0}}; }

inline Rows driven_angle(const Keys& k) {
  const Points p = bodies_of(k);
  if (k.has("reference_i") || (k.planar() && k.has("initial_angle"))) throw NotCovered("a zero of its own");
  if (k.planar()) return driven(p, planar_turn(p, 0), motion(k, k.angle(p.j) - k.angle(p.i)));
  const sdk::SpatialAxes a = k.axes();
  const double start = k.number_or_zero("initial_angle");
  const Coordinate f = motion(k, start);
  return rows(p, {[=](const Configuration& c) {
                const Number Phi = turn(c, p, a) + start - f(c);
                return Phi - 2 * M_PI * std::round(base_value(Phi) / (2 * M_PI));  // on the branch nearest to f
              }});
}

/// P_j - P_i of a fixed joint without any point: the mass centre of the second body, of the first if that is ground.
inline Points weld(const Keys& k) {
  if (k.has("at") || k.has("point_i")) return k.points();
  const BodyRef i = k.body(0), j = k.body(1);
  const Vec3<> P = k.position(j.is_ground() ? i : j);
  return {i, j, k.local(i, P), k.local(j, P)};
}

inline Vec3<> along_axis(const Keys& k) { return k.direction(k.body(0), "axis", "axis_i"); }

inline const std::map<std::string, Build>& spatial_constraints() {
  static const std::map<std::string, Build> types = {
      {"point", [](const Keys& k) { return rows(k.points(), coincident(k.points())); }},
      {"spherical", [](const Keys& k) { return rows(k.points(), coincident(k.points())); }},
      {"dot1",
       [](const Keys& k) {
         const Points p = bodies_of(k);
         return rows(p, {dot1(p, along_axis(k), k.direction(p.j, "second_axis", "axis_j"), k.number("value"))});
       }},
      {"dot2", [](const Keys& k) { return rows(k.points(), {dot2(k.points(), along_axis(k), k.number("value"))}); }},
      {"in_plane", [](const Keys& k) { return rows(k.points(), {dot2(k.points(), along_axis(k))}); }},
      {"in_line",
       [](const Keys& k) {
         const Points p = k.points();
         const Vec3<> h = along_axis(k), f = sdk::perpendicular(h);
         return rows(p, in_line(p, f, cross(h, f)));
       }},
      {"distance", [](const Keys& k) { return rows(k.points(), {rod(k.points(), length(k, k.points()))}); }},
      {"spherical_spherical", [](const Keys& k) { return rows(k.points(), {rod(k.points(), length(k, k.points()))}); }},
      {"revolute_spherical",
       [](const Keys& k) {
         const Points p = k.points();
         return rows(p, {dot2(p, along_axis(k)), rod(p, length(k, p))});
       }},
      {"parallel_axes", [](const Keys& k) { return rows(bodies_of(k), parallel(bodies_of(k), k.axes())); }},
      {"revolute",
       [](const Keys& k) {
         const Points p = k.points();
         return rows(p, coincident(p) + parallel(p, k.axes()));
       }},
      {"cylindrical",
       [](const Keys& k) {
         const Points p = k.points();
         const sdk::SpatialAxes a = k.axes();
         return rows(p, parallel(p, a) + in_line(p, a.f_i, a.g_i));
       }},
      {"translational",
       [](const Keys& k) {
         const Points p = k.points();
         const sdk::SpatialAxes a = k.axes();
         return rows(p, parallel(p, a) + in_line(p, a.f_i, a.g_i) + std::vector<Coordinate>{dot1(p, a.f_i, a.g_j)});
       }},
      {"screw",
       [](const Keys& k) {
         const Points p = k.points();
         const sdk::SpatialAxes a = k.axes();
         const double lead = k.number("pitch") / (2 * M_PI), start = dot(k.turned(p.i, a.h_i), k.distance(p));
         const Coordinate advance = [=](const Configuration& c) {
           return across(c, p, a.h_i) - start - lead * turn(c, p, a);
         };
         return rows(p, parallel(p, a) + in_line(p, a.f_i, a.g_i) + std::vector<Coordinate>{advance});
       }},
      {"planar_joint",
       [](const Keys& k) {
         const Points p = k.points();
         const sdk::SpatialAxes a = k.axes();
         return rows(p, parallel(p, a) + std::vector<Coordinate>{dot2(p, a.h_i)});
       }},
      {"universal",
       [](const Keys& k) {
         const Points p = k.points();
         const Vec3<> h_j = k.direction(p.j, "second_axis", "axis_j");
         return rows(p, coincident(p) + std::vector<Coordinate>{dot1(p, along_axis(k), h_j)});
       }},
      {"fixed",
       [](const Keys& k) {
         const Points p = weld(k);
         const auto seen = [&](const Vec3<>& e) { return k.turned_back(p.j, k.turned(p.i, e)); };  // e of i in j's axes
         const Vec3<> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
         return rows(
             p, coincident(p) + std::vector<Coordinate>{dot1(p, x, seen(z)), dot1(p, y, seen(z)), dot1(p, x, seen(y))});
       }},
      {"angle_driver", driven_angle},
      {"coordinate_driver", driven_coordinate},
      {"distance_driver", driven_distance},
      {"translation_driver", driven_displacement},
  };
  return types;
}

inline const std::map<std::string, Build>& planar_constraints() {
  const static auto coincident_2 = [](const Points& p) {
    std::vector<Coordinate> both = coincident(p);
    both.pop_back();
    return both;
  };
  static const std::map<std::string, Build> types = {
      {"revolute", [](const Keys& k) { return rows(k.points(), coincident_2(k.points())); }},
      {"fixed",
       [](const Keys& k) {
         const Points p = weld(k);
         return rows(p, coincident_2(p) + std::vector<Coordinate>{planar_turn(p, k.angle(p.j) - k.angle(p.i))});
       }},
      {"distance", [](const Keys& k) { return rows(k.points(), {rod(k.points(), length(k, k.points()))}); }},
      {"translational",
       [](const Keys& k) {
         const Points p = k.points();
         return rows(p, {dot2(p, normal(k, p.i)), planar_turn(p, parallel_angle(k, p))});
       }},
      {"point_on_line", [](const Keys& k) { return rows(k.points(), {dot2(k.points(), normal(k, k.body(0)))}); }},
      {"revolute_translational",
       [](const Keys& k) {
         const Points p = k.points();
         const Vec3<> n = normal(k, p.i);
         return rows(p, {dot2(p, n, k.has("distance") ? k.number("distance") : dot(k.turned(p.i, n), k.distance(p)))});
       }},
      {"rack_and_pinion",
       [](const Keys& k) {
         const Points p = k.points();
         const Vec3<> t = k.direction(p.j, "axis", "axis_j"), T = k.turned(p.j, t), d = k.distance(p);
         const double side = dot(Vec3<>{-T.y, T.x, 0}, -d), R = std::copysign(k.number("radius"), side);
         const double angle = k.angle(p.i) - k.angle(p.j), start = dot(T, d);
         return rows(p, {[=](const Configuration& c) {
                       const Number displacement = dot(c.direction(p.j, t), between(c, p)) - start;
                       return R * (c.angle(p.i) - c.angle(p.j) - angle) - displacement;
                     }});
       }},
      {"gear",
       [](const Keys& k) {
         const Points p = k.points();
         const double R_i = k.number("radius_i"), R_j = (k.at<bool>("internal") ? -1 : 1) * k.number("radius_j");
         const Vec3<> d = k.distance(p);
         const double start = R_i * k.angle(p.i) + R_j * k.angle(p.j) - (R_i + R_j) * std::atan2(d.y, d.x);
         return rows(p, {[=](const Configuration& c) {
                       const Number beta = (R_i * c.angle(p.i) + R_j * c.angle(p.j) - start) / (R_i + R_j);
                       const Vec3<Number> d = between(c, p);
                       return cos(beta) * d.y - sin(beta) * d.x;
                     }});
       }},
      {"angle_driver", driven_angle},
      {"coordinate_driver", driven_coordinate},
      {"distance_driver", driven_distance},
      {"translation_driver", driven_displacement},
  };
  return types;
}

}  // namespace trammel::duals
