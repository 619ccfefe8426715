// Simulation::State: the parts of a run. Shared by the sources that implement Simulation.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis_run.h"
#include "config/validate.h"
#include "plugin/breadcrumb.h"
#include "plugin/floating_point_mode.h"
#include "results/run_outcome.h"
#include "results/run_remarks.h"
#include "results/start_report.h"
#include "run/checkpoint_file.h"
#include "run/inputs.h"
#include "run/last_look.h"
#include "run/methods.h"
#include "run/plant/model_start.h"
#include "run/recorder.h"
#include "run/shown_state.h"
#include "run/stepping/engine.h"
#include "trammel/host/simulation.h"

namespace trammel {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

struct Simulation::State {
  State(RunFile described, const SimulationOptions& options);

  void create_plant(std::optional<ModelStart> found);
  void begin(const FloatingPointMode& before);
  void warn_of_unstable_feedback();
  /// After the engine's start: fixed steps on second-order and constrained views only.
  void warn_of_instability();
  void start_last_look();
  void start_engine(const EngineParts& parts);
  /// What functions of time do from `from` to the end of the run, of those from number `function` on.
  StepPlan::Times search_times(std::size_t function = 0, double from = 0);
  /// Runs `call`, which evaluates plugins. What one of them throws is an Error that names it, and the run has failed.
  template <class Call>
  auto evaluate(Call&& call) -> decltype(call()) {
    try {
      return blamed(call);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::plugin) outcome.fail(error);
      throw;
    }
  }
  /// A part of the search for the one state of an analysis that has one; `observer` may interrupt it. False: it is over.
  bool advance_search(RunObserver* observer);
  MethodChannels method_channels() const { return engine != nullptr ? engine->method().channels() : MethodChannels(); }
  /// One step. What happens at its end waits for the next one where `show` lies before the end: states inside the step
  /// are still to be had.
  bool advance(double show = std::numeric_limits<double>::infinity(), RunObserver* observer = nullptr);
  bool observe_between(double t);
  /// At the end of advance_to. False: the run did not come so far, or failed.
  bool show(double t);
  /// The plant observes the end of the last step, whatever was shown before.
  void show_end_of_step();
  void refuse_time(double t, Landing landing) const;
  /// What `set_input` changed takes effect. False: the run fails.
  bool apply_inputs();
  /// Whether somebody looks at the last step.
  bool row_is_due() const;
  /// Rows of the last step, without its end where something is pending there.
  bool write_outputs();
  bool tell_watches();
  /// The last step to whoever looks inside steps, before what happens at its end.
  void look_inside();
  /// The files of rows again, where `finish` closed them and the run goes on.
  void reopen_results();
  bool resume();
  void remember(Archive& archive);
  /// The run stops before its end, where the state shown is.
  void interrupt();
  double time_shown() const { return shown.inside() ? shown.t() : t(); }
  /// Throws Error(usage): `call` comes too late.
  void refuse_after_begin(const char* call) const;
  /// Where checkpoints are wanted and the state is one to go on from.
  void write_checkpoint_if_due();
  void write_checkpoint_here();
  /// What all parts of the run have to tell goes to its remarks.
  void take_notes();
  /// summary.json, and the same for people in a few lines.
  std::string summary();
  std::string summary_text() const;
  /// What files of rows tell beside the rows when they begin.
  std::vector<std::pair<std::string, std::string>> notes_of_files() const;
  /// Once, at the end of a run with fixed steps.
  void check_with_other_steps();
  /// What took the place of exact derivatives that elements do not have, or "".
  std::string about_differences() const;
  double t() const { return engine != nullptr && !analysis->found() ? engine->t() : 0; }
  double rounding() const { return 1e-12 * std::max(1.0, run.analysis.duration); }
  double h() const { return engine != nullptr ? engine->h() : 0; }
  /// Of the state shown.
  Sample sample_now() const { return shown.inside() ? sample_between() : sample(h()); }
  Sample sample(double h) const {
    plant->finish_multipliers();
    return {&plant->observation(), h, last_look.energy.dissipated.value, last_look.energy.work.value};
  }
  /// Of the state inside the last step that `observe_between` left.
  Sample sample_between() const {
    plant->finish_multipliers();
    const EnergyBalance::Sums& sums = last_look.energy.at_row();
    return {&plant->observation(), engine->h(), sums.dissipated, sums.work};
  }

  RunFile run;
  PluginHost host;
  std::unique_ptr<Model> model;
  Methods methods;
  std::unique_ptr<Plant> plant;
  std::unique_ptr<AnalysisRun> analysis;
  std::unique_ptr<Engine> engine;
  Recorder recorder;
  LastLook last_look;
  ShownState shown;
  std::unique_ptr<Inputs> inputs;
  CheckpointSchedule checkpoints;
  StartReport start;
  RunOutcome outcome;
  RunRemarks remarks;
};

}  // namespace trammel
