// `trammel study`: many runs by worker processes or an array job; one case; queries of what came of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/end_record.h"
#include "cli/interrupt.h"
#include "cli/study_command.h"
#include "study/array_job.h"
#include "study/case_run.h"
#include "study/store.h"
#include "study/worker.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct StudyCommand : StudyArguments {
  std::string only_case, query, chunk;
  int worker_of = 0;
  bool shows = false, dump = false, slurm = false, wait = false;
  std::vector<std::string> sbatch;
  std::size_t most_chunks = 1001;
};

class Interruptible final : public RunObserver {
 public:
  bool step(double, double, double, long) override { return !interrupt_requested(); }
};

class QuietObserver final : public StudyObserver {
 public:
  bool stop() override { return interrupt_requested(); }
};

std::string time_is_over;  ///< what is said then

/// The limits that the case has in the study. A case without end may be anywhere, also in a plugin.
void limit_this_process(const CaseLimits& limits) {
  limit_memory(limits.memory);
  if (limits.time <= 0) return;
  time_is_over = out_of_time(limits) + "\n";
  std::signal(SIGALRM, [](int) {
    if (::write(STDERR_FILENO, time_is_over.data(), time_is_over.size()) < 0) end_process(1);
    end_process(static_cast<int>(ErrorKind::compute));
  });
  const double whole = std::floor(std::min(limits.time, 1e9));
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec =
      std::max<suseconds_t>(1, static_cast<suseconds_t>(1e6 * (std::min(limits.time, 1e9) - whole)));
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

template <class Run>
CaseOutcome run_within_memory(const StudyFile& study, const Run& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::compute, too_much_memory(study.limits));
  }
}

int run_one(const StudyCommand& command) {
  Interruptible observer;
  const StudyFile study = study_of_worker(command);
  const StudyCase* c = study.find_case(command.only_case);
  if (c == nullptr)
    throw Error(ErrorKind::usage, fmt::format("{}: there is no case '{}'", study.file.string(), command.only_case));
  limit_this_process(study.limits);
  const CaseOutcome outcome = run_within_memory(study, [&] {
    return CaseRuns(study, std::filesystem::absolute(command.results()), command)
        .run(*c, CaseKeys(study).of(*c), observer);
  });
  const std::string message = outcome.record.value("message", "");
  if (!message.empty()) fmt::print(stderr, "{}\n", message);
  if (study.keep == Keep::numbers) fmt::print("{}\n", outcome.record.dump(2));
  return outcome.code;
}

int work(const StudyCommand& command) {
  Interruptible observer;
  const StudyFile study = study_of_worker(command);
  return serve_cases(study, command.results(), command, command.worker_of, observer);
}

int run_chunk_of(const StudyCommand& command) {
  const std::size_t slash = command.chunk.find('/');
  const auto number = [&](const std::string& text) -> std::size_t {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos)
      throw Error(ErrorKind::usage,
                  fmt::format("--chunk {}: expected NUMBER/COUNT, as '--slurm' writes it", command.chunk));
    return std::stoul(text);
  };
  const std::size_t k = number(command.chunk.substr(0, slash));
  const std::size_t n = number(slash == std::string::npos ? "" : command.chunk.substr(slash + 1));
  if (k >= n) throw Error(ErrorKind::usage, fmt::format("--chunk {}: chunks count from 0", command.chunk));
  const StudyFile study = study_of_worker(command);
  WorkerSetup setup = workers_of(command, study);
  setup.logs /= fmt::format("chunk-{}", k);
  LocalEngine engine(setup);
  QuietObserver observer;
  const StudyOptions how{command.results(), command, !command.no_timing};
  return run_chunk(study, how, k, n, engine, observer) ? 0 : exit_interrupted;
}

int run_array(const StudyCommand& command) {
  ArrayEngine* array = nullptr;
  const MakeEngine make = [&](const StudyFile& study, const WorkerSetup& setup) {
    ArrayOptions options{setup.command.front(), command.sbatch, command.most_chunks, command.wait, !command.no_timing};
    auto made =
        std::make_unique<ArrayEngine>(study, StudyOptions{command.results(), command, !command.no_timing}, options);
    array = made.get();
    return made;
  };
  return execute_study(command, make, [&](const StudyResult& result) {
    if (!array->note().empty() && !command.quiet) fmt::print("{}\n", array->note());
    const bool tables = command.wait || array->note().empty() || !result.interrupted;
    return StudyEnd{tables ? -1 : 0, array->failure()};
  });
}

/// A job of Slurm runs the same cases; what is done twice is the same, and the time of one of them is lost.
void tell_of_jobs(const StudyCommand& command) {
  std::vector<std::string> jobs;
  try {
    jobs = jobs_on_their_way(command.results());
  } catch (const Error&) {
    return;  // Slurm is not here
  }
  if (!jobs.empty())
    fmt::print(stderr, "remark: job {} of this study is on its way and runs the same cases\n", fmt::join(jobs, ", "));
}

int execute(const StudyCommand& command) {
  if (command.dump || command.shows) {
    fmt::print("{}", command.dump ? canonical_dump(command.results()) : query_text(command.results(), command.query));
    return 0;
  }
  if (command.worker_of != 0 || !command.only_case.empty() || !command.chunk.empty()) {
    watch_for_interrupt();
    return command.worker_of != 0 ? work(command) : !command.chunk.empty() ? run_chunk_of(command) : run_one(command);
  }
  if (command.slurm && command.report && !command.wait)
    throw Error(ErrorKind::usage, "--report with --slurm needs --wait: there are no results before the job has ended");
  if (command.slurm) return run_array(command);
  if (!command.gather) tell_of_jobs(command);
  return execute_study(command, [&](const StudyFile&, const WorkerSetup& setup) -> std::unique_ptr<CaseEngine> {
    if (command.gather) return std::make_unique<NoEngine>();
    return std::make_unique<LocalEngine>(setup);
  });
}

}  // namespace

Action declare_study(CLI::App& app) {
  auto options = std::make_shared<StudyCommand>();
  declare_study_options(app, *options);
  declare_guard(app, *options);
  CLI::Option* one = app.add_option("--case", options->only_case, "Run this case alone, in this process; no tables")
                         ->type_name("NAME");
  CLI::Option* show =
      app.add_option("--show", options->query, "Print the rows of a query of DIR/study.db: \"SELECT * FROM results\"")
          ->type_name("SQL");
  CLI::Option* dump =
      app.add_flag("--dump", options->dump, "Print all of DIR/study.db that does not depend on the clock, to compare");
  CLI::Option* slurm = app.add_flag("--slurm", options->slurm, "Submit the cases as an array job of Slurm, and return");
  app.add_flag("--wait", options->wait, "With --slurm: wait for the job and gather")->needs(slurm);
  app.add_option("--sbatch", options->sbatch,
                 "With --slurm: an option that goes on to sbatch (--sbatch=--partition=long)")
      ->type_name("OPTION")
      ->needs(slurm);
  app.add_option("--chunks", options->most_chunks, "With --slurm: at most so many tasks (the site's MaxArraySize)")
      ->type_name("N")
      ->check(CLI::Range(1, 4000000))
      ->needs(slurm);
  CLI::Option* gather =
      app.add_flag("--gather", options->gather, "Run nothing: tables of what array jobs and earlier runs have done");
  app.add_option("--chunk", options->chunk, "One task of an array job")->type_name("K/N")->group("");
  app.add_option("--worker", options->worker_of, "A worker of the process of this number, as studies start them")
      ->type_name("PID")
      ->group("");
  // What would be ignored is refused: each of these does one thing.
  const std::vector<CLI::Option*> doings = {show, dump, one, gather, slurm};
  for (std::size_t i = 0; i < doings.size(); ++i) {
    for (std::size_t j = i + 1; j < doings.size(); ++j) doings[i]->excludes(doings[j]);
    doings[i]->excludes(app.get_option("--jobs"));  // of Slurm: --sbatch=--cpus-per-task=N
  }
  for (CLI::Option* without_tables : {show, dump, one}) {
    for (const char* of_tables : {"--report", "--no-timing"}) without_tables->excludes(app.get_option(of_tables));
  }
  return [options, show] {
    options->shows = show->count() > 0;
    return execute(*options);
  };
}

}  // namespace trammel::cli
