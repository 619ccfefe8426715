// `trammel study`: many runs by worker processes or an array job; one case; queries of what came of them.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
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
  bool dump = false, slurm = false, wait = false, gather = false;
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

int run_one(const StudyCommand& command) {
  Interruptible observer;
  const StudyFile study = study_of_worker(command);
  const StudyCase* c = study.find_case(command.only_case);
  if (c == nullptr)
    throw Error(ErrorKind::usage, fmt::format("{}: there is no case '{}'", study.file.string(), command.only_case));
  const CaseOutcome outcome =
      CaseRuns(study, std::filesystem::absolute(command.results()), command).run(*c, CaseKeys(study).of(*c), observer);
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
    return command.wait || array->note().empty() || !result.interrupted ? -1 : 0;
  });
}

int execute(const StudyCommand& command) {
  if (command.dump || !command.query.empty()) {
    fmt::print("{}", command.dump ? canonical_dump(command.results()) : query_text(command.results(), command.query));
    return 0;
  }
  if (command.worker_of != 0 || !command.only_case.empty() || !command.chunk.empty()) {
    watch_for_interrupt();
    return command.worker_of != 0 ? work(command) : !command.chunk.empty() ? run_chunk_of(command) : run_one(command);
  }
  if (command.slurm) return run_array(command);
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
  app.add_option("--case", options->only_case, "Run this case alone, in this process; no tables")->type_name("NAME");
  app.add_option("--show", options->query, "Print the rows of a query of DIR/study.db: \"SELECT * FROM results\"")
      ->type_name("SQL");
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
  app.add_flag("--gather", options->gather, "Run nothing: tables of what array jobs and earlier runs have done");
  app.add_option("--chunk", options->chunk, "One task of an array job")->type_name("K/N")->group("");
  app.add_option("--worker", options->worker_of, "A worker of the process of this number, as studies start them")
      ->type_name("PID")
      ->group("");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
