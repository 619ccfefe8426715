// `trammel reference`: a folder of Markdown pages, one per component type, for a site or to read as they are.
#include <fmt/format.h>

#include <fstream>
#include <set>

#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "cli/reference_page.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

struct ReferenceArguments : PluginOptions {
  fs::path folder;
  std::string plugin;
};

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", file.string()));
}

int execute(const ReferenceArguments& options) {
  const PluginHost host = open_host(options);
  for (const std::string& warning : host.warnings()) fmt::print(stderr, "{}\n", warning);
  const std::vector<TypeEntries> types = types_of(host.catalogue(), options.plugin);
  if (types.empty()) {
    throw Error(ErrorKind::plugin, fmt::format("there is no plugin '{}'\n{}", options.plugin, host.searched_folders()));
  }
  std::set<ComponentKind> kinds;
  for (const TypeEntries& type : types) {
    write(options.folder / page_name(type), type_page(type, host.catalogue()));
    kinds.insert(type[0].component->kind);
  }
  for (const ComponentKind kind : kinds) write(options.folder / kind_name(kind) / "index.md", kind_page(kind, types));
  write(options.folder / "index.md", index_page(types));
  if (options.plugin.empty()) write(options.folder / "run_file.md", kernel_page());
  fmt::print("{}: {} pages\n", options.folder.string(), types.size());
  return 0;
}

}  // namespace

Action declare_reference(CLI::App& app) {
  auto options = std::make_shared<ReferenceArguments>();
  declare_plugin_path(app, *options);
  app.add_option("-o,--output", options->folder, "Folder to write the pages to")->type_name("DIR")->required();
  app.add_option("--plugin", options->plugin, "Only the types of this plugin")->type_name("ID");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
