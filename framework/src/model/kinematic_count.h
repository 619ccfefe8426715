// Whether drivers and constraints determine the motion: what a kinematic analysis needs.
#pragma once

#include <string>

#include "model/rank_report.h"

namespace trammel {

/// [setup] At the model's last evaluation point, a consistent one, where rows were chosen. Throws Error(input) unless
/// constraints and drivers leave no freedom and no driver repeats what the rest demands: how many drivers are missing,
/// and what moves without them; or how many are too many, and which; or both, where the position is singular.
void require_determined_motion(ConstrainedModel& model);

/// [setup] "; there are 3 drivers for 1 freedom: leave 2 of 'a', 'b', 'c' out" where drivers outnumber the freedoms
/// that joints leave at (t = 0, q), which need not meet the constraints; otherwise "".
std::string surplus_of_drivers(ConstrainedModel& model, ConstVectorView q);

/// [step] Why no motion goes on from (t, q, v), which the constraints allow: a lock-up, with the elements that meet
/// in it, or no sign of one.
std::string explain_standstill(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v);

}  // namespace trammel
