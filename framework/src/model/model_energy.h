// ModelEnergy: energies and powers of a model at its point, and the reactions of its constraints.
#pragma once

#include <vector>

#include "model/model_point.h"
#include "record/observation.h"

namespace trammel {

/// A client of the point.
class ModelEnergy {
 public:
  /// [setup]
  explicit ModelEnergy(const ModelPoint& point);
  /// [step] Work of drivers needs the multipliers; without any it is left out.
  EnergyBudget budget(ConstVectorView lambda) const;
  /// [step] That work alone, W.
  double work_of_drivers(ConstVectorView lambda) const;

 private:
  const ModelPoint& point_;
  std::vector<double> power_;  // scratch, and one view per force and body into it, empty for ground
  std::vector<VectorView> power_views_;
};

/// [step] Generalized force of one constraint's reaction on one of its bodies: -Phi_q^T lambda.
void reaction(const ModelPoint& point, const ConstraintSlot& slot, Index attached, ConstVectorView lambda,
              VectorView force);

}  // namespace trammel
