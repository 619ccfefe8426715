// Sidecar manifests `<id>.trammel.json`: everything about a plugin that can be known without loading it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "plugin/catalogue.h"

namespace trammel {

constexpr int manifest_version = 1;

/// What a checked descriptor says. `library` and `build_id` are left empty.
PluginInfo plugin_info(const PluginDescriptor& descriptor);

/// The manifest, and the part of it that describes one component.
nlohmann::ordered_json manifest_json(const PluginInfo& plugin);
nlohmann::ordered_json component_json(const ComponentInfo& component);

/// The manifest as JSON text. Round trip: read_manifest gives the same PluginInfo back.
std::string manifest_text(const PluginInfo& plugin);

/// Kind, host and type of a component, one behind the other: an entry of the list of types of a manifest.
std::string offer_text(const ComponentInfo& component);

/// The word of a parameter's "length"; an unknown word is `host`.
VectorLength vector_length_from_name(std::string_view name);

/// The first difference between what the manifest says and what the library's descriptor says, naming the field and
/// both values; "" if they agree.
std::string manifest_difference(const PluginInfo& manifest, const PluginInfo& library);

/// `<folder>/<id>.trammel.json` for `<folder>/<id>.so`.
std::filesystem::path manifest_path(const std::filesystem::path& library);

}  // namespace trammel
