// The groups of channels that models and problems have.
#pragma once

#include <functional>
#include <memory>

#include "results/columns.h"

namespace trammel {

using AddGroup = std::function<void(std::unique_ptr<ColumnGroup>)>;

/// Bodies, points, joints, forces; `system`: that of the bodies. `model` must outlive the groups.
void add_model_groups(ConstrainedModel& model, const System& system, const AddGroup& add);
/// `<name>` and `<name>_dot` of a problem without bodies.
void add_problem_groups(const System& system, Index components, const AddGroup& add);
/// energy, constraint, step.
void add_common_groups(bool energy, bool constraints, const AddGroup& add);
/// What the integrator tells about the last accepted step: order, local_error. Its memory must outlive the groups.
void add_method_group(MethodChannels method, const AddGroup& add);

}  // namespace trammel
