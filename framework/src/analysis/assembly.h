// Assembly: the consistent start and nothing else.
#pragma once

#include "analysis/analysis.h"

namespace trammel {

class AssemblyAnalysis final : public Analysis {
 public:
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
};

}  // namespace trammel
