// `trammel view`: a page that shows a run while it goes on, and the model while its file is edited.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/run_file_options.h"
#include "report/page.h"
#include "trammel/error.h"
#include "view/live_page.h"

namespace trammel::cli {
namespace {

struct ViewArguments : RunFileOptions {
  int port = 0;
  bool no_run = false;
};

int execute(const ViewArguments& options) {
  require_viewer();
  if (!std::filesystem::is_regular_file(options.file))
    throw Error(ErrorKind::input, options.file.string() + ": cannot be read; a run file was expected");
  watch_for_interrupt();
  LiveOptions live{
      options.file, options.results(), {options.sets, options.plugin_path, 1, options.trust}, !options.no_run};
  std::unique_ptr<LiveRun> run;  // once it is known that the page can be served
  LoopbackServer server(options.port, [&run](const WebRequest& request) { return live_answer(*run, request); });
  run = std::make_unique<LiveRun>(live);
  fmt::print("{}\n", server.address());
  fmt::print(stderr, "Open this address in a browser on this machine. Ctrl-C ends the view.\n");
  std::fflush(stdout);
  server.serve([] { return interrupt_requested(); });
  return 0;
}

}  // namespace

Action declare_view(CLI::App& app) {
  auto options = std::make_shared<ViewArguments>();
  declare_run_file(app, *options);
  app.add_option("--port", options->port, "Port on 127.0.0.1 (default: any that is free)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535));
  app.add_flag("--no-run", options->no_run, "Show the model only; the page's button runs it");
  declare_plugin_path(app, *options);
  declare_trust(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
