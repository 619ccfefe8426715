// What a plugin's README says about its types: equations, channels, example, sources, as sections.
#pragma once

#include <filesystem>
#include <optional>
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

/// A Markdown link "[words](../../file)" in a text: a file of the repository that lies further up.
struct UpwardLink {
  std::size_t begin, end;
  std::string words, file;
};

/// The first one at or behind `from`.
std::optional<UpwardLink> next_upward_link(const std::string& text, std::size_t from);

/// "tsda" of "forces/tsda/README.md", "" of other files.
std::string plugin_of_readme(const std::string& file);

/// The text for a terminal: of links their words, with the file's name where that is no plugin's README.
std::string without_links(const std::string& text);

}  // namespace trammel::cli
