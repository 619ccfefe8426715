// Names of bodies and elements in parameter tables: what they stand for, and what is said of those that do not fit.
#pragma once

#include <optional>
#include <string>

#include "config/binder.h"

namespace trammel {

/// Where a name stands.
struct ReferenceUse {
  const BindContext& context;
  const Resolver& resolver;
};

/// Index of the body or element that the text names (`type`: body, bodies or element; `what` in words); names that fit
/// nothing, and points where no frame may stand for a body, are added to `problems`.
std::optional<std::int32_t> find_reference(const ReferenceUse& use, const Node& text, const std::string& path,
                                           const char* what, ParameterType type, Problems& problems);

}  // namespace trammel
