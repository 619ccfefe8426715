// Which force drives a motion that runs away.
#pragma once

#include <string>

#include "model/constrained_model.h"

namespace trammel {

/// Coordinates or speeds at the last evaluation point so large that numbers made of them overflow.
bool runs_away(const ConstrainedModel& model);

/// [step] In words, at the last evaluation point: how fast the fastest body moves, and the force whose power Q.v feeds
/// the motion, where one gives most of it. "the motion runs away (body 'a' at 1e+30 m/s or rad/s), driven by force
/// 'law' ..."
std::string describe_runaway(const ConstrainedModel& model, const std::string& when = "");

}  // namespace trammel
