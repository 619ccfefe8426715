// Finds and divides a plugin's README.
#include "cli/plugin_notes.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

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

std::optional<UpwardLink> next_upward_link(const std::string& text, std::size_t from) {
  constexpr std::string_view up = "../";
  for (std::size_t middle = text.find("](" + std::string(up), from); middle != std::string::npos;
       middle = text.find("](" + std::string(up), middle + 1)) {
    const std::size_t open = text.find_last_of("[]\n", middle - 1);
    const std::size_t close = text.find_first_of(") \n", middle);
    if (middle == 0 || open == std::string::npos || open < from || text[open] != '[' || open + 1 == middle ||
        close == std::string::npos || text[close] != ')')
      continue;
    std::size_t file = middle + 2;
    while (text.compare(file, up.size(), up) == 0) file += up.size();
    if (file < close)
      return UpwardLink{open, close + 1, text.substr(open + 1, middle - open - 1), text.substr(file, close - file)};
  }
  return std::nullopt;
}

std::string plugin_of_readme(const std::string& file) {
  const std::size_t slash = file.find('/');
  const std::size_t end = file.rfind("/README.md");
  return slash < end && end != std::string::npos && end + 10 == file.size() ? file.substr(slash + 1, end - slash - 1)
                                                                            : "";
}

std::string without_links(const std::string& text) {
  std::string result;
  std::size_t rest = 0;
  while (const std::optional<UpwardLink> link = next_upward_link(text, rest)) {
    result.append(text, rest, link->begin - rest);
    rest = link->end;
    const bool named = link->words == link->file || link->words == "`" + link->file + "`";
    result += link->words;
    if (!named && plugin_of_readme(link->file).empty()) result += fmt::format(" ({})", link->file);
  }
  return result.append(text, rest);
}

}  // namespace trammel::cli
