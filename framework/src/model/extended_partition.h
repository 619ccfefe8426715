// The partition of a model whose internal states are the rates of further coordinates s: these are always independent.
// And its rows that hold for velocities only.
#pragma once

#include "model/constrained_model.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/extensions/velocity_level.h"

namespace trammel {

/// Of ExtendedModel. Constraints do not depend on s: the bodies' coordinates are parted as without it.
class ExtendedPartition final : public PartitionSolve, public PartitionQuality, public CoordinateSizes {
 public:
  /// [setup] `model` outlives it.
  explicit ExtendedPartition(ConstrainedModel& model)
      : ExtendedPartition(model, model.parts().partition, model.parts().partition) {}
  ExtendedPartition(ConstrainedModel& model, PartitionSolve& solve, PartitionQuality& quality)
      : model_(model), solve_(solve), quality_(quality), n_(model.coordinates()), nz_(model.internal_states()) {}

  Status choose_partition(ConstVectorView forced, VectorView independent) override {
    states(independent).map().setOnes();
    return solve_.choose_partition(own(forced), own(independent));
  }
  Status factorize_dependent(ConstVectorView independent) override {
    return solve_.factorize_dependent(own(independent));
  }
  void solve_dependent(ConstVectorView r, VectorView x) override {
    solve_.solve_dependent(r, own(x));
    states(x).map().setZero();
  }
  void solve_dependent_transpose(ConstVectorView f, VectorView y) override {
    solve_.solve_dependent_transpose(own(f), y);
  }
  double dependent_condition(VectorView guess) override { return solve_.dependent_condition(guess); }

  void scales(VectorView scale) const override {
    constexpr double immense = 1e300;  // no change of s is large
    quality_.scales(own(scale));
    states(scale).map().setConstant(immense);
  }
  Status choose_scaled(ConstVectorView scale, ConstVectorView forced, VectorView independent) override {
    states(independent).map().setOnes();
    return quality_.choose_scaled(own(scale), own(forced), own(independent));
  }
  double amplification(ConstVectorView scale, ConstVectorView independent, VectorView probe) override {
    return quality_.amplification(own(scale), own(independent), own(probe));
  }

  double largest_coordinate(ConstVectorView dq) const override { return model_.unit().largest_coordinate(own(dq)); }
  double largest_row(ConstVectorView Phi) const override { return model_.unit().largest_row(Phi); }

 private:
  template <class View>
  View own(View x) const {
    return x.size == 0 ? View{} : x.segment(0, n_);
  }
  VectorView states(VectorView x) const { return x.segment(n_, nz_); }

  ConstrainedModel& model_;
  PartitionSolve& solve_;
  PartitionQuality& quality_;
  Index n_, nz_;
};

/// Of ExtendedModel: rows do not depend on s.
class ExtendedVelocityLevel final : public VelocityLevel {
 public:
  /// [setup] `model` outlives it.
  explicit ExtendedVelocityLevel(ConstrainedModel& model) : model_(model), level_(model.parts().velocity_level) {}

  Index velocity_row_count() const override { return level_.velocity_row_count(); }
  bool is_velocity_row(Index row) const override { return level_.is_velocity_row(row); }
  Index redundant_positions() const override { return level_.redundant_positions(); }
  Status project_position_tangent(VectorView dq) override {
    return level_.project_position_tangent(dq.segment(0, model_.coordinates()));
  }
  PartitionSolve& position_partition() override { return positions_; }
  PartitionQuality& position_partition_quality() override { return positions_; }

 private:
  ConstrainedModel& model_;
  VelocityLevel& level_;
  ExtendedPartition positions_{model_, level_.position_partition(), level_.position_partition_quality()};
};

}  // namespace trammel
