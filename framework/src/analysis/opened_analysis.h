// OpenedAnalysis: an analysis that a plugin brings, in the place of the kernel's own.
#pragma once

#include "analysis/analysis_run.h"
#include "analysis/dynamics.h"
#include "model/component.h"
#include "plugin/create.h"
#include "trammel/analysis.h"
#include "trammel/extensions/linear_systems.h"

namespace trammel {

class OpenedAnalysis final : public AnalysisRun {
 public:
  /// [setup] Creates the component of the run file. Throws Error as make_component does.
  OpenedAnalysis(const RunFile& run, PluginHost& host, Model& model);
  ~OpenedAnalysis() override;

  Accepts accepts() const override;
  bool over_time() const override { return traits_.over_time; }
  bool searches() const override { return !traits_.over_time; }
  bool exact_between_steps() const override { return traits_.over_time && !follows_dynamics(); }
  std::vector<double> watched_times() const override;
  void at_time(double t) override;
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
  bool search(Engine* engine, const SearchProgress& progress, SearchOutcome& outcome) override;
  bool found() const override { return found_; }
  std::string explain_end(const Engine& engine) const override;
  std::vector<NamedResult> results() const override;
  void write(const std::filesystem::path& folder) const override;

 private:
  class Sight;
  class Motion;
  Analysis& opened() const { return component_.as<Analysis>(); }
  [[noreturn]] void refuse_plugin(const std::string& text) const;
  EngineParts motion(const AnalysisParts& parts);
  /// The run file's integrator carries the motion on, and the plugin sees it at times.
  bool follows_dynamics() const;

  Component component_;
  AnalysisTraits traits_;
  SeesDynamics* sees_;
  Dynamics dynamics_;
  Index times_seen_ = 0;
  std::string what_;  ///< in messages
  std::unique_ptr<Sight> sight_;
  std::unique_ptr<Motion> motion_;
  bool found_ = false;
};

}  // namespace trammel
