// Cubic spline curves through points, open or closed, and the point of a curve closest to a given one.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/error.h"
#include "trammel/parameters.h"
#include "trammel/sdk/elements/auto_bodies.h"

// de Boor, A Practical Guide to Splines (Springer, 1978), chapter IV. Knots t_k at the accumulated chord lengths; with
// the moments m_k = c''(t_k), h_k = t_k+1 - t_k and slopes s_k = (c_k+1 - c_k)/h_k
//   h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 (s_k - s_k-1)                                               (1)
// cyclic on a closed curve; m = 0 at the ends of an open one (natural), which goes on straight beyond its ends.
namespace trammel::point_on_spline {

using sdk::Vec2;
using sdk::Vec3;

/// c, c' and c'' at one parameter.
template <class Vector>
struct CurvePoint {
  Vector c, c1, c2;
};

template <template <class> class Vec>
class Curve {
 public:
  using Point = Vec<double>;

  Curve(const std::vector<Point>& points, const std::vector<double>& chords, bool closed) : closed_(closed) {
    const std::size_t n = points.size(), segments = chords.size();
    const auto next = [n](std::size_t k) { return (k + 1) % n; };
    std::vector<Point> slope, m(n, zero());
    for (std::size_t k = 0; k < segments; ++k) slope.push_back((1 / chords[k]) * (points[next(k)] - points[k]));
    // Gauss-Seidel on (1): diagonally dominant by a factor of two, so that each sweep halves the error at least.
    for (int sweep = 0; sweep < 120; ++sweep) {
      for (std::size_t k = closed ? 0 : 1; k + (closed ? 0 : 1) < n; ++k) {
        const std::size_t before = (k + n - 1) % n;
        const double left = chords[before], right = chords[k];
        m[k] = (1 / (2 * (left + right))) * (6.0 * (slope[k] - slope[before]) - left * m[before] - right * m[next(k)]);
      }
    }
    double t = 0;
    for (std::size_t k = 0; k < segments; ++k) {
      const double h = chords[k];
      const Point m0 = m[k], m1 = m[next(k)];
      pieces_.push_back({t, points[k], slope[k] - (h / 6) * (2.0 * m0 + m1), 0.5 * m0, (1 / (6 * h)) * (m1 - m0)});
      t += h;
    }
    length_ = t;
    if (!closed) {  // straight beyond the ends
      const Piece first = pieces_.front(), last = pieces_.back();
      const double h = chords.back();
      const Point end = last.a + h * (last.b + h * (last.c + h * last.d));
      pieces_.insert(pieces_.begin(), {0, first.a, first.b, zero(), zero()});
      pieces_.push_back({t, end, last.b + h * (2.0 * last.c + (3 * h) * last.d), zero(), zero()});
    }
  }

  double length() const { return length_; }

  template <class T>
  CurvePoint<Vec<T>> at(const T& u) const {
    double turn = 0;
    const Piece& p = piece(sdk::base_value(u), turn);
    const T s = u - (turn + p.t);
    return {p.a + s * (p.b + s * (p.c + s * p.d)), p.b + s * (2.0 * p.c + (3.0 * s) * p.d),
            2.0 * p.c + (6.0 * s) * p.d};
  }

  /// Parameter of the point of the curve closest to x among those near `guess`; NaN if there is none.
  double closest(const Point& x, double guess) const {
    double u = guess;
    for (int iteration = 0; iteration < 200; ++iteration) {
      const CurvePoint<Point> p = at(u);
      const double g = -sdk::dot(p.c1, x - p.c), speed = sdk::dot(p.c1, p.c1);
      const double slope = speed - sdk::dot(p.c2, x - p.c);
      // Beyond the centre of curvature Newton would find the farthest point: descend instead.
      const double limit = 0.25 * length_;
      const double step = std::clamp(-g / (slope > 0.1 * speed ? slope : speed), -limit, limit);
      u += step;
      if (std::abs(step) < 1e-14 * (length_ + std::abs(u))) return u;
      if (!(std::abs(step) < 1e300)) break;
    }
    // Rounding may keep the last digits moving; a point that is stationary to half the digits is found.
    const CurvePoint<Point> p = at(u);
    return std::abs(sdk::dot(p.c1, x - p.c)) < 1e-8 * length_ ? u : left_out();
  }

  /// The closest point of the whole curve.
  double closest(const Point& x) const {
    double best = 0, distance = -1;
    const int samples = 16 * static_cast<int>(pieces_.size());
    for (int k = 0; k <= samples; ++k) {
      const double u = length_ * k / samples;
      const Point d = x - at(u).c;
      if (distance < 0 || sdk::dot(d, d) < distance) best = u, distance = sdk::dot(d, d);
    }
    return closest(x, best);
  }

  /// u(x) with all its derivatives from its value: two Newton steps on c'.(x - c) = 0 in the differential scalar, each
  /// of which doubles the number of derivatives that are exact (1, 3).
  template <class T>
  T lifted(const Vec<T>& x, double value) const {
    T u(value);
    for (int step = 0; step < 2; ++step) {
      const CurvePoint<Vec<T>> p = at(u);
      const Vec<T> d = x - p.c;
      u = u - sdk::dot(p.c1, d) / (sdk::dot(p.c2, d) - sdk::dot(p.c1, p.c1));
    }
    return u;
  }

 private:
  struct Piece {
    double t;
    Point a, b, c, d;
  };
  static Point zero() { return Point{}; }

  const Piece& piece(double u, double& turn) const {
    if (closed_) turn = length_ * std::floor(u / length_);
    const auto after = std::upper_bound(pieces_.begin() + (closed_ ? 0 : 1), pieces_.end(), u - turn,
                                        [](double value, const Piece& p) { return value < p.t; });
    return after == pieces_.begin() ? *after : *std::prev(after);
  }

  bool closed_;
  double length_ = 0;
  std::vector<Piece> pieces_;
};

inline Vec2<> read_point(const double* x, Vec2<>*) { return sdk::vec2(x); }
inline Vec3<> read_point(const double* x, Vec3<>*) { return sdk::vec3(x); }

/// The points of a flat list of coordinates, checked. Throws Error::parameter on "points".
template <class Point>
std::vector<Point> read_points(const Numbers& list, Index dimension, bool closed) {
  if (list.size % dimension != 0) {
    throw Error::parameter("points", "needs " + std::to_string(dimension) + " numbers for each point, has " +
                                         std::to_string(list.size) + " numbers");
  }
  std::vector<Point> points;
  for (std::int64_t k = 0; k < list.size; k += dimension) {
    points.push_back(read_point(list.data + k, static_cast<Point*>(nullptr)));
  }
  if (points.size() < (closed ? 3u : 2u)) {
    throw Error::parameter(
        "points", closed ? "a closed curve needs at least three points" : "an open curve needs at least two points");
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k + 1 == points.size() && !closed) break;
    if (sdk::norm(points[(k + 1) % points.size()] - points[k]) > 0) continue;
    throw Error::parameter("points",
                           k + 1 == points.size()
                               ? "the last point repeats the first: leave it out, a closed curve closes itself"
                               : "point " + std::to_string(k + 2) + " repeats the one before it");
  }
  return points;
}

template <class Point>
std::vector<double> chord_lengths(const std::vector<Point>& points, bool closed) {
  std::vector<double> chords;
  for (std::size_t k = 0; k + (closed ? 0 : 1) < points.size(); ++k) {
    chords.push_back(sdk::norm(points[(k + 1) % points.size()] - points[k]));
  }
  return chords;
}

}  // namespace trammel::point_on_spline
