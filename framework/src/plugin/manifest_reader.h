// Reading of sidecar manifests (plugin/manifest.h), as fast as every start of a program wants it.
#pragma once

#include <filesystem>
#include <memory>

#include "plugin/catalogue.h"

namespace trammel {

/// Reads a manifest; `library` is set to the library of the same name beside it, whether it exists or not.
/// Throws Error(plugin) with file and reason if it cannot be read or is not a manifest.
PluginInfo read_manifest(const std::filesystem::path& file);
/// What the list of types at its beginning says: its components have no more than kind, host and type, the ABI tag
/// is missing, `unread` is set, and a part behind the list that is broken is found by `read_details` only. From memory if this process has read the
/// file before and it was not written since. Manifests without the list are read whole.
std::shared_ptr<const PluginInfo> read_types(const std::filesystem::path& file);
/// Completes what `read_types` gave, once for all who share it. Throws Error(plugin) as `read_manifest` does, and where
/// the list of types is not that of the components.
void read_details(const PluginInfo& plugin);

}  // namespace trammel
