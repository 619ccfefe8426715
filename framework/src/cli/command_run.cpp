// `trammel run`: one run file, with progress on a terminal and a short summary at the end.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/end_record.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/run_file_options.h"
#include "plugin/process_state.h"
#include "report/report.h"
#include "results/own_process.h"
#include "results/readable_rows.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::cli {
namespace {

/// A bar with simulated time, steps, step size and remaining time; of analyses without time the iterations and what is
/// left.
class RunProgress final : public RunObserver {
 public:
  RunProgress(bool quiet, const Simulation& simulation)
      : line_(quiet), simulation_(simulation), told_(simulation.warnings()) {}

  bool step(double t, double t_end, double h, long steps) override {
    if (simulation_.warnings().size() > told_.size()) tell();
    if (line_.due())
      line_.draw(t_end > 0 ? bar(t, t_end, h, steps) : fmt::format("{} iterations, {:.2e} left", steps, h));
    return !interrupt_requested();
  }
  void clear() { line_.clear(); }
  /// Warnings that were not told yet: who waits for a slow run wants to know at once what was found on the way.
  void tell() {
    clear();
    for (const std::string& warning : simulation_.warnings()) {
      if (std::find(told_.begin(), told_.end(), warning) != told_.end()) continue;
      fmt::print(stderr, "warning: {}\n", warning);
      told_.push_back(warning);
    }
  }

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
  const Simulation& simulation_;
  std::vector<std::string> told_;
};

/// What a plugin did to the process that the run needs. Not its results: those are Trammel's to write.
class Meddling {
 public:
  void look() {
    if (process_.is_copy()) {
      std::fputs(fmt::format("{}\n", OwnProcess::copied).c_str(), stderr);
      ::_exit(static_cast<int>(ErrorKind::plugin));  // no handler, no file: they are those of the process copied
    }
    const ProcessState now = ProcessState::current();
    for (const std::string& what : before_.differences(now, ProcessState::needed_by_runs)) {
      const Suspects suspects(end_record());
      std::fputs(fmt::format("warning: a plugin changed {}{}{}\n", what, suspects.count > 0 ? "; one of " : "",
                             suspects.count > 0 ? suspects.names : "")
                     .c_str(),
                 stderr);
    }
    before_ = now;
  }
  /// What changed since was the program itself.
  void forget() { before_ = ProcessState::current(); }

 private:
  ProcessState before_ = ProcessState::current();
  OwnProcess process_;
};

struct RunArguments : RunFileOptions {
  bool quiet = false, report = false;
  double checkpoint_every = 0;
  int threads = 1;
  std::filesystem::path restart;
};

int execute(const RunArguments& options) {
  if (options.report) require_viewer();  // before a long run, not after it
  const std::filesystem::path folder = options.results();
  const std::filesystem::path place = std::filesystem::absolute(folder);  // whatever folder plugins go to
  Meddling meddling;
  Simulation simulation(options.file, {options.sets, options.plugin_path, options.threads, options.trust});
  if (options.report) require_readable_rows(simulation.row_files(), options.file.string(), "--report");
  for (const std::string& warning : simulation.warnings()) fmt::print(stderr, "warning: {}\n", warning);
  meddling.look();
  watch_for_interrupt();
  meddling.forget();
  if (!options.restart.empty()) simulation.restart(options.restart);
  if (options.checkpoint_every > 0) simulation.checkpoint_every(options.checkpoint_every);
  simulation.write_results(place);
  RunProgress progress(options.quiet, simulation);
  const RunStatus status = simulation.run(&progress);
  progress.clear();
  meddling.look();

  if (!options.quiet) fmt::print("{}", simulation.report());
  const char* title = "Results:";
  for (const std::string& name : options.quiet ? std::vector<std::string>() : simulation.row_files())
    fmt::print("{} {}\n", std::exchange(title, "        "), (folder / name).string());
  if (!options.quiet) fmt::print("         {}\n", (folder / "summary.json").string());
  if (options.report) {
    const std::filesystem::path page = write_report(place);
    if (!options.quiet) fmt::print("         {}\n", page.string());
  }
  // Failures have one line, the rest is in the summary.
  if (status == RunStatus::completed) progress.tell();
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
  declare_trust(app, *options);
  declare_guard(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
