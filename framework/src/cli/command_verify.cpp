// `trammel verify`: a run, the same motion in other ways, and how many digits of every channel hold.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/run_file_options.h"
#include "results/readable_rows.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"
#include "verify/verification.h"

namespace trammel::cli {
namespace {

/// One line that says which way is gone and how far it is.
class VerifyProgress final : public VerifyObserver, public RunObserver {
 public:
  explicit VerifyProgress(bool quiet) : line_(quiet) {}

  void begin(const std::string& what) override { line_.draw(what_ = what); }
  bool step(double t, double t_end, double h, long steps) override {
    if (line_.due()) {
      line_.draw(what_ + "  " +
                 (t_end > 0 ? fmt::format("{:3.0f}%  t = {:.4g} of {:g} s  {} steps  h = {:.2e}", 100 * t / t_end, t,
                                          t_end, steps, h)
                            : fmt::format("{} iterations, {:.2e} left", steps, h)));
    }
    return !interrupt_requested();
  }
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  std::string what_;
};

struct VerifyArguments : RunFileOptions {
  bool quiet = false;
};

int execute(const VerifyArguments& options) {
  const std::filesystem::path folder = options.results();
  // Whatever folder plugins go to.
  const std::filesystem::path place = std::filesystem::absolute(folder), file = std::filesystem::absolute(options.file);
  watch_for_interrupt();
  VerifyProgress progress(options.quiet);
  {
    Simulation simulation(options.file, {options.sets, options.plugin_path, 1, options.trust});
    require_readable_rows(simulation.row_files(), options.file.string(), "verification");
    simulation.write_results(place);
    progress.begin("the run itself");
    const RunStatus status = simulation.run(&progress);
    progress.clear();
    for (const std::string& warning : simulation.warnings()) fmt::print(stderr, "warning: {}\n", warning);
    if (status != RunStatus::completed) {
      fmt::print(stderr, "{}: {}\n", options.file.string(), simulation.message());
      if (status == RunStatus::interrupted) return exit_interrupted;
      return static_cast<int>(simulation.failed_by_plugin() ? ErrorKind::plugin : ErrorKind::compute);
    }
  }
  Verification result;
  try {
    result = verify_run({file, options.sets, options, place}, progress);
  } catch (const Error&) {
    if (!interrupt_requested()) throw;
    progress.clear();
    fmt::print(stderr, "{}: interrupted during verification\n", options.file.string());
    return exit_interrupted;
  }
  progress.clear();
  if (!options.quiet) fmt::print("{}Results: {}\n", to_text(result), (folder / "verification.json").string());
  if (result.good()) return 0;
  fmt::print(stderr, "{}: {}: {}\n", options.file.string(), verdict_name(result.verdict), result.text);
  return static_cast<int>(ErrorKind::compute);
}

}  // namespace

Action declare_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyArguments>();
  declare_run_file(app, *options);
  app.add_flag("--quiet", options->quiet, "No progress and no table");
  declare_plugin_path(app, *options);
  declare_trust(app, *options);
  declare_guard(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
