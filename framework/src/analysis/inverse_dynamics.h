// InverseDynamics: the motion that drivers determine, and the forces and torques that it takes.
#pragma once

#include "analysis/kinematics.h"

namespace trammel {

class InverseDynamics final : public Kinematics {
 public:
  Accepts accepts() const override;
  std::vector<std::string> default_channels(const Assembly& assembly) const override;
};

}  // namespace trammel
