// The groups of channels that models and problems have; see DESIGN section 7 for the names.
#pragma once

#include <functional>
#include <memory>

#include "results/columns.h"

namespace trammel {

using AddGroup = std::function<void(std::unique_ptr<ColumnGroup>)>;

/// Bodies, points, joints, forces. `model` must outlive the groups.
void add_model_groups(ConstrainedModel& model, const AddGroup& add);
/// `<name>` and `<name>_dot` of a problem without bodies.
void add_problem_groups(const System& system, Plant& plant, const AddGroup& add);
/// energy, constraint, step.
void add_common_groups(Plant& plant, const AddGroup& add);
/// What the integrator tells about the last accepted step: order, local_error.
void add_integrator_group(const Engine& engine, const AddGroup& add);

}  // namespace trammel
