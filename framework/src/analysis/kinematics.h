// Kinematics: drivers determine the motion.
#pragma once

#include "analysis/analysis.h"
#include "analysis/kinematic_motion.h"

namespace trammel {

class Kinematics : public Analysis {
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
