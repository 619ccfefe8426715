// SettlingForce: damping in proportion to the masses, which leads a motion to rest.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "model/extra_force.h"

namespace trammel {

/// Q = -c M v: all motions lose the share c of their momentum per second, whatever the unit of length is.
class SettlingForce final : public ExtraForce {
 public:
  /// [setup] c in 1/s.
  SettlingForce(const Assembly& assembly, double damping);
  void add(const ModelPoint& point, VectorView Q) override;
  void add_gradients(const ModelPoint& point, VectorView K, VectorView C) override;
  double dissipation(const ModelPoint& point) const override;

 private:
  double damping_;
  std::vector<double> momentum_, blocks_;
};

}  // namespace trammel
