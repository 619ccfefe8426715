// Creating a component through its record.
#pragma once

#include <string>

#include "trammel/model_info.h"
#include "trammel/plugin.h"

namespace trammel {

/// [setup] Never nullptr. `plugin`: its id; `element`: the component's name in the run file, or "". Throws Error: of
/// kind `input` with the key of the parameter that is wrong, otherwise with the names of plugin and element.
void* create_component(const ComponentRecord& record, const std::string& plugin, const std::string& element,
                       const void* parameters, const ModelInfo& model);

}  // namespace trammel
