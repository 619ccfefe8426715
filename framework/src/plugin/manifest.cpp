// Sidecar manifests: writing, reading, comparing.
#include "plugin/manifest.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>

#include "trammel/error.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

constexpr int manifest_version = 1;
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

template <class T>
T word(std::optional<T> value, const Json& json) {
  if (!value) throw std::runtime_error(fmt::format("unknown word {}", json.dump()));
  return *value;
}

ParameterInfo parameter_from(const Json& json) {
  ParameterInfo p;
  p.name = json.at("name");
  p.type = word(parameter_type_from_name(json.at("type").get<std::string>()), json.at("type"));
  p.unit = json.at("unit");
  p.description = json.at("description");
  if (json.contains("default_json")) p.default_json = json.at("default_json").get<std::string>();
  p.optional = json.value("optional", false);
  p.exclusive_minimum = json.contains("exclusive_minimum");
  p.exclusive_maximum = json.contains("exclusive_maximum");
  p.minimum = json.value(p.exclusive_minimum ? "exclusive_minimum" : "minimum", -no_bound);
  p.maximum = json.value(p.exclusive_maximum ? "exclusive_maximum" : "maximum", no_bound);
  p.choices = json.value("choices", std::vector<std::string>());
  p.count_min = json.value("count_min", p.count_min);
  p.count_max = json.value("count_max", p.count_max);
  const std::string length = json.value("length", "host");
  for (int i = 0; i < 3; ++i) {
    if (length == length_names[i]) p.length = static_cast<VectorLength>(i);
  }
  return p;
}

std::vector<ParameterInfo> parameters_from(const Json& json) {
  std::vector<ParameterInfo> list;
  for (const Json& entry : json) list.push_back(parameter_from(entry));
  return list;
}

ComponentInfo component_from(const Json& json) {
  ComponentInfo c;
  c.kind = word(component_kind_from_name(json.at("kind").get<std::string>()), json.at("kind"));
  c.host = word(host_from_name(json.at("host").get<std::string>()), json.at("host"));
  c.type = json.at("type");
  c.summary = json.at("summary");
  c.citation = json.at("citation");
  c.parameters = parameters_from(json.at("parameters"));
  if (json.contains("body_parameters")) c.body_parameters = parameters_from(json.at("body_parameters"));
  return c;
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

Json component_json(const ComponentInfo& c) {
  Json json = {{"kind", kind_name(c.kind)}, {"host", host_name(c.host)}, {"type", c.type},
               {"summary", c.summary},      {"citation", c.citation},    {"parameters", to_json(c.parameters)}};
  if (!c.body_parameters.empty()) json["body_parameters"] = to_json(c.body_parameters);
  return json;
}

Json manifest_json(const PluginInfo& plugin) {
  Json components = Json::array();
  for (const ComponentInfo& c : plugin.components) components.push_back(component_json(c));
  return {{"trammel_plugin", manifest_version}, {"id", plugin.id},
          {"version", plugin.version},          {"licence", plugin.licence},
          {"build_id", plugin.build_id},        {"interface_epoch", plugin.interface_epoch},
          {"sdk_minor", plugin.sdk_minor},      {"abi_tag", plugin.abi_tag},
          {"components", std::move(components)}};
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

std::shared_ptr<const PluginInfo> read_manifest_once(const std::filesystem::path& file) {
  struct Read {
    std::filesystem::file_time_type written;
    std::uintmax_t size;
    std::shared_ptr<const PluginInfo> plugin;
  };
  static std::map<std::string, Read> read;
  static std::mutex guard;
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(file, unknown);
  const std::uintmax_t size = unknown ? 0 : std::filesystem::file_size(file, unknown);
  if (unknown) return std::make_shared<const PluginInfo>(read_manifest(file));
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = read.find(file.string());
  if (known != read.end() && known->second.written == written && known->second.size == size)
    return known->second.plugin;
  return read
      .insert_or_assign(file.string(), Read{written, size, std::make_shared<const PluginInfo>(read_manifest(file))})
      .first->second.plugin;
}

PluginInfo read_manifest(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& why) { return Error(ErrorKind::plugin, file.string() + ": " + why); };
  std::ifstream stream(file);
  if (!stream) throw fail("cannot be read");
  try {
    const Json json = Json::parse(stream);
    if (json.value("trammel_plugin", 0) != manifest_version) {
      throw fail(fmt::format("is not a plugin manifest of version {}", manifest_version));
    }
    PluginInfo plugin;
    plugin.id = json.at("id");
    plugin.version = json.at("version");
    plugin.licence = json.at("licence");
    plugin.build_id = json.at("build_id");
    plugin.interface_epoch = json.at("interface_epoch");
    plugin.sdk_minor = json.at("sdk_minor");
    plugin.abi_tag = json.at("abi_tag");
    for (const Json& component : json.at("components")) plugin.components.push_back(component_from(component));
    std::string stem = file.filename().string();
    stem.resize(stem.size() - std::string_view(".trammel.json").size());
    if (plugin.id != stem) throw fail(fmt::format("its id is '{}', its name says '{}'", plugin.id, stem));
    plugin.library = file.parent_path() / (stem + ".so");
    return plugin;
  } catch (const nlohmann::json::exception& error) {
    throw fail(fmt::format("is not a plugin manifest ({})", error.what()));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw fail(fmt::format("is not a plugin manifest ({})", error.what()));
  }
}

std::string manifest_difference(const PluginInfo& manifest, const PluginInfo& library) {
  return json_difference(manifest_json(manifest), manifest_json(library), "");
}

std::filesystem::path manifest_path(const std::filesystem::path& library) {
  return library.parent_path() / (library.stem().string() + ".trammel.json");
}

}  // namespace trammel
