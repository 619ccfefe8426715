// Reading of sidecar manifests (plugin/manifest.h), as fast as every start of a program wants it.
#pragma once

#include <filesystem>
#include <memory>

#include "plugin/catalogue.h"

namespace trammel {

/// Reads a manifest; `library` is set to the library of the same name beside it, whether it exists or not.
/// Throws Error(plugin) with file and reason if it cannot be read or is not a manifest.
PluginInfo read_manifest(const std::filesystem::path& file);
/// The same; from memory if this process has read the file before and it was not written since.
std::shared_ptr<const PluginInfo> read_manifest_once(const std::filesystem::path& file);

}  // namespace trammel
