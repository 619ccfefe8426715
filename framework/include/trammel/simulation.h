// Simulation: one run as an object - load a run file, step it, look at its state, write its results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// Told about progress; any method may be left as it is.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// After every accepted step. False interrupts the run: results so far are kept, status `interrupted`.
  virtual bool step(double t, double t_end, double h, long steps) {
    (void)t, (void)t_end, (void)h, (void)steps;
    return true;
  }
};

/// Receives the values of chosen channels while a run goes on.
class ChannelObserver {
 public:
  /// What a sample is: the initial state, an accepted step, an output time, or a time that was asked for.
  enum class At { start, step, output, time };
  virtual ~ChannelObserver() = default;
  /// In time order within each kind; every kind's samples in a step come before the step itself. `h`: the step that led
  /// here or goes over this time, 0 at the start. The values are those of results.csv at that time.
  virtual void sample(At at, double t, double h, ConstVectorView values) = 0;
};

struct SimulationOptions {
  std::vector<std::string> set;                      ///< PATH=VALUE
  std::vector<std::filesystem::path> plugin_path;
};

enum class RunStatus { completed, failed, interrupted };

/// No globals, no output to the terminal, no exit. Single-threaded; the kernel runs one simulation at a time per process.
class Simulation {
 public:
  /// Reads and validates the file, loads the plugins it names, builds the model and makes the initial state consistent.
  /// Throws Error.
  explicit Simulation(const std::filesystem::path& run_file, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Opens DIR (created if needed) and writes results there from now on: results.csv, summary.json. Only these files of
  /// an earlier run are replaced. Throws Error(compute) if it cannot be written.
  void write_results(const std::filesystem::path& folder);

  /// Hands the values of these columns of results.csv, whether selected for output or not, to `observer` from now on;
  /// besides at `times` (ascending; those outside the run are left out). Call it before the first step, once; the observer
  /// gets the initial state at once. Throws Error(input) naming a column that does not exist, and the nearest.
  void watch(const std::vector<std::string>& channels, const std::vector<double>& times, ChannelObserver& observer);

  /// Writes DIR/checkpoint.json after the first step at or behind every multiple of `seconds` of simulated time, and where the
  /// run is interrupted; after `write_results`. docs/checkpoints.md has the format.
  void checkpoint_every(double seconds);
  /// Goes on from a checkpoint; before `write_results`, which then goes on with the rows of the results.csv beside it.
  /// Throws Error(input): another run file, other plugins, another kernel; an unreadable file.
  void restart(const std::filesystem::path& checkpoint);

  /// One accepted step. False: the run is over; see `status` and `message`. Throws Error(compute) if results cannot be
  /// written.
  bool step();
  /// To the end; writes the summary if results are written. Throws as `step`.
  RunStatus run(RunObserver* observer = nullptr);

  RunStatus status() const;
  /// Empty, or why the run ended early.
  const std::string& message() const;
  /// Whether a plugin is to blame for the failure (exit code 3 of the command line).
  bool failed_by_plugin() const;
  const std::vector<std::string>& warnings() const;

  double time() const;
  double end_time() const;
  /// State at the last accepted step. Models: q and v = dq/dt of all bodies, accelerations and multipliers; problems
  /// without bodies: x and dx/dt, no multipliers.
  ConstVectorView positions() const;
  ConstVectorView velocities() const;
  ConstVectorView accelerations() const;
  ConstVectorView multipliers() const;
  /// Names of the selected output channels, and their values at the last accepted step.
  const std::vector<std::string>& channels() const;
  std::vector<double> channel_values();
  /// A few lines for people: what ran, how it ended, what it cost, how well constraints and energy were kept.
  std::string report();
  /// Degrees of freedom, redundant sets, unconnected bodies and motions without stiffness at the initial state, in a few
  /// lines; before the first step. "" for problems without bodies.
  std::string mobility();
  /// summary.json as it stands.
  std::string summary_json();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trammel
