// `trammel plugins`: everything that can be loaded, from the manifests alone.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "plugin/manifest.h"

namespace trammel::cli {
namespace {

struct PluginsArguments : PluginOptions {
  bool json = false;
};

void print_warnings(const PluginHost& host) {
  for (const std::string& warning : host.warnings()) fmt::print(stderr, "{}\n", warning);
}

int print_json(const PluginHost& host) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::set<std::string> seen;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    if (!seen.insert(entry.plugin->library).second) continue;
    list.push_back(manifest_json(*entry.plugin));
    list.back()["path"] = entry.plugin->library.string();
  }
  fmt::print("{}\n", list.dump(1));
  return 0;
}

int print_table(const PluginHost& host) {
  std::size_t width = 0;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    width = std::max(width, entry.component->type.size());
  }
  const ComponentInfo* last = nullptr;
  std::set<std::string> plugins;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    const ComponentInfo& c = *entry.component;
    if (last == nullptr || last->kind != c.kind || last->host != c.host) {
      const std::string host_words = c.host == Host::any ? "" : fmt::format(", {} models", host_name(c.host));
      fmt::print("{}{}{}\n", last == nullptr ? "" : "\n", kind_name(c.kind), host_words);
    }
    fmt::print("  {:<{}}  {}\n", c.type, width, c.summary);
    plugins.insert(entry.plugin->library);
    last = &c;
  }
  fmt::print("{}types: {}, plugins: {}\n", last == nullptr ? "" : "\n", host.catalogue().entries().size(),
             plugins.size());
  return 0;
}

}  // namespace

Action declare_plugins(CLI::App& app) {
  auto options = std::make_shared<PluginsArguments>();
  declare_plugin_path(app, *options);
  app.add_flag("--json", options->json, "Print the manifests as JSON");
  return [options] {
    const PluginHost host = open_host(*options);
    print_warnings(host);
    return options->json ? print_json(host) : print_table(host);
  };
}

}  // namespace trammel::cli
