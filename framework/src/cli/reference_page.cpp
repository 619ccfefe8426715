// Reference pages in Markdown, from manifests and the plugins' own notes.
#include "cli/reference_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "cli/parameter_words.h"
#include "cli/plugin_notes.h"
#include "config/json_source.h"
#include "config/opened_analysis.h"
#include "config/plugin_cases.h"
#include "config/run_file.h"
#include "config/section_keys.h"
#include "config/step_control_keys.h"
#include "study/metric_types.h"

namespace trammel::cli {
namespace {

constexpr std::size_t longest_example = 4000;  // bytes of a run file that is printed on a page
constexpr std::size_t same_source = 30;        // citations that agree so far name the same work

/// Text as a cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|')
      escaped += "\\|";
    else if (c == '<')
      escaped += "&lt;";
    else
      escaped += c;
  }
  return escaped;
}

std::string parameter_table(const std::vector<ParameterInfo>& parameters) {
  std::string text = "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
  for (const ParameterInfo& p : parameters) {
    const std::string otherwise = p.default_json ? "`" + *p.default_json + "`" : p.optional ? "optional" : "required";
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", p.name, cell(type_words(p)),
                        p.unit == "1" || p.unit.empty() ? "-" : p.unit, cell(otherwise), cell(range_words(p)),
                        cell(p.description));
  }
  return text;
}

/// Rows for parameter_table.
std::string key_rows(RunFilePart part) {
  std::string text;
  for (const SectionKey& key : section_keys(part)) {
    const std::string unit = key.unit, otherwise = key.default_json != nullptr ? fmt::format("`{}`", key.default_json)
                                                   : key.optional              ? "optional"
                                                                               : "required";
    text += fmt::format("| `{}` | {} | {} | {} |  | {} |\n", key.name, cell(key.type), unit == "1" ? "-" : unit,
                        cell(otherwise), cell(key.description));
  }
  return text;
}

std::string host_words(Host host) {
  return host == Host::any ? "any model" : fmt::format("{} models", host_name(host));
}

/// The tables of all hosts; one where they are the same.
std::string parameter_section(const TypeEntries& type) {
  std::string text;
  const bool same = std::all_of(type.begin(), type.end(), [&](const Catalogue::Entry& entry) {
    return entry.component->parameters == type[0].component->parameters &&
           entry.component->body_parameters == type[0].component->body_parameters;
  });
  for (const Catalogue::Entry& entry : type) {
    const ComponentInfo& c = *entry.component;
    if (!same) text += fmt::format("In {}:\n\n", host_words(c.host));
    text += c.parameters.empty() ? "None of its own.\n\n" : parameter_table(c.parameters) + "\n";
    if (!c.body_parameters.empty()) {
      text += "Parts of the model:\n\n" + parameter_table({}) + key_rows(RunFilePart::system) + "\n";
      text += "Keys of each body:\n\n" + parameter_table(c.body_parameters) + key_rows(RunFilePart::body) + "\n";
    }
    if (same) break;
  }
  if (type[0].component->kind == ComponentKind::integrator) {
    text += "In addition, the keys of the [step control](index.md#step-control), which all integrators share.\n\n";
  }
  return text;
}

/// Links between plugins' notes become links between pages, links to other files their names.
std::string with_links(const std::string& text, const Catalogue& catalogue) {
  std::string result;
  std::size_t rest = 0;
  while (const std::optional<UpwardLink> link = next_upward_link(text, rest)) {
    result.append(text, rest, link->begin - rest);
    rest = link->end;
    const std::string &words = link->words, &file = link->file;
    const std::string plugin = plugin_of_readme(file);
    std::string page;
    for (const Catalogue::Entry& entry : catalogue.entries()) {
      if (entry.plugin->id == plugin) page = "../" + page_name({entry});
    }
    if (!page.empty()) {
      result += fmt::format("[{}]({})", words, page);
    } else {
      result += words == file || words == "`" + file + "`" ? "`" + file + "`" : fmt::format("{} (`{}`)", words, file);
    }
  }
  return result.append(text, rest);
}

/// "`heun`, `rk4`": the other types of the plugin.
std::string siblings(const TypeEntries& type) {
  std::string text;
  for (const ComponentInfo& c : type[0].plugin->components) {
    if (c.type == type[0].component->type || text.find("[" + c.type + "]") != std::string::npos) continue;
    text += fmt::format("{}[{}](../{})", text.empty() ? "" : ", ", c.type, page_name({{type[0].plugin, &c}}));
  }
  return text;
}

/// A run file of the plugin's cases that uses the type, if there is a short one.
std::string run_file_section(const TypeEntries& type, const Catalogue& catalogue) {
  const PluginCases cases({}, type[0].plugin->library);
  for (const Catalogue::Entry& entry : type) {
    for (const std::filesystem::path& file : cases.using_component(*entry.component, catalogue)) {
      const std::string text = read_text_file(file);
      if (text.size() > longest_example) continue;
      return fmt::format("## A complete run file\n\n`cases/{}` of the plugin:\n\n```json\n{}```\n\n",
                         file.filename().string(), text);
    }
  }
  return "";
}

std::string source_section(const TypeEntries& type, const std::string& notes) {
  const std::string& citation = type[0].component->citation;
  const bool told_twice = notes.compare(0, same_source, citation, 0, same_source) == 0;
  std::string text = citation.empty() || told_twice ? "" : citation + ".\n\n";
  if (!notes.empty()) text += notes + "\n\n";
  return "## Source\n\n" + (text.empty() ? "None given.\n\n" : text);
}

std::string type_list(const std::vector<TypeEntries>& types, ComponentKind kind, const std::string& folder) {
  std::string text;
  for (const TypeEntries& type : types) {
    const ComponentInfo& c = *type[0].component;
    if (c.kind != kind) continue;
    std::string hosts;
    for (const Catalogue::Entry& entry : type) {
      hosts += fmt::format("{}{}", hosts.empty() ? "" : ", ", host_name(entry.component->host));
    }
    text += fmt::format("| [{}]({}{}.md) | {} | {} |\n", c.type, folder, c.type, hosts, cell(c.summary));
  }
  return text.empty() ? "" : "| type | models | what it is |\n|---|---|---|\n" + text + "\n";
}

}  // namespace

std::vector<TypeEntries> types_of(const Catalogue& catalogue, const std::string& plugin_id) {
  std::vector<TypeEntries> types;
  std::map<std::pair<ComponentKind, std::string>, std::size_t> places;
  for (const Catalogue::Entry& entry : catalogue.entries()) {
    if (!plugin_id.empty() && entry.plugin->id != plugin_id) continue;
    const auto [place, is_new] = places.try_emplace({entry.component->kind, entry.component->type}, types.size());
    if (is_new) types.emplace_back();
    types[place->second].push_back(entry);
  }
  std::sort(types.begin(), types.end(), [](const TypeEntries& a, const TypeEntries& b) {
    return std::pair(a[0].component->kind, a[0].component->type) <
           std::pair(b[0].component->kind, b[0].component->type);
  });
  return types;
}

std::string page_name(const TypeEntries& type) {
  return fmt::format("{}/{}.md", kind_name(type[0].component->kind), type[0].component->type);
}

std::string type_page(const TypeEntries& type, const Catalogue& catalogue) {
  const ComponentInfo& first = *type[0].component;
  const PluginInfo& plugin = *type[0].plugin;
  std::string hosts;
  for (const Catalogue::Entry& entry : type) hosts += (hosts.empty() ? "" : ", ") + host_words(entry.component->host);
  std::string text = fmt::format("# {}\n\n{}\n\n", first.type, cell(first.summary));
  for (const Catalogue::Entry& entry : type) {
    if (entry.component->summary == first.summary) continue;
    text += fmt::format("In {}: {}\n\n", host_words(entry.component->host), cell(entry.component->summary));
  }
  text += fmt::format(
      "| kind | for | plugin | licence |\n|---|---|---|---|\n| [{0}](index.md) | {1} | `{2}` {3} | {4} |\n\n",
      kind_name(first.kind), hosts, plugin.id, plugin.version, plugin.licence);
  const std::string others = siblings(type);
  if (!others.empty()) text += "The same plugin has " + others + ".\n\n";

  const std::vector<NotesSection> notes = plugin_notes(plugin);
  std::string source;
  for (const NotesSection& section : notes) {
    if (section.title.empty() && !section.text.empty()) {
      text += "## Equations\n\n" + with_links(section.text, catalogue) + "\n\n";
    }
    if (section.title == "Source") source = section.text;
  }
  text += "## Parameters\n\n" + parameter_section(type);
  for (const NotesSection& section : notes) {
    const bool parameters = section.title.rfind("Parameters", 0) == 0;
    if (section.title.empty() || parameters || section.title == "Source") continue;
    text += fmt::format("## {}\n\n{}\n\n", section.title, with_links(section.text, catalogue));
  }
  return text + run_file_section(type, catalogue) + source_section(type, source);
}

std::string index_page(const std::vector<TypeEntries>& types) {
  std::string text = "# Reference\n\nWritten by `trammel reference` from the plugins' parameter tables and notes.\n\n";
  for (std::int32_t k = 0; k < component_kind_count; ++k) {
    const auto kind = static_cast<ComponentKind>(k);
    const std::string name = kind_name(kind), list = type_list(types, kind, name + "/");
    if (!list.empty()) text += fmt::format("## {}\n\n{}", name, list);
  }
  return text;
}

std::string kind_page(ComponentKind kind, const std::vector<TypeEntries>& types) {
  std::string text = fmt::format("# {}\n\n{}", kind_name(kind), type_list(types, kind, ""));
  if (kind == ComponentKind::integrator) {
    text += "## Step control\n\nKeys that all integrators share.\n\n" +
            parameter_table(parameter_infos(step_control_table()));
  }
  if (kind == ComponentKind::analysis) {
    text += "## Keys of all analyses\n\nBeside `type`, `conditions` and `weights`.\n\n" +
            parameter_table(common_analysis_keys());
  }
  if (kind == ComponentKind::metric) {
    text += "## Sampling\n\nA key that all metrics of plugins share.\n\n" +
            parameter_table(parameter_infos(sampling_table()));
  }
  return text;
}

std::string kernel_page() {
  std::string text =
      "# Run files and studies\n\nKeys that belong to Trammel itself, not to a plugin.\n\n## The whole file\n\n" +
      parameter_table({}) + key_rows(RunFilePart::run_file) + "\n## Sub-models, keys of `system`\n\n" +
      parameter_table({}) + key_rows(RunFilePart::submodels) + "\n## analysis\n\n" +
      parameter_table(parameter_infos(analysis_table())) + key_rows(RunFilePart::analysis) + "\n## output\n\n" +
      parameter_table(parameter_infos(output_table())) + key_rows(RunFilePart::output) + "\n## report\n\n" +
      parameter_table({}) + key_rows(RunFilePart::report) + "\n## points\n\n" +
      parameter_table(parameter_infos(point_table())) +
      "\n## Metrics of studies\n\nMetrics that need a table, another case, or several.\n\n";
  for (const OwnMetricType& metric : own_metric_types()) {
    text += fmt::format("### {}\n\n{}\n\n{}\n", metric.type, cell(metric.summary),
                        parameter_table(parameter_infos(metric.table)));
  }
  return text;
}

}  // namespace trammel::cli
