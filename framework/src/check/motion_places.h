// Where the motions of cases lead to: a law that acts late in a run, or for a moment, is looked at where it acts.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "check/check.h"
#include "model/assembly.h"

namespace trammel::conformance {

/// A state of the whole model: s; q and v as the system has them.
struct MotionState {
  double t = 0;
  std::vector<double> q, v;
};

/// States at even distances in the run of a file, and at none where it fails: other checks tell of that. A run that takes
/// longer than a second is followed no further.
std::vector<MotionState> states_along(const Subject& subject, const std::filesystem::path& file);

/// Calls look(0), and again with 1 and 2 where it failed. Laws have kinks at single points, where derivatives do not fit
/// differences; what is wrong is wrong at all three.
void at_one_of_three(const std::function<void(int)>& look);

class CaseModel;
class ElementPoint;
using LookAtPoint = std::function<void(ElementPoint&)>;

/// Looks at an element near states of its case's motion: a force where it is largest, and where it is of middling size; a
/// constraint at two of them. Fails where a look fails at each of three points beside a state. Does nothing where the
/// case does not run, or the force never acts.
void along_motion(Subject& subject, CaseModel& model, const ForceSlot& slot, const LookAtPoint& look);
void along_motion(Subject& subject, CaseModel& model, const ConstraintSlot& slot, const LookAtPoint& look);
/// Looks at a force at so many points near the start of its case, then along the motion. A failure names the element.
void look_at_force(Subject& subject, CaseModel& model, const ForceSlot& slot, int near_start, const LookAtPoint& look);

}  // namespace trammel::conformance
