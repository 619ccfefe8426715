// Whether a component's `extension` can be asked at all.
#pragma once

#include <string>

#include "plugin/component_kind.h"

namespace trammel {

/// [setup] Throws Error(plugin) that names plugin and element where an id that nobody knows is answered: what the kernel
/// asks for next would be another interface than it takes it for. Also what `extension` throws.
void refuse_any_extension(ComponentKind kind, const void* object, const std::string& plugin,
                          const std::string& element);

}  // namespace trammel
