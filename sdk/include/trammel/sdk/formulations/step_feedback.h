// Feedback of constraint violations whose size is chosen at each step, from the step: alpha = beta, alpha h = a number.
//
//   h: the longer one of the last two steps, so that one shortened to an output or an event does not count         (1)
//   alpha <- min(alpha_h / h, 1.1 alpha)   unless alpha_h / 2 <= alpha h <= alpha_h; none in the first step         (2)
// A method keeps the violations bounded if alpha h lies within its stability limit on the negative real axis (Wu,
// Chiou, Lin (2000), Eq. 34). The band spares methods with a history a new right side at each step. Step control sees
// another alpha as a jump in the rates and answers with shorter steps, so alpha falls at once with longer steps but
// rises slowly: doubled, it would drive the step to nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// Numbers in memory.state; all zero before the first step.
struct StepFeedback {
  constexpr explicit StepFeedback(StateLayout& at) : alpha(at.number()), time(at.number()), last_step(at.number()) {}
  double& alpha;             ///< in force, 1/s
  double &time, &last_step;  ///< end and length of the last step

  /// [step] At the start, and where the run goes on from another time.
  void start(double t) const { time = t; }

  /// [step] A step has ended at t: chooses alpha for the next one. True: it changed.
  bool follow(double t, double alpha_h) const {
    constexpr double rounding = 1e-9, rise = 1.1;                           // of equal steps; per step
    const double step = std::abs(t - time), h = std::max(step, last_step);  // (1)
    time = t;
    last_step = step;
    const double now = alpha * h;
    if (h == 0 || (alpha_h / 2 <= now && now <= alpha_h * (1 + rounding))) return false;
    alpha = alpha > 0 ? std::min(alpha_h / h, rise * alpha) : alpha_h / h;  // (2)
    return true;
  }
};

}  // namespace trammel::sdk
