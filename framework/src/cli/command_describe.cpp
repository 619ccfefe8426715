// `trammel describe`: one component type, its parameters, its source.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/parameter_words.h"
#include "cli/plugin_options.h"
#include "cli/type_query.h"
#include "config/run_file.h"
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

void print_parameters(const char* title, const std::vector<ParameterInfo>& parameters) {
  if (parameters.empty()) return;
  std::size_t width = 0;
  for (const ParameterInfo& p : parameters) width = std::max(width, p.name.size());
  fmt::print("  {}:\n", title);
  for (const ParameterInfo& p : parameters) {
    fmt::print("    {:<{}}  {}\n    {:<{}}  {}\n", p.name, width, p.description, "", width, facts(p));
  }
}

void print_text(const Catalogue::Entry& entry) {
  const ComponentInfo& c = *entry.component;
  fmt::print("{} '{}'{}\n  {}\n", kind_name(c.kind), c.type,
             c.host == Host::any ? "" : fmt::format(", {} models", host_name(c.host)), c.summary);
  if (!c.citation.empty()) fmt::print("  source: {}\n", c.citation);
  fmt::print("  plugin: {} {} ({}), {}\n", entry.plugin->id, entry.plugin->version, entry.plugin->licence,
             entry.plugin->library.string());
  print_parameters("parameters", c.parameters);
  print_parameters("parameters of each body", c.body_parameters);
  if (c.parameters.empty() && c.body_parameters.empty()) fmt::print("  no parameters of its own\n");
  if (c.kind == ComponentKind::integrator) {
    print_parameters("step control, the same for all integrators", parameter_infos(step_control_table()));
  }
}

void print_json(const std::vector<Catalogue::Entry>& entries) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Catalogue::Entry& entry : entries) {
    list.push_back(component_json(*entry.component));
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

/// "analysis", "output": parts of a run file that belong to no plugin.
bool describe_part(const std::string& query, bool as_json) {
  const bool analysis = query == "analysis";
  if (!analysis && query != "output") return false;
  const std::vector<ParameterInfo> keys = parameter_infos(analysis ? analysis_table() : output_table());
  if (as_json) {
    ComponentInfo info;
    info.parameters = keys;
    const nlohmann::ordered_json parameters = component_json(info)["parameters"];
    fmt::print("{}\n", nlohmann::ordered_json::array({{{"part", query}, {"parameters", parameters}}}).dump(1));
    return true;
  }
  fmt::print("'{}' of a run file\n  part of Trammel itself, no plugin; see docs/{}\n", query,
             analysis ? "analyses.md and docs/assembly.md" : "analyses.md");
  print_parameters("keys", keys);
  if (analysis) fmt::print("    conditions, weights: see docs/assembly.md\n");
  return true;
}

}  // namespace

Action declare_describe(CLI::App& app) {
  auto options = std::make_shared<DescribeArguments>();
  declare_plugin_path(app, *options);
  app.add_option("type", options->query, "The type, where needed with kind and host: force/planar/rsda")
      ->type_name("[KIND/][HOST/]TYPE")
      ->required();
  app.add_flag("--json", options->json, "Print a JSON list of the matching types");
  return [options] {
    if (describe_part(options->query, options->json)) return 0;
    if (const OwnMetricType* metric = own_metric(options->query)) {
      print_own_metric(*metric, options->json);
      return 0;
    }
    const PluginHost host = open_host(*options);
    const std::vector<Catalogue::Entry> entries = entries_matching(host, options->query);
    if (options->json) {
      print_json(entries);
      return 0;
    }
    for (const Catalogue::Entry& entry : entries) print_text(entry);
    return 0;
  };
}

}  // namespace trammel::cli
