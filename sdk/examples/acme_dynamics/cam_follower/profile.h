// Closed cubic spline through the points of a cam, and where a roller or a flat face touches it.
//
// Periodic spline on accumulated chord lengths t_k (de Boor, A Practical Guide to Splines (1978), chapter IV): with
// h_k = t_k+1 - t_k, slopes s_k = (c_k+1 - c_k) / h_k and moments m_k = c''(t_k)
//   h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 (s_k - s_k-1)                                                (1)
// A contact is a minimum over u of
//   roller with its centre at x      d(u) = |x - c(u)|^2 / 2     d' = -c'.(x - c),   d'' = c'.c' - c''.(x - c)     (2)
//   flat face, e normal to it        d(u) = c(u).e               d' = c'.e,          d'' = c''.e                   (3)
// e points from the follower to the cam; both x and e in the cam's axes.
#pragma once

#include <trammel/error.h>
#include <trammel/parameters.h>
#include <trammel/sdk/elements/auto_bodies.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace acme::cam {

using trammel::sdk::Vec2;

template <class T>
struct CurvePoint {
  Vec2<T> c, c1, c2;
};

/// d' and d'' of a contact.
template <class T>
struct Slope {
  T first, second;
};

/// (2)
template <class T>
struct Roller {
  Vec2<T> x;
  Slope<T> slope(const CurvePoint<T>& p) const {
    const Vec2<T> d = x - p.c;
    return {-dot(p.c1, d), dot(p.c1, p.c1) - dot(p.c2, d)};
  }
};
/// (3)
template <class T>
struct Face {
  Vec2<T> e;
  Slope<T> slope(const CurvePoint<T>& p) const { return {dot(p.c1, e), dot(p.c2, e)}; }
};

class Profile {
 public:
  /// Points counterclockwise, their coordinates one after another, m. Throws Error::parameter on "points".
  explicit Profile(const trammel::Numbers& list) {
    if (list.size % 2 != 0 || list.size < 6) {
      throw trammel::Error::parameter("points", "a closed profile needs two numbers for each of at least three points");
    }
    const std::size_t n = static_cast<std::size_t>(list.size / 2);
    std::vector<Vec2<>> c(n), slope(n), m(n);
    std::vector<double> h(n);
    const auto next = [n](std::size_t k) { return (k + 1) % n; };
    double area = 0;
    for (std::size_t k = 0; k < n; ++k) {
      c[k] = trammel::sdk::vec2(list.data + 2 * k);
    }
    for (std::size_t k = 0; k < n; ++k) {
      const Vec2<> d = c[next(k)] - c[k];
      h[k] = norm(d);
      if (!(h[k] > 0)) {
        throw trammel::Error::parameter("points",
                                        "point " + std::to_string(next(k) + 1) + " repeats the one before it");
      }
      slope[k] = (1 / h[k]) * d;
      area += dot(perp(c[k]), d);
    }
    if (!(area > 0)) throw trammel::Error::parameter("points", "the points must run counterclockwise around the cam");
    // Gauss-Seidel: (1) is diagonally dominant by a factor of two, so that each sweep halves the error at least.
    for (int sweep = 0; sweep < 60; ++sweep) {
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t before = (k + n - 1) % n;
        m[k] = (1 / (2 * (h[before] + h[k]))) *
               (6.0 * (slope[k] - slope[before]) - h[before] * m[before] - h[k] * m[next(k)]);
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      pieces_.push_back({length_, c[k], slope[k] - (h[k] / 6) * (2.0 * m[k] + m[next(k)]), 0.5 * m[k],
                         (1 / (6 * h[k])) * (m[next(k)] - m[k])});
      length_ += h[k];
    }
  }

  double length() const { return length_; }

  template <class T>
  CurvePoint<T> at(const T& u) const {
    const double value = trammel::sdk::base_value(u), turn = length_ * std::floor(value / length_);
    const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), value - turn,
                                        [](double t, const Piece& p) { return t < p.t; });
    const Piece& p = *std::prev(after);
    const T s = u - (turn + p.t);
    return {p.a + s * (p.b + s * (p.c + s * p.d)), p.b + s * (2.0 * p.c + (3.0 * s) * p.d),
            2.0 * p.c + (6.0 * s) * p.d};
  }

  /// Smallest curvature of the profile, 1/m; negative where it is hollow.
  double smallest_curvature() const {
    double smallest = INFINITY;
    for_samples([&](double, const CurvePoint<double>& p) {
      const double speed = norm(p.c1);
      smallest = std::min(smallest, dot(perp(p.c1), p.c2) / (speed * speed * speed));
    });
    return smallest;
  }

  /// Contact nearest to `guess`; NaN if there is none.
  template <class Contact>
  double contact(const Contact& contact, double guess) const {
    double u = guess;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const CurvePoint<double> p = at(u);
      const Slope<double> d = contact.slope(p);
      const double bend = std::abs(d.second) + 1e-3 * dot(p.c1, p.c1);  // downhill, also where d is not convex
      const double step = std::clamp(-d.first / (d.second > 0.1 * bend ? d.second : bend), -length_ / 8, length_ / 8);
      if (!std::isfinite(step)) break;
      u += step;
      if (std::abs(step) < 1e-14 * (length_ + std::abs(u))) break;
    }
    // Rounding may keep the last digits moving; what is stationary to half the digits is found.
    const Slope<double> d = contact.slope(at(u));
    return std::abs(d.first) < 1e-8 * length_ && d.second > 0 ? u : trammel::left_out();
  }

  /// The sample with the smallest d(u).
  template <class Distance>
  double nearest_sample(const Distance& distance) const {
    double best = 0, smallest = INFINITY;
    for_samples([&](double u, const CurvePoint<double>& p) {
      if (const double d = distance(p.c); d < smallest) best = u, smallest = d;
    });
    return best;
  }

  /// u with all its derivatives from its value: Newton on d' = 0 in the differential scalar; two steps make the first
  /// three derivatives exact (the number of exact ones goes 0, 1, 3).
  template <class Contact, class T>
  T lifted(const Contact& contact, double value, const T&) const {
    T u(value);
    for (int step = 0; step < 2; ++step) {
      const Slope<T> d = contact.slope(at(u));
      u = u - d.first / d.second;
    }
    return u;
  }

 private:
  struct Piece {
    double t;
    Vec2<> a, b, c, d;
  };

  template <class Look>
  void for_samples(const Look& look) const {
    const int samples = 8 * static_cast<int>(pieces_.size());
    for (int k = 0; k < samples; ++k) look(length_ * k / samples, at(length_ * k / samples));
  }

  double length_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace acme::cam
