// Whether forces have a kink at a state, so that what is linear about it holds on one side only.
#pragma once

#include <string>

#include "model/modes.h"
#include "run/plant/plant.h"

namespace trammel {

/// [step] Small moves along every column of T from the state (q, v, z) observed last, forth and back: accelerations of a
/// smooth law change as much one way as the other. In words which coordinate is met by another stiffness on either
/// side, or "". Leaves the plant at the state.
std::string find_one_sided(Plant& plant, const LinearModel& linear);

}  // namespace trammel
