// ModelParts: a model's point and what works there, beyond the view that integrators and formulations see.
#pragma once

#include "model/implicit_factors.h"
#include "model/internal_linearization.h"
#include "model/linearization.h"
#include "model/model_block_solve.h"
#include "model/model_constraints.h"
#include "model/model_energy.h"
#include "model/model_kkt.h"
#include "model/model_layout.h"
#include "model/model_partition.h"
#include "model/model_point.h"
#include "model/model_projection.h"
#include "model/model_rank.h"
#include "model/model_reduction.h"
#include "model/model_velocity_level.h"
#include "model/sparse_state_space.h"

namespace trammel {

/// The point evaluates; all else is a client of the point and of those before it, as far as it needs them, and speaks of
/// the last evaluation point.
struct ModelParts {
  /// [setup] Throws Error if the linear solver that the model's run file asks for cannot be used.
  ModelParts(const Assembly& assembly, const Model& model);

  ModelLayout layout;
  ModelPoint point;
  ModelConstraints constraints{point};
  ModelKkt kkt;
  ModelRank rank{kkt};
  ModelProjection projection{kkt};
  ModelVelocityLevel velocity_level{kkt, rank, projection};
  ModelEnergy energy{point};
  Linearization linearization{point};
  InternalLinearization internal_linearization{point};
  ImplicitFactors implicit_factors{linearization, internal_linearization};
  ModelBlockSolve block_solve{kkt};
  ModelPartition partition{kkt};
  ModelReduction reduction{kkt, partition, linearization};
  SparseStateSpace sparse_state_space{kkt, linearization, implicit_factors};
};

}  // namespace trammel
