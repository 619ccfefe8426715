// ModelConstraints: a model's constraints with their rows and Jacobian blocks, for formulations.
#pragma once

#include "model/model_point.h"
#include "trammel/extensions/system_constraints.h"

namespace trammel {

class ModelConstraints final : public SystemConstraints {
 public:
  /// [setup] `point` outlives it.
  explicit ModelConstraints(const ModelPoint& point)
      : point_(point), intrinsic_(static_cast<std::size_t>(point.assembly().bodies()), -1) {
    const BodyTable& table = point.assembly().table;
    for (Index row = 0; row < table.intrinsic_rows(); ++row) intrinsic_[number(table.intrinsic_body(row))] = row;
  }

  Index constraint_count() const override { return static_cast<Index>(point_.assembly().constraints.size()); }
  ConstraintPlace constraint(Index i) const override {
    const ConstraintSlot& slot = this->slot(i);
    return {slot.name.c_str(), slot.constraint, slot.first_row, slot.rows, slot.velocity_rows};
  }
  Index intrinsic_row(Index body) const override {
    const Index row = intrinsic_[number(body)];
    return row < 0 ? -1 : point_.assembly().element_rows() + row;
  }
  const void* body_state(Index body) const override { return point_.body_state(body); }
  const double* jacobian_block(Index i, Index attached) const override {
    return point_.jacobian_block(slot(i), attached).data;
  }
  const double* intrinsic_jacobian(Index body) const override {
    const Index row = intrinsic_[number(body)];
    return row < 0 ? nullptr : point_.intrinsic_jacobian(row);
  }

 private:
  static std::size_t number(Index i) { return static_cast<std::size_t>(i); }
  const ConstraintSlot& slot(Index i) const { return point_.assembly().constraints[number(i)]; }

  const ModelPoint& point_;
  std::vector<Index> intrinsic_;  ///< among the intrinsic rows, per body
};

}  // namespace trammel
