// `trammel describe`: one component type, its parameters, its source; or a part of run files.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/parameter_words.h"
#include "cli/plugin_notes.h"
#include "cli/plugin_options.h"
#include "cli/type_query.h"
#include "config/idle_keys.h"
#include "config/method_request.h"
#include "config/opened_analysis.h"
#include "config/run_file.h"
#include "config/section_keys.h"
#include "config/step_control_keys.h"
#include "plugin/manifest.h"
#include "study/metric_types.h"

namespace trammel::cli {
namespace {

struct DescribeArguments : PluginOptions {
  std::string query;
  bool json = false;
};

/// "number, N/m, > 0, default 1"
std::string facts(const ParameterInfo& p) {
  std::string text = type_words(p);
  if (p.unit != "1" && !p.unit.empty()) text += ", " + p.unit;
  const std::string range = range_words(p);
  if (!range.empty()) text += ", " + range;
  if (p.default_json) return text + ", default " + *p.default_json;
  return text + (p.optional ? ", may be left out" : ", required");
}

/// "array of names, may be left out"
std::string facts(const SectionKey& key) {
  std::string text = key.type;
  if (std::string(key.unit) != "1") text += std::string(", ") + key.unit;
  if (key.default_json != nullptr) return text + ", default " + key.default_json;
  return text + (key.optional ? ", may be left out" : ", required");
}

void print_parameters(const std::string& title, const std::vector<ParameterInfo>& parameters,
                      const std::vector<SectionKey>& keys = {}) {
  if (parameters.empty() && keys.empty()) return;
  std::size_t width = 0;
  for (const ParameterInfo& p : parameters) width = std::max(width, p.name.size());
  for (const SectionKey& key : keys) width = std::max(width, std::string(key.name).size());
  fmt::print("  {}:\n", title);
  const auto line = [&](const std::string& name, const std::string& description, const std::string& facts_of_it) {
    fmt::print("    {:<{}}  {}\n    {:<{}}  {}\n", name, width, description, "", width, facts_of_it);
  };
  for (const ParameterInfo& p : parameters) line(p.name, p.description, facts(p));
  for (const SectionKey& key : keys) line(key.name, key.description, facts(key));
}

/// Like the entries of component_json; the type is in words.
nlohmann::ordered_json keys_json(const std::vector<SectionKey>& keys) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SectionKey& key : keys) {
    list.push_back({{"name", key.name}, {"type", key.type}, {"unit", key.unit}, {"description", key.description}});
    if (key.default_json != nullptr) list.back()["default_json"] = key.default_json;
    if (key.optional && key.default_json == nullptr) list.back()["optional"] = true;
  }
  return list;
}

bool has_bodies(const ComponentInfo& c) { return c.kind == ComponentKind::system && c.host != Host::any; }

/// A part of the plugin's README under its title, indented.
void print_notes(std::string title, const std::string& text) {
  if (text.empty()) return;
  title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
  fmt::print("  {}:\n", title);
  std::istringstream lines(without_links(text));
  for (std::string line; std::getline(lines, line);) fmt::print("{}{}\n", line.empty() ? "" : "    ", line);
}

/// Whether a section of a plugin's README tells what the manifest does not: channels, signs, events, an example.
bool adds_to_manifest(const NotesSection& section) {
  return !section.title.empty() && section.title.rfind("Parameters", 0) != 0 && section.title != "Source";
}

/// The same notes hold for all types of a plugin: equations stand at the first of several, the rest at the last.
struct NotesPlace {
  bool first, last;
};

void print_text(const Catalogue::Entry& entry, NotesPlace place) {
  const ComponentInfo& c = *entry.component;
  fmt::print("{} '{}'{}\n  {}\n", kind_name(c.kind), c.type,
             c.host == Host::any ? "" : fmt::format(", {} models", host_name(c.host)), c.summary);
  if (!c.citation.empty()) fmt::print("  source: {}\n", c.citation);
  fmt::print("  plugin: {} {} ({}), {}\n", entry.plugin->id, entry.plugin->version, entry.plugin->licence,
             entry.plugin->library.string());
  const std::vector<NotesSection> notes = plugin_notes(*entry.plugin);
  if (place.first && !notes.empty() && notes[0].title.empty()) print_notes("Equations", notes[0].text);
  print_parameters("parameters", c.parameters);
  if (has_bodies(c)) {
    print_parameters("parts of the model", {}, section_keys(RunFilePart::system));
    print_parameters("parameters of each body", c.body_parameters, section_keys(RunFilePart::body));
  }
  if (c.parameters.empty() && !has_bodies(c)) fmt::print("  no parameters of its own\n");
  if (c.kind == ComponentKind::integrator) {
    print_parameters("step control, the same for all integrators", parameter_infos(step_control_table()));
  }
  if (c.kind == ComponentKind::analysis) {
    print_parameters("keys of all analyses", common_analysis_keys());
  }
  for (const NotesSection& section : notes) {
    if (place.last && adds_to_manifest(section)) print_notes(section.title, section.text);
  }
}

void print_text(const std::vector<Catalogue::Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PluginInfo* plugin = entries[i].plugin;
    print_text(entries[i],
               {i == 0 || entries[i - 1].plugin != plugin, i + 1 == entries.size() || entries[i + 1].plugin != plugin});
  }
}

/// "Equations", "Channels", ... with their texts in Markdown.
nlohmann::ordered_json notes_json(const PluginInfo& plugin) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NotesSection& section : plugin_notes(plugin)) {
    if (section.text.empty() || (!section.title.empty() && !adds_to_manifest(section))) continue;
    list.push_back({{"title", section.title.empty() ? "Equations" : section.title}, {"text", section.text}});
  }
  return list;
}

void print_json(const std::vector<Catalogue::Entry>& entries) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Catalogue::Entry& entry : entries) {
    list.push_back(component_json(*entry.component));
    if (has_bodies(*entry.component)) {
      list.back()["model_keys"] = keys_json(section_keys(RunFilePart::system));
      list.back()["body_keys"] = keys_json(section_keys(RunFilePart::body));
    }
    list.back()["notes"] = notes_json(*entry.plugin);
    list.back()["plugin"] = {{"id", entry.plugin->id},
                             {"version", entry.plugin->version},
                             {"licence", entry.plugin->licence},
                             {"path", entry.plugin->library.string()}};
  }
  fmt::print("{}\n", list.dump(1));
}

/// "error", "metric/error": a metric of studies that is no plugin, or nullptr.
const OwnMetricType* own_metric(std::string query) {
  for (const std::string prefix : {"metric/", "any/"}) {
    if (query.rfind(prefix, 0) == 0) query.erase(0, prefix.size());
  }
  return find_own_metric(query);
}

void print_own_metric(const OwnMetricType& metric, bool as_json) {
  ComponentInfo info;
  info.kind = ComponentKind::metric;
  info.host = Host::any;
  info.type = metric.type;
  info.summary = metric.summary;
  info.parameters = parameter_infos(metric.table);
  if (as_json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array({component_json(info)});
    list.back()["plugin"] = nullptr;
    fmt::print("{}\n", list.dump(1));
    return;
  }
  fmt::print("metric '{}' of studies\n  {}\n  part of Trammel itself, no plugin; see docs/studies.md\n", info.type,
             info.summary);
  print_parameters("parameters", info.parameters);
  if (metric.kind == OwnMetric::error) {
    fmt::print(
        "    columns: object of column or \"=formula\" of the run: column of the reference; all of the reference's if "
        "left out\n");
  }
}

std::string own_analysis_summary(const std::string& type) {
  constexpr std::pair<const char*, const char*> summaries[] = {
      {"assembly", "One consistent state: the mechanism is put together."},
      {"kinematics", "Positions, velocities and accelerations over time of a mechanism that drivers determine."},
      {"inverse_dynamics", "In addition the efforts of drivers and the reactions of joints."},
      {"dynamics", "Motion under forces."},
      {"equilibrium", "A state of rest, its multipliers and its stability."},
      {"modes", "Frequencies, damping and shapes of small motions, and state-space matrices."}};
  for (const auto& [name, summary] : summaries) {
    if (type == name) return summary;
  }
  return "";
}

/// "equilibrium", "analysis/equilibrium": an analysis of the kernel.
bool describe_own_analysis(std::string query, bool as_json) {
  for (const std::string prefix : {"analysis/", "any/"}) {
    if (query.rfind(prefix, 0) == 0) query.erase(0, prefix.size());
  }
  const std::vector<std::string> types = built_in_analyses();
  if (std::find(types.begin(), types.end(), query) == types.end()) return false;
  ComponentInfo info;
  info.kind = ComponentKind::analysis;
  info.host = Host::any;
  info.type = query;
  info.summary = own_analysis_summary(query);
  info.parameters = own_analysis_keys(query);
  std::vector<SectionKey> parts = section_keys(RunFilePart::analysis);
  std::erase_if(parts, [&](const SectionKey& key) {
    return query != "dynamics" && std::string(key.name).rfind("events", 0) == 0;
  });
  if (as_json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array({component_json(info)});
    for (const nlohmann::ordered_json& key : keys_json(parts)) list.back()["parameters"].push_back(key);
    list.back()["plugin"] = nullptr;
    fmt::print("{}\n", list.dump(1));
    return true;
  }
  fmt::print("analysis '{}'\n  {}\n  part of Trammel itself, no plugin; see docs/analyses.md\n", info.type,
             info.summary);
  print_parameters("keys", info.parameters, parts);
  return true;
}

/// A part of run files that belongs to no plugin.
struct FilePart {
  const char* title;
  std::vector<ParameterInfo> parameters;
  std::vector<SectionKey> keys;
};

struct FileParts {
  const char* pages;
  std::vector<FilePart> parts;
};

FileParts parts_called(const std::string& query) {
  if (query == "run_file") return {"docs/run_file.md", {{"keys", {}, section_keys(RunFilePart::run_file)}}};
  if (query == "analysis") {
    return {"docs/analyses.md, docs/assembly.md and docs/events.md",
            {{"keys", parameter_infos(analysis_table()), section_keys(RunFilePart::analysis)}}};
  }
  if (query == "output") {
    return {"docs/run_file.md", {{"keys", parameter_infos(output_table()), section_keys(RunFilePart::output)}}};
  }
  if (query == "auto" || query == "integrator/auto" || query == "formulation/auto") {
    return {"docs/which_method.md",
            {{"keys beside \"type\": \"auto\" of the integrator (\"formulation\" has none)",
              automatic_integrator_keys(),
              {}}}};
  }
  if (query == "report") return {"docs/report.md", {{"keys", {}, section_keys(RunFilePart::report)}}};
  if (query == "submodels")
    return {"docs/submodels.md", {{"keys of 'system'", {}, section_keys(RunFilePart::submodels)}}};
  if (query == "points") return {"docs/run_file.md", {{"keys of each point", parameter_infos(point_table()), {}}}};
  FileParts found{"docs/report.md", {}};
  if (query != "shape") return found;
  for (const ShapeType& shape : shape_types()) {
    found.parts.push_back({shape.type, parameter_infos(shape.table), {}});
  }
  return found;
}

bool describe_part(const std::string& query, bool as_json) {
  const FileParts found = parts_called(query);
  if (found.parts.empty()) return false;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  if (!as_json) fmt::print("'{}' of a run file\n  part of Trammel itself, no plugin; see {}\n", query, found.pages);
  for (const FilePart& part : found.parts) {
    const std::string title = query == "shape" ? fmt::format("keys of type '{}'", part.title) : part.title;
    if (!as_json) {
      print_parameters(title, part.parameters, part.keys);
      continue;
    }
    ComponentInfo info;
    info.parameters = part.parameters;
    nlohmann::ordered_json parameters = component_json(info)["parameters"];
    for (const nlohmann::ordered_json& key : keys_json(part.keys)) parameters.push_back(key);
    list.push_back({{"part", query}, {"parameters", parameters}});
    if (query == "shape") list.back()["type"] = part.title;
  }
  if (as_json) fmt::print("{}\n", list.dump(1));
  return true;
}

}  // namespace

Action declare_describe(CLI::App& app) {
  auto options = std::make_shared<DescribeArguments>();
  declare_plugin_path(app, *options);
  app.add_option("type", options->query,
                 "The type, where needed with kind and host: force/planar/rsda; or a part of run files: run_file, "
                 "analysis, output, report, submodels, points, shape, auto")
      ->type_name("[KIND/][HOST/]TYPE")
      ->required();
  app.add_flag("--json", options->json, "Print a JSON list of the matching types");
  return [options] {
    if (describe_part(options->query, options->json)) return 0;
    if (const OwnMetricType* metric = own_metric(options->query)) {
      print_own_metric(*metric, options->json);
      return 0;
    }
    if (describe_own_analysis(options->query, options->json)) return 0;
    const PluginHost host = open_host(*options);
    const std::vector<Catalogue::Entry> entries = entries_matching(host, options->query);
    if (options->json) {
      print_json(entries);
      return 0;
    }
    print_text(entries);
    return 0;
  };
}

}  // namespace trammel::cli
