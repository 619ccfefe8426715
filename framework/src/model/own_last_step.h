// Accelerations and multipliers that follow from themselves, for forces that see those of the last accepted step.
#pragma once

#include "model/constrained_model.h"

namespace trammel {

/// [step] Where there is no last step, at a start, behind a jump, at a state outside any motion: what such forces see
/// becomes what the equations at the state then say, by iteration from what they saw. Nothing if there are none.
/// `not_converged`: there are no such values, or the force depends on them too much.
Status see_own_step(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z);

/// [setup] Whether forces at the state change with what they see, in which case contractions, which hold that, are not
/// the derivatives of the equations. What they see is the same afterwards.
bool follows_last_step(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z);

}  // namespace trammel
