// BothLevels: a constraint's position rows and velocity rows as one block of rows, as the kernel's views have them.
#pragma once

#include "trammel/constraint.h"
#include "trammel/extensions/velocity_rows.h"

namespace trammel {

/// The constraint's own rows first, then those of VelocityRows with Phi = 0, Phi_q = B, nu = b, Phi_tq = -b_q and
/// Phi_tt = B_t v + b_q v - b_t, so that Phi_tq v + Phi_tt is the change of B v - b with time, as it is for the others.
/// Extensions are those of the constraint.
class BothLevels final : public Constraint {
 public:
  /// [setup] Both outlive it; `velocity` is an extension of `constraint`.
  BothLevels(const Constraint& constraint, const VelocityRows& velocity)
      : constraint_(constraint),
        velocity_(velocity),
        position_rows_(constraint.rows()),
        velocity_rows_(velocity.velocity_row_count()),
        bodies_(constraint.body_count()) {}

  Index rows() const override { return position_rows_ + velocity_rows_; }
  Index body_count() const override { return bodies_; }
  BodyRef body(Index i) const override { return constraint_.body(i); }
  bool rheonomic() const override { return constraint_.rheonomic() || velocity_.velocity_rows_driven(); }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override;
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override;
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override;
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override;
  Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                          const ConstraintTimeDerivatives& out) const override;
  const void* extension(const char* id) const override { return constraint_.extension(id); }

 private:
  const Constraint& constraint_;
  const VelocityRows& velocity_;
  Index position_rows_, velocity_rows_, bodies_;
};

}  // namespace trammel
