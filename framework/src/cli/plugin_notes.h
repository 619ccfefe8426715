// What a plugin's README says about its types: equations, channels, example, sources, as sections.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel::cli {

struct NotesSection {
  std::string title;  ///< of the `## ` heading; "" for what stands before the first
  std::string text;   ///< Markdown, without blank lines around it
};

/// The sections of <id>.md or README.md beside the library, or of README.md beside its folder, else of
/// share/trammel/notes/<id>.md of the installed tree; none if there is no such file.
std::vector<NotesSection> plugin_notes(const PluginInfo& plugin);

}  // namespace trammel::cli
