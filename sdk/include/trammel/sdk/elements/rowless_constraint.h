// RowlessConstraint: a constraint that adds no row to the model; the kernel acts on what its extensions say.
#pragma once

#include "trammel/constraint.h"

namespace trammel::sdk {

/// Base of elements that are constraints for a moment only, such as impacts (UnilateralContact). All of it is [hot] and
/// throws nothing.
class RowlessConstraint : public Constraint {
 public:
  Index rows() const override { return 0; }
  Status evaluate(const ElementState&, const ConstraintOutput&) const override { return Status::success(); }
  Status jacobian_gradient(const ElementState&, const ConstVectorView*, const MatrixView*) const override {
    return Status::success();
  }
  Status multiplier_gradient(const ElementState&, ConstVectorView, const MatrixView* out) const override {
    for (Index k = 0; k < 4; ++k) {
      if (out[k]) out[k].map().setZero();
    }
    return Status::success();
  }
  Status acceleration_gradient(const ElementState&, const ConstVectorView*, const MatrixView*,
                               const MatrixView*) const override {
    return Status::success();
  }
};

}  // namespace trammel::sdk
