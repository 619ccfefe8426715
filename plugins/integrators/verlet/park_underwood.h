// Central differences whose step follows the apparent frequency of the motion (Park, Underwood, Comput. Methods Appl.
// Mech. Eng. 22 (1980) 241-258; 23 (1980) 259-279).
//
// Half-step velocities with steps of different size,
//   x'_n+1/2 = x'_n-1/2 + (h_n-1 + h_n)/2 a_n,   x_n+1 = x_n + h_n x'_n+1/2,                                      (6)
// are (1) of steps.h with h = h_n. The step obeys h w_a <= limit with the apparent frequency of the last increment,
//   w_a^2 = max_i |a_i,n+1 - a_i,n| / |x_i,n+1 - x_i,n|,                                                            (7)
// which for one mass is the secant stiffness. Where i hardly moves, (7) is noise: only increments of at least a tenth
// of the component's largest recent one count. The rules below, like that, are this implementation's own: a step that
// was too long by `tolerated` is tried again; steps stay the same while h w_a lies between `idle` and 1 times the
// limit, because central differences keep their energy only under constant steps.
#pragma once

#include "steps.h"

namespace trammel::verlet {

struct ApparentFrequency {
  static constexpr double share = 0.1, memory = 0.95;  // of the largest recent increment, which is forgotten slowly
  static constexpr double tolerated = 1.25, idle = 0.7, target = 0.85, growth = 1.5;

  double limit;

  /// (7); `largest` (n) are the recent increments, moved on.
  template <class Positions, class Accelerations>
  double operator()(const Positions& dx, const Accelerations& da, Map& largest) const {
    double square = 0;
    for (Eigen::Index i = 0; i < dx.size(); ++i) {
      const double move = std::abs(dx[i]);
      largest[i] = std::max(move, memory * largest[i]);
      if (move > share * largest[i]) square = std::max(square, std::abs(da[i]) / move);
    }
    return std::sqrt(square);
  }

  bool too_long(double h, double frequency) const { return std::abs(h) * frequency > tolerated * limit; }
  /// After a step h where `proposed` was asked for: the kernel shortens steps before outputs and break points.
  double next(double h, double proposed, double frequency) const {
    const double before = std::max(std::abs(h), std::abs(proposed)), reach = before * frequency;
    double after = before;
    if (reach > limit) {
      after = target * limit / frequency;
    } else if (reach <= idle * limit) {
      after = growth * before;
      if (frequency > 0) after = std::min(after, target * limit / frequency);
    }
    return std::copysign(after, h);
  }
};

}  // namespace trammel::verlet
