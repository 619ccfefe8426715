// `trammel run`: one run file, with progress on a terminal and a short summary at the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/run_file_options.h"
#include "report/report.h"
#include "results/readable_rows.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::cli {
namespace {

/// A bar with simulated time, steps, step size and remaining time; of analyses without time the iterations and what is
/// left.
class RunProgress final : public RunObserver {
 public:
  explicit RunProgress(bool quiet) : line_(quiet) {}

  bool step(double t, double t_end, double h, long steps) override {
    if (line_.due())
      line_.draw(t_end > 0 ? bar(t, t_end, h, steps) : fmt::format("{} iterations, {:.2e} left", steps, h));
    return !interrupt_requested();
  }
  void clear() { line_.clear(); }

 private:
  std::string bar(double t, double t_end, double h, long steps) const {
    const double done = t / t_end;
    constexpr int width = 30;
    const int filled = static_cast<int>(done * width);
    return fmt::format("[{:#<{}}{:.<{}}] {:3.0f}%  t = {:.4g} of {:g} s  {} steps  h = {:.2e}  {:.0f} s left", "",
                       filled, "", width - filled, 100 * done, t, t_end, steps, h,
                       done > 0 ? line_.seconds_since_start() * (1 / done - 1) : 0.0);
  }
  ProgressLine line_;
};

struct RunArguments : RunFileOptions {
  bool quiet = false, report = false;
  double checkpoint_every = 0;
  int threads = 1;
  std::filesystem::path restart;
};

int execute(const RunArguments& options) {
  if (options.report) require_viewer();  // before a long run, not after it
  Simulation simulation(options.file, {options.sets, options.plugin_path, options.threads});
  if (options.report) require_readable_rows(simulation.row_files(), options.file.string(), "--report");
  const std::filesystem::path folder = options.results();
  const std::vector<std::string> at_start = simulation.warnings();
  for (const std::string& warning : at_start) fmt::print(stderr, "warning: {}\n", warning);
  watch_for_interrupt();
  if (!options.restart.empty()) simulation.restart(options.restart);
  if (options.checkpoint_every > 0) simulation.checkpoint_every(options.checkpoint_every);
  simulation.write_results(folder);
  RunProgress progress(options.quiet);
  const RunStatus status = simulation.run(&progress);
  progress.clear();

  if (!options.quiet) fmt::print("{}", simulation.report());
  const char* title = "Results:";
  for (const std::string& name : options.quiet ? std::vector<std::string>() : simulation.row_files())
    fmt::print("{} {}\n", std::exchange(title, "        "), (folder / name).string());
  if (!options.quiet) fmt::print("         {}\n", (folder / "summary.json").string());
  if (options.report) {
    const std::filesystem::path page = write_report(folder);
    if (!options.quiet) fmt::print("         {}\n", page.string());
  }
  // Failures have one line, the rest is in the summary.
  for (const std::string& warning :
       status == RunStatus::completed ? simulation.warnings() : std::vector<std::string>()) {
    if (std::find(at_start.begin(), at_start.end(), warning) == at_start.end())
      fmt::print(stderr, "warning: {}\n", warning);
  }
  switch (status) {
    case RunStatus::completed: return 0;
    case RunStatus::interrupted:
      fmt::print(stderr, "{}: {}\n", options.file.string(), simulation.message());
      return exit_interrupted;
    case RunStatus::failed: break;
  }
  fmt::print(stderr, "{}: {}\n", options.file.string(), simulation.message());
  return static_cast<int>(simulation.failed_by_plugin() ? ErrorKind::plugin : ErrorKind::compute);
}

}  // namespace

Action declare_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  declare_run_file(app, *options);
  app.add_flag("--report", options->report, "Write report.html beside the results: animation and plots");
  app.add_flag("--quiet", options->quiet, "No progress and no summary");
  app.add_option("--checkpoint-every", options->checkpoint_every,
                 "Write DIR/checkpoint.json after every so many seconds of simulated time")
      ->type_name("S")
      ->check(CLI::Validator(
          [](std::string& text) {
            double seconds = 0;
            const bool good = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && std::isfinite(seconds);
            return good ? std::string() : "must be a number of seconds > 0, not " + text;
          },
          ""));
  app.add_option("--restart", options->restart, "Go on from a checkpoint of the same run file")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  app.add_option("--threads", options->threads,
                 "Threads that a large model's run may use (default: 1); results have the same bits")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  declare_plugin_path(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
