// ModelDerivatives: the roles of ConstrainedModel that implicit methods ask for, at the model's point.
#pragma once

#include "trammel/constrained_linearization.h"
#include "trammel/implicit_solve.h"

namespace trammel {

struct ModelParts;

/// Only hands through to the parts.
class ModelDerivatives final : public ConstrainedLinearization,
                               public InternalStateLinearization,
                               public ImplicitSolve {
 public:
  /// [setup] `parts` outlive this object.
  explicit ModelDerivatives(ModelParts& parts) : parts_(parts) {}

  Status linearize(ConstVectorView a, ConstVectorView lambda) override;
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) override;
  Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) override;
  Status apply_time_jacobian(ConstVectorView y, VectorView out) override;
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override;
  Status apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                      VectorView r) override;
  Status internal_time_gradient(VectorView r) override;
  using ImplicitSolve::prepare, ImplicitSolve::solve_implicit;
  Status prepare(Index first, const Shift* shifts, Index count) override;
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                ComplexView lambda) override;

 private:
  ModelParts& parts_;
};

}  // namespace trammel
