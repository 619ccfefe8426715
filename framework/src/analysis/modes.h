// Modes: small motions about a state, an equilibrium or not.
#pragma once

#include "analysis/static_analysis.h"

namespace trammel {

class Modes final : public StaticAnalysis {
 public:
  explicit Modes(const AnalysisOptions& options);
  Accepts accepts() const override;
  void write(const std::filesystem::path& folder) const override;

 private:
  Status examine(StaticReport& report) override;
  /// The state is one of a motion: what its modes mean.
  void warn_of_motion() const;
  /// There modes are those seen from axes in which a motion with a steady spin has constant equations.
  Status take_steady_axes(StaticReport& report);
};

}  // namespace trammel
