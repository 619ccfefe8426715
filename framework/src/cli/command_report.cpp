// `trammel report`: a page to look at from the results of a run or a study, and the motion as glTF.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "report/gltf.h"
#include "report/report.h"

namespace trammel::cli {
namespace {

struct ReportArguments {
  std::filesystem::path folder, gltf;
  std::vector<std::filesystem::path> overlays;
  bool cases = false;
};

int execute(const ReportArguments& options) {
  if (!options.gltf.empty()) {
    write_gltf(options.folder, options.gltf);
    fmt::print("{}\n", options.gltf.string());
    return 0;
  }
  if (options.cases) {
    require_viewer();
    fmt::print("{} reports of cases\n", write_case_reports(options.folder));
  }
  fmt::print("{}\n", write_report(options.folder, options.overlays).string());
  return 0;
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  app.add_option("DIR", options->folder, "Folder that `trammel run` or `trammel study` wrote")->required();
  app.add_option("--gltf", options->gltf, "Instead of the page: the motion for other viewers (.glb or .gltf)")
      ->type_name("FILE");
  app.add_option("--overlay", options->overlays,
                 "Another run's folder, or a CSV file, over the diagrams; may be repeated")
      ->type_name("DIR|FILE.csv")
      ->allow_extra_args(false);
  app.add_flag("--cases", options->cases, "Of a study: write the reports of its cases as well");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
