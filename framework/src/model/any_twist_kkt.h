// AnyTwistKkt: implicit KKT matrices in twists, of spatial or planar models.
#pragma once

#include <memory>

#include "trammel/kkt_solver.h"

namespace trammel {

class Linearization;
class ModelKkt;

/// [M + c1 C + c0 K, Phi_q^T; Phi_q, 0] as ImplicitKkt has it, without rows left out. Of the linearization it needs a, lambda
/// and the gradients of forces only.
class AnyTwistKkt {
 public:
  virtual ~AnyTwistKkt() = default;
  /// [step] At the model's point, for which `kkt` need not have all rows. `singular`: not this way.
  virtual Status prepare(const KktMatrix& kkt, double c0, double c1) = 0;
  /// [hot] lambda may be empty.
  virtual void solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) = 0;
};

/// [setup] Null where the system or the structure does not allow it.
std::unique_ptr<AnyTwistKkt> make_twist_kkt(Linearization& linearization, const ModelKkt& kkt);

}  // namespace trammel
