// Dynamics: the run file's integrator carries the motion on.
#pragma once

#include "analysis/analysis_run.h"
#include "run/stepping/run_events.h"

namespace trammel {

class Dynamics final : public AnalysisRun {
 public:
  Accepts accepts() const override { return {.methods = Accepts::Methods::used}; }
  bool over_time() const override { return true; }
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
  const RunEvents* events() const override { return events_.get(); }

 private:
  std::unique_ptr<RunEvents> events_;
};

}  // namespace trammel
