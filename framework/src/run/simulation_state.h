// Simulation::State: the parts of a run. Shared by the sources that implement Simulation.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "config/validate.h"
#include "plugin/breadcrumb.h"
#include "plugin/floating_point_mode.h"
#include "results/columns.h"
#include "results/csv_file.h"
#include "results/static_report.h"
#include "results/summary.h"
#include "run/kinematic_motion.h"
#include "run/last_look.h"
#include "run/run_events.h"
#include "run/watch.h"
#include "trammel/simulation.h"

namespace trammel {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

struct Simulation::State {
  State(RunFile described, const SimulationOptions& options);

  void create_methods();
  void refuse_control_keys(const IntegratorTraits& traits) const;
  void create_plant();
  /// Throws Error(plugin) if the floating-point mode is not what it was before any plugin was loaded.
  void require_floating_point_mode() const;
  void begin();
  void warn_of_unstable_feedback();
  /// After the engine's start: fixed steps on second-order and constrained views only.
  void warn_of_instability();
  void start_dynamics();
  void start_last_look();
  void start_engine(const EngineParts& parts);
  void start_kinematics();
  /// What functions of time do from `from` to the end of the run, of those from number `function` on.
  StepPlan::Times search_times(std::size_t function = 0, double from = 0);
  /// `who`: "an inverse dynamic analysis does not know; ..."
  void refuse_internal_states(const char* who) const;
  void refuse_rigid_stops() const;
  ConstVectorView static_z() const;
  void explain_kinematic_failure();
  bool is_static() const;
  bool seeks_equilibrium() const;
  EquilibriumMethod equilibrium_method() const;
  void begin_statics();
  void fail(const Error& error) {
    status = RunStatus::failed;
    message = error.what();
    by_plugin = error.kind() == ErrorKind::plugin;
  }
  /// Runs `call`, which evaluates plugins. What one of them throws is an Error that names it, and the run has failed.
  template <class Call>
  auto evaluate(Call&& call) -> decltype(call()) {
    try {
      return blamed(call);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::plugin) fail(error);
      throw;
    }
  }
  bool advance_statics();
  double rest_tolerance(double of_second) const;
  bool at_rest(double acceleration, double of_second, ConstVectorView q) const;
  bool settle();
  /// The end of a message, "velocities of ... are left; ...".
  std::string what_settling_left(double speed, double acceleration, bool failed, bool runs_away);
  void balance(const std::vector<double>& start);
  /// Another search, from beside an unstable equilibrium; false if there is nothing to leave.
  bool leave_unstable();
  Status minimize(VectorView q, double tolerance, const SearchProgress& progress);
  Status take_static_state();
  Status examine();
  std::string surplus_of_drivers() const;
  /// What is written where the run file chooses no channels; none: what the columns say.
  std::vector<std::string> default_channels() const;
  void begin_assembly();
  void record();
  /// One step. What happens at its end waits for the next one where `show` lies before the end: states inside the step
  /// are still to be had.
  bool advance(double show = std::numeric_limits<double>::infinity());
  bool observe_between(double t);
  /// At the end of advance_to. False: the run did not come so far, or failed.
  bool show(double t);
  /// The plant observes the end of the last step, whatever was shown before.
  void show_end_of_step();
  void refuse_time(double t, Landing landing) const;
  /// What `set_input` changed takes effect. False: the run fails.
  bool apply_inputs();
  /// Rows of the last step, without its end where something is pending there.
  bool write_outputs();
  bool tell_watches();
  /// To all of them, of the state observed last.
  void tell_watches(ChannelObserver::At at, double t, const Sample& now) {
    for (const std::unique_ptr<Watch>& watch : watches) watch->tell(at, t, now);
  }
  /// results.csv again, where `finish` closed it and the run goes on.
  void reopen_results();
  bool resume();
  void remember(Archive& archive);
  void remember_inputs(Archive& archive);
  /// Throws Error(input).
  std::size_t input(const std::string& name) const;
  /// The run stops before its end, where the state shown is.
  void interrupt();
  double time_shown() const { return given(shown) ? shown : t(); }
  /// Begins results.csv, or goes on with the one beside the checkpoint.
  void open_results(const std::filesystem::path& where);
  std::vector<std::string> header() const;
  void tell_start(Watch& watch);
  /// Throws Error(usage): `call` comes too late.
  void refuse_after_begin(const char* call) const;
  /// Writes one if it is due; `now`: in any case.
  void write_checkpoint_if_due(bool now);
  void fill_summary();
  /// Once, at the end of a run with fixed steps.
  void check_with_other_steps();
  /// What took the place of exact derivatives that elements do not have, or "".
  std::string about_differences() const;
  double t() const { return engine != nullptr && !statics_done ? engine->t() : 0; }
  double rounding() const { return 1e-12 * std::max(1.0, run.analysis.duration); }
  double h() const { return engine != nullptr ? engine->h() : 0; }
  /// Of the state shown.
  Sample sample_now() const { return given(shown) ? sample_between() : sample(h()); }
  Sample sample(double h) const {
    plant->finish_multipliers();
    return {&plant->observation(), h, last_look.energy.dissipated.value, last_look.energy.work.value};
  }
  /// Of the state inside the last step that `observe_between` left.
  Sample sample_between() const {
    plant->finish_multipliers();
    const EnergyMeter::Sums& sums = last_look.energy.at_row();
    return {&plant->observation(), engine->h(), sums.dissipated, sums.work};
  }

  Stopwatch since_start;
  FloatingPointMode floating_point = FloatingPointMode::current();
  RunFile run;
  PluginHost host;
  std::unique_ptr<Model> model;
  Component formulation, integrator;
  ViewKind view = ViewKind::constrained;  ///< that the integrator gets
  BoundParameters control;
  std::unique_ptr<Plant> plant;
  RankMonitor* rank_monitor = nullptr;  ///< of a model's plant
  /// Takes the integrator's place where drivers determine the motion.
  std::unique_ptr<KinematicMotion> kinematic_motion;
  std::unique_ptr<RunEvents> run_events;
  std::unique_ptr<Engine> engine;
  double slowness = 1;               ///< 1/s^2, of what acts where a search for an equilibrium begins; 1 at most
  double static_rounding = 0;        ///< what rounding leaves of accelerations at rest there, 1/s^2
  StaticReport statics;              ///< of equilibrium and modes
  RunObserver* observer = nullptr;   ///< while the run goes on
  std::vector<double> static_start;  ///< positions the search begins at
  std::vector<double> static_q;      ///< where they are taken; empty: at the plant's state
  bool statics_done = false;
  std::unique_ptr<StateBuffer> between;
  std::unique_ptr<Columns> columns;
  LastLook last_look;
  std::vector<double> values;
  double shown = left_out();  ///< a time inside the last step whose state is observed, instead of its end
  bool begun = false;         ///< a step was asked for
  std::vector<std::string> inputs;
  std::vector<std::string> new_inputs;  ///< set since the last step

  std::vector<std::unique_ptr<Watch>> watches;
  std::filesystem::path folder;  ///< of the results; empty: none are written
  std::unique_ptr<CsvFile> csv;
  double checkpoint_step = 0, next_checkpoint = 0;  ///< s; 0: none are written
  std::filesystem::path restarted_from;             ///< results.csv that goes with the checkpoint
  std::int64_t rows_end = 0;                        ///< bytes of it that belong to the time before the checkpoint
  long next_row = 1;                                ///< of the output times; row 0 is the initial state
  RunStatus status = RunStatus::completed;
  std::string message;
  bool by_plugin = false;
  Summary summary;
};

}  // namespace trammel
