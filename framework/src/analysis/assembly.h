// Assembly: the consistent start and nothing else.
#pragma once

#include "analysis/analysis_run.h"

namespace trammel {

class AssemblyAnalysis final : public AnalysisRun {
 public:
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
};

}  // namespace trammel
