// Class names that a generated plugin must not use.
#pragma once

#include <string_view>

namespace trammel::cli {

/// Whether `name` means something else in a plugin's source already: a type of the interfaces or of the SDK, whose
/// namespaces templates use, a name of the templates, or a single letter, as template parameters and Eigen have them.
bool is_reserved_class_name(std::string_view name);

}  // namespace trammel::cli
