// StaticAnalysis: one state, found when the run goes on for the first time, and what small motions about it do.
#pragma once

#include "analysis/analysis_run.h"
#include "analysis/equilibrium_search.h"

namespace trammel {

class StaticAnalysis : public AnalysisRun {
 public:
  Accepts accepts() const override;
  bool searches() const override { return true; }
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
  bool search(Engine* engine, const SearchProgress& progress, SearchOutcome& outcome) override;
  bool found() const override { return done_; }
  const StaticReport* statics() const override { return &report_; }

 protected:
  explicit StaticAnalysis(std::optional<EquilibriumMethod> method) : search_(method) {}
  const AnalysisParts& parts() const { return *parts_; }
  const StaticReport& report() const { return report_; }
  /// [step] At the state found, which was observed: completes the report.
  virtual Status examine(StaticReport& report) = 0;
  /// [step] Where the equations that were linearized at the state change with what forces see of the last step, which
  /// contractions hold.
  void warn_of_last_step() const;

 private:
  /// At rest where an equilibrium was sought; otherwise the given state.
  Status take_state();

  std::optional<AnalysisParts> parts_;
  EquilibriumSearch search_;
  StaticReport report_;
  bool done_ = false;
};

/// [step] The report's stability, of an equilibrium that was linearized.
void judge(StaticReport& report);

}  // namespace trammel
