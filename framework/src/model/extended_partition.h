// The partition of a model whose internal states are the rates of further coordinates s: these are always independent.
#pragma once

#include "model/constrained_model.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

/// Of ExtendedModel. Constraints do not depend on s: the bodies' coordinates are parted as without it.
class ExtendedPartition final : public PartitionSolve, public PartitionQuality, public CoordinateSizes {
 public:
  /// [setup] `model` outlives it.
  explicit ExtendedPartition(ConstrainedModel& model)
      : model_(model), n_(model.coordinates()), nz_(model.internal_states()) {}

  Status choose_partition(ConstVectorView forced, VectorView independent) override {
    states(independent).map().setOnes();
    return model_.parts().partition.choose_partition(own(forced), own(independent));
  }
  Status factorize_dependent(ConstVectorView independent) override {
    return model_.parts().partition.factorize_dependent(own(independent));
  }
  void solve_dependent(ConstVectorView r, VectorView x) override {
    model_.parts().partition.solve_dependent(r, own(x));
    states(x).map().setZero();
  }
  void solve_dependent_transpose(ConstVectorView f, VectorView y) override {
    model_.parts().partition.solve_dependent_transpose(own(f), y);
  }
  double dependent_condition(VectorView guess) override { return model_.parts().partition.dependent_condition(guess); }

  void scales(VectorView scale) const override {
    constexpr double immense = 1e300;  // no change of s is large
    model_.parts().partition.scales(own(scale));
    states(scale).map().setConstant(immense);
  }
  Status choose_scaled(ConstVectorView scale, ConstVectorView forced, VectorView independent) override {
    states(independent).map().setOnes();
    return model_.parts().partition.choose_scaled(own(scale), own(forced), own(independent));
  }
  double amplification(ConstVectorView scale, ConstVectorView independent, VectorView probe) override {
    return model_.parts().partition.amplification(own(scale), own(independent), own(probe));
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
  Index n_, nz_;
};

}  // namespace trammel
