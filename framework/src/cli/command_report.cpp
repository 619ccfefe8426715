// `trammel report`: a page to look at from the results of a run or a study, and the motion as glTF.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/commands.h"
#include "report/report.h"

namespace trammel::cli {
namespace {

struct Options {
  std::filesystem::path folder;
};

int execute(const Options& options) {
  fmt::print("{}\n", write_report(options.folder).string());
  return 0;
}

}  // namespace

Action declare_report(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("DIR", options->folder, "Folder that `trammel run` or `trammel study` wrote")->required();
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
