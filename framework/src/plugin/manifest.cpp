// Sidecar manifests: writing and comparing.
#include "plugin/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "trammel/error.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* length_names[] = {"host", "two", "three"};

Json to_json(const ParameterInfo& p) {
  Json json = {
      {"name", p.name}, {"type", parameter_type_name(p.type)}, {"unit", p.unit}, {"description", p.description}};
  if (p.default_json) json["default_json"] = *p.default_json;
  if (p.optional) json["optional"] = true;
  if (std::isfinite(p.minimum)) json[p.exclusive_minimum ? "exclusive_minimum" : "minimum"] = p.minimum;
  if (std::isfinite(p.maximum)) json[p.exclusive_maximum ? "exclusive_maximum" : "maximum"] = p.maximum;
  if (!p.choices.empty()) json["choices"] = p.choices;
  if (p.count_min != 0) json["count_min"] = p.count_min;
  if (p.count_max != ParameterInfo().count_max) json["count_max"] = p.count_max;
  if (p.length != VectorLength::host) json["length"] = length_names[static_cast<int>(p.length)];
  return json;
}

Json to_json(const std::vector<ParameterInfo>& list) {
  Json json = Json::array();
  for (const ParameterInfo& p : list) json.push_back(to_json(p));
  return json;
}

/// First differing leaf of two JSON values, as "path is A in the manifest, B in the library".
std::string json_difference(const Json& manifest, const Json& library, const std::string& path) {
  if (manifest == library) return "";
  if (manifest.is_object() && library.is_object()) {
    for (const Json* side : {&library, &manifest}) {
      for (const auto& [key, value] : side->items()) {
        const Json a = manifest.value(key, Json()), b = library.value(key, Json());
        if (a != b) return json_difference(a, b, path + "/" + key);
      }
    }
  }
  if (manifest.is_array() && library.is_array() && manifest.size() == library.size()) {
    for (std::size_t i = 0; i < manifest.size(); ++i) {
      if (manifest[i] != library[i]) return json_difference(manifest[i], library[i], fmt::format("{}/{}", path, i));
    }
  }
  const auto text = [](const Json& json) {
    if (json.is_array()) return fmt::format("a list of {}", json.size());
    return json.is_null() ? std::string("absent") : json.dump();
  };
  return fmt::format("{} is {} in the manifest, {} in the library", path, text(manifest), text(library));
}

}  // namespace

std::string offer_text(const ComponentInfo& c) {
  return fmt::format("{} {} {}", kind_name(c.kind), host_name(c.host), c.type);
}

VectorLength vector_length_from_name(std::string_view name) {
  for (int i = 0; i < 3; ++i) {
    if (name == length_names[i]) return static_cast<VectorLength>(i);
  }
  return VectorLength::host;
}

Json component_json(const ComponentInfo& c) {
  Json json = {{"kind", kind_name(c.kind)}, {"host", host_name(c.host)}, {"type", c.type},
               {"summary", c.summary},      {"citation", c.citation},    {"parameters", to_json(c.parameters)}};
  if (!c.body_parameters.empty()) json["body_parameters"] = to_json(c.body_parameters);
  return json;
}

Json manifest_json(const PluginInfo& plugin) {
  Json components = Json::array(), offers = Json::array();
  for (const ComponentInfo& c : plugin.components) {
    components.push_back(component_json(c));
    offers.push_back(offer_text(c));
  }
  return {{"trammel_plugin", manifest_version}, {"id", plugin.id},
          {"version", plugin.version},          {"licence", plugin.licence},
          {"build_id", plugin.build_id},        {"interface_epoch", plugin.interface_epoch},
          {"sdk_minor", plugin.sdk_minor},      {"offers", std::move(offers)},
          {"abi_tag", plugin.abi_tag},          {"components", std::move(components)}};
}

PluginInfo plugin_info(const PluginDescriptor& d) {
  PluginInfo plugin;
  plugin.id = d.id;
  plugin.version = d.version;
  plugin.licence = d.licence;
  plugin.abi_tag = d.abi_tag;
  plugin.interface_epoch = d.interface_epoch;
  plugin.sdk_minor = d.sdk_minor;
  for (const ComponentRecord& record : std::span(d.components, d.component_count)) {
    plugin.components.push_back(component_info(record));
  }
  return plugin;
}

std::string manifest_text(const PluginInfo& plugin) { return manifest_json(plugin).dump(1) + "\n"; }

std::string manifest_difference(const PluginInfo& manifest, const PluginInfo& library) {
  Json sides[] = {manifest_json(manifest), manifest_json(library)};
  for (Json& side : sides) side.erase("offers");  // they follow from the components
  return json_difference(sides[0], sides[1], "");
}

std::filesystem::path manifest_path(const std::filesystem::path& library) {
  return library.parent_path() / (library.stem().string() + ".trammel.json");
}

}  // namespace trammel
