// `trammel report`: a page to look at from the results of a run or a study, and the motion as glTF.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/commands.h"
#include "report/gltf.h"
#include "report/report.h"

namespace trammel::cli {
namespace {

struct ReportArguments {
  std::filesystem::path folder, gltf;
};

int execute(const ReportArguments& options) {
  if (!options.gltf.empty()) {
    write_gltf(options.folder, options.gltf);
    fmt::print("{}\n", options.gltf.string());
    return 0;
  }
  fmt::print("{}\n", write_report(options.folder).string());
  return 0;
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  app.add_option("DIR", options->folder, "Folder that `trammel run` or `trammel study` wrote")->required();
  app.add_option("--gltf", options->gltf, "Instead of the page: the motion for other viewers (.glb or .gltf)")
      ->type_name("FILE");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
