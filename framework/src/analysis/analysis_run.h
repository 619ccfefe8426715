// AnalysisRun: what a run does with a model - one object per run, one file pair per analysis.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/accepts.h"
#include "analysis/linearizer.h"
#include "config/run_file.h"
#include "model/archive.h"
#include "model/model.h"
#include "model/search_progress.h"
#include "results/run_remarks.h"
#include "results/static_report.h"
#include "run/plant/rank_monitor.h"
#include "run/stepping/engine.h"

namespace trammel {

/// What an analysis works on, for its whole life.
struct AnalysisParts {
  const RunFile& run;
  Model& model;
  Plant& plant;
  RunRemarks& remarks;
  const Integrator* integrator = nullptr;  ///< of the run file, where the analysis integrates
  std::string integrator_plugin{};
  StepControlOptions control{};
  MakeLinearizer linearizer{};
};

/// A number that an analysis found, for summary.json.
struct NamedResult {
  std::string name, unit;
  double value;
};

/// How a search for a state went so far.
struct SearchOutcome {
  bool interrupted = false, failed = false;
  bool by_plugin = false;
  std::string message;

  bool completed() const { return !interrupted && !failed; }
};

class AnalysisRun {
 public:
  virtual ~AnalysisRun() = default;
  /// What it takes of models and run files; everything else is refused by refuse_unaccepted.
  virtual Accepts accepts() const { return {}; }
  /// Whether integrator and formulation of the run file are created.
  bool integrates() const { return accepts().methods == Accepts::Methods::used; }
  /// Whether a motion goes on over time; otherwise there is one state.
  virtual bool over_time() const { return false; }
  /// Whether that state is looked for when the run goes on, by `search`; otherwise it is known when it has begun.
  virtual bool searches() const { return false; }
  /// Whether motions between the ends of steps are as exact as there.
  virtual bool exact_between_steps() const { return false; }
  /// [setup] At the consistent start. What the engine carries on, if anything does; its times are the caller's matter.
  /// Throws Error(input) with file, line and path: what the analysis does not accept.
  virtual std::optional<EngineParts> begin(const AnalysisParts& parts) = 0;
  /// [step] A part of the search; `engine` is the one that `begin` asked for. False: it is over.
  virtual bool search(Engine* engine, const SearchProgress& progress, SearchOutcome& outcome) {
    (void)engine, (void)progress, (void)outcome;
    return false;
  }
  /// Whether the search is over.
  virtual bool found() const { return false; }
  /// What is written where the run file chooses no channels; none: what the columns say.
  virtual std::vector<std::string> default_channels(const Assembly& assembly) const {
    (void)assembly;
    return {};
  }
  /// [setup] What may have made the start inconsistent, to be added to the failure's text, or "".
  virtual std::string explain_refusal(const Model& model) const {
    (void)model;
    return "";
  }
  /// [step] Why the motion ended before its time, or "": the engine's failure says all.
  virtual std::string explain_end(const Engine& engine) const {
    (void)engine;
    return "";
  }
  /// [setup] After `begin`: ascending times of the motion at which `at_time` is called, when the plant observes it there.
  virtual std::vector<double> watched_times() const { return {}; }
  virtual void at_time(double t) { (void)t; }
  /// Events of the run file, nullptr if there are none.
  virtual const RunEvents* events() const { return nullptr; }
  /// [step] What a checkpoint has to keep beside the engine's state: saves or restores it.
  virtual void remember(Archive& archive) { (void)archive; }
  /// What a search for a state found so far; nullptr: it is none.
  virtual const StaticReport* statics() const { return nullptr; }
  /// [step] Numbers of its own.
  virtual std::vector<NamedResult> results() const { return {}; }
  /// [step] Files of its own. Throws Error(compute).
  virtual void write(const std::filesystem::path& folder) const { (void)folder; }
};

/// [setup] The one that the run file asks for. Throws Error where a plugin does not bring it.
std::unique_ptr<AnalysisRun> make_analysis(const RunFile& run, PluginHost& host, Model& model);

}  // namespace trammel
