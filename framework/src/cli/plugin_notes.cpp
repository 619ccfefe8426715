// Finds and divides a plugin's README.
#include "cli/plugin_notes.h"

#include <sstream>

#include "config/json_source.h"
#include "plugin/installed_tree.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\n'), end = text.find_last_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

std::vector<NotesSection> plugin_notes(const PluginInfo& plugin) {
  const fs::path folder = plugin.library.parent_path();
  std::vector<NotesSection> sections;
  for (const fs::path& file : {folder / (plugin.id + ".md"), folder / "README.md", folder.parent_path() / "README.md",
                               data_folder() / "notes" / (plugin.id + ".md")}) {
    if (!fs::is_regular_file(file)) continue;
    std::istringstream lines(read_text_file(file));
    sections.push_back({});
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("```", 0) == 0) code = !code;
      if (!code && line.rfind("# ", 0) == 0) continue;
      if (!code && line.rfind("## ", 0) == 0) {
        sections.push_back({line.substr(3), ""});
      } else {
        sections.back().text += line + "\n";
      }
    }
    break;
  }
  for (NotesSection& section : sections) section.text = trimmed(section.text);
  return sections;
}

}  // namespace trammel::cli
