// Whether Newton's solution for dependent coordinates is on the branch that the motion came along.
//
// The constraints have other solutions besides the one that continues the motion: the other assembly of a four-bar, a
// gear half a turn on. Newton's method ends on any of them if it starts far away. For each body, in changes of `scale`,
// with
//   way    = max(|q_1 - q_0|, h (|v_0| + |v_1|) / 4) what the step moved; at least the path of a uniformly decelerated
//                                                    motion, which may turn back to where it began,
//   missed = |q_1 - q~_1|                            how far Newton's method went from the prediction,
//   turned = |q_1 - q_0 - h (v_0 + v_1) / 2|         what the mean rate does not explain,
// the largest of the body's entries, the last two of dependent ones, q_1 is accepted where both are shares of the way.
// In uniform rotation by theta, missed / way = theta^2 / 6 for a prediction of second order and turned / way = theta^2
// / 12.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/extensions/system_extensions.h"

namespace trammel::sdk {

struct BranchTest {
  /// Motions from rest have no way to compare with; changes of `scale`.
  static constexpr double always_near = 1e-3;
  /// A planar angle that turned farther may be that of another turn: half a turn, less what rates grow by in a step.
  static constexpr double safe_turn = 0.8 * std::numbers::pi;

  double missed_share;  ///< beyond it the solution is refused
  double close_share;   ///< below it the prediction itself explains the way
  double turned_share;  ///< between them: beyond it the solution is refused

  /// `independent`: entries that are no result of Newton's method are not 0. `scale` as of
  /// PartitionQuality; `slack`: how far, in changes of scale, the prediction may miss for known reasons.
  bool accepts(const BodyLayout& layout, ConstVectorView scale, ConstVectorView independent, double h,
               ConstVectorView q0, ConstVectorView v0, ConstVectorView q1, ConstVectorView v1,
               ConstVectorView predicted, double slack = 0) const {
    constexpr Index plane = 2, angle = 2;
    for (Index b = 0; b < layout.bodies(); ++b) {
      const BodySlice body = layout.body(b);
      double way = 0, missed = 0, turned = 0;
      for (Index i = body.first; i < body.first + body.count; ++i) {
        const double moved = q1[i] - q0[i];
        const double path = 0.25 * std::abs(h) * (std::abs(v0[i]) + std::abs(v1[i]));
        way = std::max(way, std::max(std::abs(moved), path) / scale[i]);
        if (independent[i] != 0) continue;
        missed = std::max(missed, std::abs(q1[i] - predicted[i]) / scale[i]);
        turned = std::max(turned, std::abs(moved - 0.5 * h * (v0[i] + v1[i])) / scale[i]);
        if (layout.dimensions() == plane && i - body.first == angle && std::abs(moved) > safe_turn) return false;
      }
      const double near = always_near + slack;
      if (!(missed <= near + missed_share * way)) return false;
      if (missed > near + close_share * way && !(turned <= near + turned_share * way)) return false;
    }
    return true;
  }
  static Status left() {
    return Status::failure(StatusCode::not_converged, "dependent coordinates on the branch of the motion so far");
  }
};

}  // namespace trammel::sdk
