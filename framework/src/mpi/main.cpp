// The executable `trammel-mpi`: `mpirun -np N trammel-mpi study STUDY`. Its processes run no case themselves: each has a
// worker, a process of `trammel` beside it.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/interrupt.h"
#include "cli/study_command.h"
#include "mpi/mpi_engine.h"
#include "trammel/error.h"
#include "version.h"

namespace {

int run(int argc, char** argv, int rank) {
  CLI::App app("Studies by the processes of an MPI job: mpirun -np N trammel-mpi study STUDY.", "trammel-mpi");
  app.set_version_flag("--version", std::string("trammel-mpi ") + trammel::version());
  app.require_subcommand(1);
  CLI::App* sub = app.add_subcommand("study", "Run many cases: tables of metrics, expectations judged");
  trammel::cli::StudyArguments arguments;
  trammel::cli::declare_study_options(*sub, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return rank == 0 ? app.exit(success) : 0;
  } catch (const CLI::ParseError& error) {
    if (rank == 0)
      fmt::print(stderr, "trammel-mpi: {}\nRun 'trammel-mpi study --help' for the options.\n", error.what());
    return static_cast<int>(trammel::ErrorKind::usage);
  }
  if (rank == 0) {
    return trammel::cli::execute_study(arguments, [](const trammel::StudyFile&, const trammel::WorkerSetup& setup) {
      return std::make_unique<trammel::MpiEngine>(setup);
    });
  }
  trammel::cli::watch_for_interrupt();  // rank 0 tells when to stop
  trammel::serve_rank([&] {
    const trammel::StudyFile study = trammel::cli::study_of_worker(arguments);
    trammel::WorkerSetup setup = trammel::cli::workers_of(arguments, study);
    setup.log_prefix = fmt::format("rank-{}", rank);
    return setup;
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, code = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    code = run(argc, argv, rank);
  } catch (const trammel::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    code = static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "trammel-mpi: unexpected failure: {}\n", error.what());
    code = static_cast<int>(trammel::ErrorKind::compute);
  }
  if (rank == 0) trammel::release_ranks();
  MPI_Finalize();
  return code;
}
