// Sidecar manifests `<id>.trammel.json`: everything about a plugin that can be known without loading it.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plugin/catalogue.h"

namespace trammel {

/// What a checked descriptor says. `library` and `build_id` are left empty.
PluginInfo plugin_info(const PluginDescriptor& descriptor);

/// The manifest, and the part of it that describes one component.
nlohmann::ordered_json manifest_json(const PluginInfo& plugin);
nlohmann::ordered_json component_json(const ComponentInfo& component);

/// The manifest as JSON text. Round trip: read_manifest gives the same PluginInfo back.
std::string manifest_text(const PluginInfo& plugin);

/// Reads a manifest; `library` is set to the library of the same name beside it, whether it exists or not.
/// Throws Error(plugin) with file and reason if it cannot be read or is not a manifest.
PluginInfo read_manifest(const std::filesystem::path& file);
/// The same; from memory if this process has read the file before and it was not written since.
std::shared_ptr<const PluginInfo> read_manifest_once(const std::filesystem::path& file);

/// The first difference between what the manifest says and what the library's descriptor says, naming the field and
/// both values; "" if they agree.
std::string manifest_difference(const PluginInfo& manifest, const PluginInfo& library);

/// `<folder>/<id>.trammel.json` for `<folder>/<id>.so`.
std::filesystem::path manifest_path(const std::filesystem::path& library);

}  // namespace trammel
