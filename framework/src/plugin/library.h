// Loading one plugin library through Boost.DLL.
#pragma once

#include <filesystem>

#include "trammel/plugin.h"

namespace trammel {

/// Loads the library with all symbols bound at once and none offered to others, checks its descriptor and returns it.
/// The library stays loaded until the process ends, also if it is refused: objects, texts and vtables of it may be
/// in use anywhere. Throws Error(plugin) that names the file and the reason.
const PluginDescriptor& open_plugin(const std::filesystem::path& file);

}  // namespace trammel
