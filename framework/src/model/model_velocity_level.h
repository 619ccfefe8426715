// ModelVelocityLevel: a model's VelocityLevel, handed through to rank, projection and partition.
#pragma once

#include "model/model_partition.h"
#include "model/model_projection.h"
#include "model/model_rank.h"
#include "trammel/extensions/velocity_level.h"

namespace trammel {

/// With the coordinates of the bodies only: a view that has others beside them (ExtendedModel) hands over its own part.
class ModelVelocityLevel final : public VelocityLevel {
 public:
  /// [setup] All outlive it.
  ModelVelocityLevel(ModelKkt& kkt, const ModelRank& rank, ModelProjection& projection)
      : kkt_(kkt), rank_(rank), projection_(projection), positions_(kkt, RowLevel::positions) {}

  Index velocity_row_count() const override { return kkt_.assembly().velocity_rows(); }
  bool is_velocity_row(Index row) const override {
    return !kkt_.velocity_rows().empty() && kkt_.velocity_rows()[static_cast<std::size_t>(row)] != 0;
  }
  Index redundant_positions() const override { return rank_.redundant_positions(); }
  Status project_position_tangent(VectorView dq) override { return projection_.position_tangent(dq); }
  PartitionSolve& position_partition() override { return positions_; }
  PartitionQuality& position_partition_quality() override { return positions_; }

 private:
  ModelKkt& kkt_;
  const ModelRank& rank_;
  ModelProjection& projection_;
  ModelPartition positions_;
};

}  // namespace trammel
