// Equilibrium: a static equilibrium and its stability.
#pragma once

#include "analysis/static_analysis.h"

namespace trammel {

class Equilibrium final : public StaticAnalysis {
 public:
  explicit Equilibrium(const AnalysisOptions& options);
  std::vector<std::string> default_channels(const Assembly& assembly) const override;

 private:
  Status examine(StaticReport& report) override;
};

}  // namespace trammel
