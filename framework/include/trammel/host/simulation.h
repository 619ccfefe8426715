// Simulation: one run as an object - load a run file, step it, look at its state, write its results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trammel/host/run_status.h"
#include "trammel/linalg.h"

namespace trammel {

class RunDescription;

/// Told about progress; any method may be left as it is.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// After every accepted step. False interrupts the run: results so far are kept, status `interrupted`. An analysis
  /// without time (an equilibrium, unless by settling) calls it after every iteration: `steps` is the number of
  /// iterations, t and t_end are 0, and h is the largest acceleration that is left (method newton: the length of the
  /// last step).
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
  /// here or goes over this time, 0 at the start. The values are those of results.csv at that time; where
  /// something jumps, those behind it.
  virtual void sample(At at, double t, double h, ConstVectorView values) = 0;
};

struct RunFigures;  ///< results/run_figures.h, no public header

struct SimulationOptions {
  std::vector<std::string> set;  ///< PATH=VALUE
  std::vector<std::filesystem::path> plugin_path;
  /// That a run may use: the kernel for models of some thousand bodies or elements, and components (Workers of
  /// trammel/extensions/host_services.h). The bits of a run do not depend on it.
  int threads = 1;
  /// Plugins of folders that the run file names (plugins.search) are loaded, too. Otherwise of those only that the user
  /// has trusted (`trammel trust`) or that are named in `plugin_path`, by TRAMMEL_PLUGIN_PATH, or installed: whoever wrote
  /// the run file would decide which code this process runs.
  bool trust = false;
};

/// How `advance_to` gets to its time.
enum class Landing {
  dense_output,  ///< steps as `run` takes them; the state shown is that of the last one's interpolant
  step_end       ///< the last step ends there, as it does at the end of a run
};

/// No globals, no output to the terminal, no exit. Any number of simulations may live side by side, be stepped in turn or
/// in threads of their own, without changing each other's bits; one simulation is used by one thread at a time. What a
/// plugin throws leaves every method as an Error(plugin) that names it.
class Simulation {
 public:
  /// Reads and validates the file, loads the plugins it names, builds the model and makes the initial state consistent.
  /// Throws Error.
  explicit Simulation(const std::filesystem::path& run_file, const SimulationOptions& options = {});
  /// The same of a description, which may change or end afterwards.
  explicit Simulation(const RunDescription& description, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Opens DIR (created if needed) and writes results there from now on: rows in `row_files`, summary.json. Only these
  /// files of an earlier run are replaced. Call it before the first step, once. Throws Error(compute) if it cannot be written.
  void write_results(const std::filesystem::path& folder);
  /// Names of the files of rows, one per writer of the run's output: results.csv unless it names others.
  std::vector<std::string> row_files() const;

  /// Hands the values of these columns of results.csv, whether selected for output or not, to `observer` from now on;
  /// in addition at `times` (ascending; those outside the run are left out). Call it before the first step, for each
  /// observer; it gets the initial state at once. Throws Error(input) naming a column that does not exist, and the
  /// nearest; or a time that does not ascend.
  void watch(const std::vector<std::string>& channels, const std::vector<double>& times, ChannelObserver& observer);

  /// Writes DIR/checkpoint.json after the first step at or behind every multiple of `seconds` of simulated time, and
  /// where the run is interrupted. Needs `write_results`, before or after; the first step throws Error(usage) without
  /// it. docs/checkpoints.md has the format. Throws Error(input): not > 0.
  void checkpoint_every(double seconds);
  /// Goes on from a checkpoint; before `write_results`, which then goes on with the files of rows beside it.
  /// Throws Error(input): another run file, other plugins, another kernel; an unreadable file.
  void restart(const std::filesystem::path& checkpoint);

  /// One accepted step. False: the run is over; see `status` and `message`. Throws Error(compute) if results cannot be
  /// written.
  bool step();
  /// Accepted steps up to time t >= time(). Afterwards time(), positions() and all else show the state at t; false: the
  /// run was over before, they show its last state. Landing::dense_output changes nothing about the steps of the
  /// method: results are those of `run`, bit by bit. Landing::step_end shortens the last step, never the method's next
  /// proposal; fixed steps on a grid end only on the grid.
  /// Throws as `step`, and Error(usage): t lies before time(), on no grid point, or the analysis does not run over
  /// time.
  bool advance_to(double t, Landing landing = Landing::dense_output, RunObserver* observer = nullptr);
  /// To the end; writes the summary if results are written. Throws as `step`.
  RunStatus run(RunObserver* observer = nullptr);
  /// What `run` does at its end, for runs that are driven by `step` and `advance_to`: closes results.csv and writes
  /// summary.json, if results are written. Before the end of the run the status becomes `interrupted`; the run may go
  /// on all the same, with the same rows, and finish again.
  RunStatus finish();

  /// Names of the functions of type `input` and of others that take their value from here (trammel/host/host_input.h).
  const std::vector<std::string>& inputs() const;
  double input(const std::string& name) const;
  /// From now on the input has this value: a jump at the end of the last step, after which the method starts again as
  /// it does after an event, once for all inputs set there. What is shown changes with the next step.
  /// Throws Error(input): no such input, the nearest; not finite. Error(usage): the state shown is not the end of a
  /// step.
  void set_input(const std::string& name, double value);

  /// A number of the run file by its dotted path, as `set` takes it ("system.forces.spring.stiffness",
  /// "parameters.length"); expressions count with their value. Throws Error(input): no such place, or no number there.
  double parameter(const std::string& path) const;
  /// From now on it has this value: model, methods and start are made anew as if the run file said so; what was shown
  /// before is void. Call it before write_results, watch, checkpoint_every, restart and the first step; while a run
  /// goes on, its events (`set`) and inputs change numbers. Throws Error as the constructor does, and nothing has
  /// changed then; Error(usage): too late.
  void set_parameter(const std::string& path, double value);

  RunStatus status() const;
  /// Empty, or why the run ended early.
  const std::string& message() const;
  /// Whether a plugin is to blame for the failure (exit code 3 of the command line).
  bool failed_by_plugin() const;
  const std::vector<std::string>& warnings() const;

  /// Of the state shown: the last accepted step, or where `advance_to` went.
  double time() const;
  double end_time() const;
  /// The state shown; the addresses stay the same for the whole run. Models: q and v = dq/dt of all bodies,
  /// accelerations and multipliers; problems without bodies: x and dx/dt, no multipliers.
  ConstVectorView positions() const;
  ConstVectorView velocities() const;
  ConstVectorView accelerations() const;
  ConstVectorView multipliers() const;
  /// Names of the selected output channels, and their values at the state shown.
  const std::vector<std::string>& channels() const;
  std::vector<double> channel_values();
  /// A few lines for people: what ran, how it ended, what it cost, how well constraints and energy were kept.
  std::string report();
  /// Degrees of freedom, redundant sets, unconnected bodies and motions without stiffness at the initial state, in a
  /// few lines; before the first step. "" for problems without bodies.
  std::string mobility();
  /// summary.json as it stands.
  std::string summary_json();
  /// What it says but for the long parts, without its text; for this library's own programs.
  void take_figures(RunFigures& figures);

 private:
  struct State;
  void tell_about_plugins();
  std::unique_ptr<State> state_;
};

}  // namespace trammel
