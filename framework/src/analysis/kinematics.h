// Kinematics: drivers determine the motion.
#pragma once

#include "analysis/analysis_run.h"
#include "analysis/kinematic_motion.h"

namespace trammel {

/// [setup] For motions without an error estimate: steps of `grid` s, shorter ones where they fail.
StepControlOptions control_without_error(double grid, double duration);

class Kinematics : public AnalysisRun {
 public:
  Accepts accepts() const override;
  bool over_time() const override { return true; }
  bool exact_between_steps() const override { return true; }
  std::optional<EngineParts> begin(const AnalysisParts& parts) override;
  std::vector<std::string> default_channels(const Assembly& assembly) const override;
  std::string explain_refusal(const Model& model) const override;
  std::string explain_end(const Engine& engine) const override;

 private:
  Plant* plant_ = nullptr;
  double duration_ = 0;
  /// Takes the integrator's place.
  std::unique_ptr<KinematicMotion> motion_;
};

}  // namespace trammel
