// Names of what a model's run integrates, for messages.
#pragma once

#include <string>

#include "run/plant/model_view.h"

namespace trammel {

/// Of component i of the state that `view` integrates.
std::string component_name(const ConstrainedModel& model, const ModelView& view, Index i);
/// See Plant::component_owner.
std::string component_owner(const ConstrainedModel& model, const ModelView& view, Index i);
/// The text for a failure's subject; `worst`: the constraint row that is off most at the last evaluation point.
std::string subject_of(const ConstrainedModel& model, const ModelView& view, const Status& status,
                       const std::string& worst);

}  // namespace trammel
