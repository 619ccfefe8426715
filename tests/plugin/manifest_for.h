// A folder with one copied library and a manifest that the test makes up.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "plugin/elf_file.h"
#include "plugin/host.h"
#include "plugin/manifest.h"
#include "process.h"
#include "trammel/abi_tag.h"
#include "trammel/error.h"

namespace trammel {

/// What an honest manifest for the hostile fixtures (fixtures/hostile.h) says, with `library`'s true build-id.
inline PluginInfo honest_manifest(const std::string& id, const std::filesystem::path& library) {
  PluginInfo plugin;
  plugin.id = id;
  plugin.version = "1.0.0";
  plugin.licence = "BSD-3-Clause";
  plugin.abi_tag = abi_tag.data;
  plugin.interface_epoch = interface_epoch;
  plugin.sdk_minor = sdk_minor;
  plugin.build_id = inspect_elf(library).build_id;
  ComponentInfo first{ComponentKind::function, Host::any, "hostile", "A function that does not work.", "", {}, {}};
  ParameterInfo length;
  length.name = "length";
  length.unit = "m";
  length.description = "A length.";
  ParameterInfo width;
  width.name = "width";
  width.unit = "m";
  width.description = "A width.";
  width.default_json = "1";
  first.parameters = {length, width};
  plugin.components = {first, {ComponentKind::function, Host::any, "hostile_too", "Another one.", "", {}, {}}};
  return plugin;
}

/// Copies fixture `id` into `folder` and writes its manifest after `change`.
inline std::filesystem::path place(
    const std::string& id, const std::filesystem::path& folder,
    const std::function<void(PluginInfo&)>& change = [](PluginInfo&) {}) {
  const std::filesystem::path library = folder / (id + ".so");
  std::filesystem::copy_file(std::filesystem::path(TRAMMEL_FIXTURES) / "hostile" / (id + ".so"), library);
  PluginInfo plugin = honest_manifest(id, library);
  change(plugin);
  write_text(manifest_path(library), manifest_text(plugin));
  return library;
}

}  // namespace trammel
