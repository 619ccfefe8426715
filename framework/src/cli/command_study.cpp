// `trammel study`: many runs, in parallel processes; tables, verdicts, and the exit code that tells them.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/plugin_options.h"
#include "cli/progress_line.h"
#include "report/report.h"
#include "study/case_run.h"
#include "study/study.h"
#include "study/study_report.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct StudyArguments : PluginOptions {
  std::filesystem::path file, folder;
  std::string only_case;
  int jobs = 1;
  bool no_timing = false, quiet = false, report = false;
};

/// "[3 of 12 done, 2 running] case", redrawn in place.
class StudyProgress final : public StudyObserver {
 public:
  explicit StudyProgress(bool quiet) : line_(quiet) {}

  void progress(std::size_t done, std::size_t running, std::size_t total, const std::string& name) override {
    line_.draw(fmt::format("[{} of {} done, {} running] {}", done, total, running, name));
  }
  bool stop() override { return interrupt_requested(); }
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
};

class Interruptible final : public RunObserver {
 public:
  bool step(double, double, double, long) override { return !interrupt_requested(); }
};

const StudyCase& find_case(const StudyFile& study, const std::string& name) {
  const StudyCase* found = study.find_case(name);
  if (found != nullptr) return *found;
  throw Error(ErrorKind::usage, fmt::format("{}: there is no case '{}'", study.file.string(), name));
}

int execute(const StudyArguments& options) {
  if (options.report) require_viewer();  // before many runs, not after them
  Problems problems;
  const StudyFile study = load_study_file(options.file, problems);
  const std::filesystem::path folder =
      options.folder.empty() ? std::filesystem::path("results") / options.file.stem() : options.folder;
  const bool one = !options.only_case.empty();  // the study that starts it has validated everything
  if (problems.empty() && !one) validate_study(study, options, problems);
  problems.raise();
  watch_for_interrupt();
  if (one) {
    Interruptible observer;
    return run_case(study, find_case(study, options.only_case), std::filesystem::absolute(folder), options, &observer);
  }

  StudyProgress progress(options.quiet);
  const StudyOptions how{std::filesystem::read_symlink("/proc/self/exe"), folder, options, options.jobs,
                         !options.no_timing};
  const StudyResult result = run_study(study, how, progress);
  progress.clear();
  if (!options.quiet) {
    fmt::print("{}", study_text(study, result));
    fmt::print("Results: {}\n", (folder / "study.md").string());
  }
  if (options.report) {
    const std::filesystem::path page = write_report(folder);
    if (!options.quiet) fmt::print("         {}\n", page.string());
  }
  if (result.interrupted) {
    fmt::print(stderr, "{}: interrupted; the same command continues with the cases that are missing\n",
               options.file.string());
    return exit_interrupted;
  }
  if (result.as_expected()) return 0;
  for (const std::string& name : result.unexpected) {
    fmt::print(stderr, "{}: case '{}' failed unexpectedly\n", options.file.string(), name);
  }
  for (const ExpectationVerdict& verdict : result.verdicts) {
    if (verdict.outcome != ExpectationVerdict::Outcome::missed) continue;
    const Expectation& e = *verdict.expectation;
    fmt::print(stderr, "{}\n",
               message_at(e.node->place, e.path,
                          fmt::format("missed{}{}: obtained {}",
                                      verdict.case_name.empty() ? "" : " in case '" + verdict.case_name + "'",
                                      e.metric.empty() ? "" : " for '" + e.metric + "'",
                                      e.status >= 0 ? "status " + verdict.obtained_status
                                                    : fmt::format("{:.6g}", verdict.obtained))));
  }
  return static_cast<int>(ErrorKind::compute);
}

}  // namespace

Action declare_study(CLI::App& app) {
  auto options = std::make_shared<StudyArguments>();
  app.add_option("STUDY", options->file, "Study file")->required();
  app.add_option("-o", options->folder, "Folder for the results (default: results/<name of the study>)")
      ->type_name("DIR");
  app.add_option("--jobs", options->jobs, "Cases that run at the same time, each in a process of its own")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--case", options->only_case, "Run this case alone, in this process; no tables")->type_name("NAME");
  app.add_flag("--no-timing", options->no_timing, "Show expectations marked timing without judging them");
  app.add_flag("--report", options->report, "Write report.html beside the results: tables and diagrams");
  app.add_flag("--quiet", options->quiet, "No progress and no tables on the terminal");
  declare_plugin_path(app, *options);
  declare_trust(app, *options);
  declare_guard(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
