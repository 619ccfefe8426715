// Every constraint and force that this build ships, with the run files of its plugin's cases that use it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "loaded_model.h"

namespace trammel {

struct ShippedElement {
  ComponentKind kind;
  Host host;
  std::string type;
  std::vector<std::filesystem::path> cases;  ///< sorted; the element's host, and the element in it

  std::string name() const { return std::string(host_name(host)) + " " + type; }
  const std::vector<Section>& sections(const RunFile& run) const {
    return kind == ComponentKind::constraint ? run.constraints : run.forces;
  }
};

/// Run files of a folder, no studies.
inline std::vector<std::filesystem::path> run_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    const bool study = stem.size() > 6 && stem.compare(stem.size() - 6, 6, "_study") == 0;
    if (entry.path().extension() == ".json" && !study) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Sorted by kind, host and type, as the catalogue is.
inline std::vector<ShippedElement> shipped_elements() {
  const PluginHost host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}});
  std::vector<ShippedElement> elements;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    const ComponentInfo& component = *entry.component;
    if (component.kind != ComponentKind::constraint && component.kind != ComponentKind::force) continue;
    ShippedElement element{component.kind, component.host, component.type, {}};
    const std::string folder = component.kind == ComponentKind::constraint ? "constraints/" : "forces/";
    for (const auto& file : run_files(TRAMMEL_SOURCE_DIR "/plugins/" + folder + entry.plugin->id + "/cases")) {
      const RunFile run = load_run_file(file);
      if (component.host != Host::any && run.system.type != host_name(component.host)) continue;
      const auto& sections = element.sections(run);
      if (std::any_of(sections.begin(), sections.end(), [&](const Section& s) { return s.type == element.type; })) {
        element.cases.push_back(file);
      }
    }
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace trammel
