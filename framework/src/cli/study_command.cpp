// A study from its file to its exit code, whichever engine runs it.
#include "cli/study_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "report/report.h"
#include "study/study_report.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// "[3 of 12 done, 2 running, 5 min to go] case", redrawn in place.
class StudyProgress final : public StudyObserver {
 public:
  explicit StudyProgress(bool quiet) : line_(quiet) {}

  void progress(std::size_t known, std::size_t done, std::size_t running, std::size_t total,
                const std::string& name) override {
    if (!line_.due()) return;
    std::string to_go;
    if (done > known && done < total) {
      const double per_case = line_.seconds_since_start() / static_cast<double>(done - known);
      const double seconds = per_case * static_cast<double>(total - done);
      const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(seconds);
      char clock[32];
      std::strftime(clock, sizeof clock, seconds < 43200 ? "%H:%M" : "%F %H:%M", std::localtime(&end));
      to_go = fmt::format(", {} to go, until {}", duration_text(seconds), clock);
    }
    line_.draw(fmt::format("[{} of {} done, {} running{}] {}", done, total, running, to_go, name));
  }
  bool stop() override { return interrupt_requested(); }
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
};

int tell(const StudyArguments& options, const StudyFile& study, const StudyResult& result, const StudyEnd& end) {
  if (result.interrupted) {
    const std::string why = !end.missing.empty() ? end.missing
                            : options.gather     ? "nothing was run (--gather)"
                                                 : "interrupted";
    fmt::print(stderr, "{}: {}; {} of {} cases are missing: {} continues with them\n", options.file.string(), why,
               result.missing(), result.records.size(),
               options.gather ? "the study without --gather" : "the same command");
    return exit_interrupted;
  }
  if (result.as_expected()) return 0;
  constexpr std::size_t most_told = 20;
  for (std::size_t i = 0; i < result.unexpected.size() && i < most_told; ++i) {
    const StudyCase* failed = study.find_case(result.unexpected[i]);
    const auto number = static_cast<std::size_t>(failed - study.cases.data());
    const std::string reason = result.records[number].value("message", "");
    fmt::print(stderr, "{}: case '{}' failed unexpectedly{}{}\n", study.file.string(), failed->name,
               reason.empty() ? "" : ": ", reason);
  }
  if (result.unexpected.size() > most_told)
    fmt::print(stderr, "{}: and {} more\n", study.file.string(), result.unexpected.size() - most_told);
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

void declare_study_options(CLI::App& app, StudyArguments& arguments) {
  app.add_option("STUDY", arguments.file, "Study file")->required();
  app.add_option("-o", arguments.folder, "Folder for the results (default: results/<name of the study>)")
      ->type_name("DIR");
  app.add_option("--jobs", arguments.jobs, "Worker processes: so many cases run at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--no-timing", arguments.no_timing, "Show expectations marked timing without judging them");
  app.add_flag("--report", arguments.report, "Write report.html beside the results: tables and diagrams");
  app.add_flag("--quiet", arguments.quiet, "No progress and no tables on the terminal");
  declare_plugin_path(app, arguments);
  declare_trust(app, arguments);
}

StudyFile study_of_worker(const StudyArguments& arguments) {
  Problems problems;
  StudyFile study = load_study_file(arguments.file, problems);
  problems.raise();
  return study;
}

WorkerSetup workers_of(const StudyArguments& arguments, const StudyFile& study) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "trammel";
  return worker_setup(study, program, arguments.results(), arguments, arguments.jobs);
}

int execute_study(const StudyArguments& arguments, const MakeEngine& make_engine) {
  return execute_study(arguments, make_engine, [](const StudyResult&) { return StudyEnd(); });
}

int execute_study(const StudyArguments& arguments, const MakeEngine& make_engine,
                  const std::function<StudyEnd(const StudyResult&)>& ended) {
  if (arguments.report) require_viewer();  // before many runs, not after them
  Problems problems;
  const StudyFile study = load_study_file(arguments.file, problems);
  if (problems.empty()) validate_study(study, arguments, problems);
  problems.raise();
  if (!arguments.quiet) {
    for (const std::string& remark : equal_cases(study))
      fmt::print(stderr, "{}: remark: {}\n", arguments.file.string(), remark);
  }
  watch_for_interrupt();
  const std::filesystem::path folder = arguments.results();
  StudyProgress progress(arguments.quiet);
  const StudyOptions how{folder, arguments, !arguments.no_timing};
  const std::unique_ptr<CaseEngine> engine = make_engine(study, workers_of(arguments, study));
  const StudyResult result = run_study(study, how, *engine, progress);
  progress.clear();
  const StudyEnd end = ended(result);
  if (end.code >= 0) return end.code;
  if (!arguments.quiet) {
    fmt::print("{}", study_text(study, result));
    fmt::print("Results: {}\n", (folder / "study.md").string());
  }
  if (arguments.report) {
    const std::filesystem::path page = write_report(folder);
    if (!arguments.quiet) fmt::print("         {}\n", page.string());
  }
  return tell(arguments, study, result, end);
}

}  // namespace trammel::cli
