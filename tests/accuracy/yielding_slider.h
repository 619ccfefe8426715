// The motion of a mass on a spring beside acme.jenkins, put together from harmonic pieces: an independent reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace trammel {

/// m x'' + k x + F = 0 with F of acme.jenkins: x = c + A cos(w (t - t0)) + B sin(w (t - t0)) between events. A rigid wall
/// at the right and laws that change at a time are events, too: the slider sticks where the wall turns the mass round, and
/// has slipped where a new law no longer holds it.
struct YieldingSlider {
  double m = 2, k = 50, K = 400, yield = 10;
  double wall = std::numeric_limits<double>::infinity(), restitution = 1;
  double change_at = std::numeric_limits<double>::infinity(), new_K = 0, new_yield = 0;
  struct Piece {
    double t, x, v;  ///< where it begins
    double slider;   ///< p while it sticks
    int side;        ///< 0 sticks
    double K, yield;
  };
  std::vector<Piece> pieces;

  double stiffness(const Piece& p) const { return p.side == 0 ? k + p.K : k; }
  double centre(const Piece& p) const { return (p.side == 0 ? p.K * p.slider : -p.side * p.yield) / stiffness(p); }
  double x(const Piece& p, double t) const {
    const double w = std::sqrt(stiffness(p) / m), s = t - p.t, c = centre(p);
    return c + (p.x - c) * std::cos(w * s) + p.v / w * std::sin(w * s);
  }
  double v(const Piece& p, double t) const {
    const double w = std::sqrt(stiffness(p) / m), s = t - p.t;
    return p.v * std::cos(w * s) - (p.x - centre(p)) * w * std::sin(w * s);
  }
  /// From rest relative to the slider at p = 0, or from a piece given.
  void begin(double place, double speed, double slider = 0) { pieces = {{0, place, speed, slider, 0, K, yield}}; }
  /// The pieces up to t.
  void follow(double until) {
    while (true) {
      const Piece p = pieces.back();
      const bool changes = change_at > p.t && change_at < until;
      const double end = changes ? change_at : until;
      const auto yields = [&](double t) {  // these fall through zero at the event
        return p.side == 0 ? p.yield / p.K - std::abs(x(p, t) - p.slider) : p.side * v(p, t);
      };
      const auto ahead = [&](double t) { return std::min(yields(t), v(p, t) > 0 ? wall - x(p, t) : 1); };
      double t = p.t + 1e-9;
      while (t < end && !(ahead(t + 1e-4) < 0)) t += 1e-4;
      double low = t, high = t + 1e-4;
      for (int i = 0; i < 60 && t < end; ++i) (ahead((low + high) / 2) < 0 ? high : low) = (low + high) / 2;
      if (t >= end || high >= end) {
        if (!changes) return;
        pieces.push_back(changed(p, end));
        continue;
      }
      const double at = x(p, high), rate = v(p, high);
      if (yields(high) >= 0)
        pieces.push_back(
            {high, at, -restitution * rate, p.side == 0 ? p.slider : at - p.side * p.yield / p.K, 0, p.K, p.yield});
      else if (p.side == 0)
        pieces.push_back({high, at, rate, 0, rate > 0 ? 1 : -1, p.K, p.yield});
      else
        pieces.push_back({high, at, 0, at - p.side * p.yield / p.K, 0, p.K, p.yield});
    }
  }
  Piece changed(const Piece& p, double t) const {
    const double w = new_yield / new_K, at = x(p, t), rate = v(p, t);
    Piece next{t, at, rate, p.slider, p.side, new_K, new_yield};
    if (p.side != 0 || std::abs(at - p.slider) < w) return next;
    const int side = at > p.slider ? 1 : -1;
    next.side = side * rate > 0 ? side : 0;
    next.slider = at - side * w;
    return next;
  }
  const Piece& piece(double t) const {
    std::size_t i = pieces.size() - 1;
    while (i > 0 && pieces[i].t > t) --i;
    return pieces[i];
  }
  double place(double t) const { return x(piece(t), t); }
  double force(double t) const {
    const Piece& p = piece(t);
    return p.side == 0 ? -p.K * (x(p, t) - p.slider) : -p.side * p.yield;
  }
};

}  // namespace trammel
