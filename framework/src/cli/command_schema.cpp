// `trammel schema`: the JSON Schema of run files and studies for everything discovered.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "study/study_schema.h"

namespace trammel::cli {

Action declare_schema(CLI::App& app) {
  auto options = std::make_shared<PluginOptions>();
  declare_plugin_path(app, *options);
  return [options] {
    const PluginHost host = open_host(*options);
    for (const std::string& warning : host.warnings()) fmt::print(stderr, "{}\n", warning);
    fmt::print("{}\n", input_schema(host.catalogue()));
    return 0;
  };
}

}  // namespace trammel::cli
