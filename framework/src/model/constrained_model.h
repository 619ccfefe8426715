// ConstrainedModel: a model's point with the classes that work there; the kernel's ConstrainedSystem.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"
#include "model/archive.h"
#include "model/implicit_factors.h"
#include "model/internal_linearization.h"
#include "model/linearization.h"
#include "model/model_block_solve.h"
#include "model/model_energy.h"
#include "model/model_kkt.h"
#include "model/model_layout.h"
#include "model/model_partition.h"
#include "model/model_point.h"
#include "model/model_projection.h"
#include "model/model_rank.h"
#include "model/model_reduction.h"
#include "model/sparse_state_space.h"
#include "trammel/constrained_system.h"

namespace trammel {

/// Only hands through: the point evaluates; the KKT matrix, the choice of rows, projections, energies, linearizations
/// and partitions are clients of the point, each of those before it in this list as far as they need them.
class ConstrainedModel final : public ConstrainedSystem {
 public:
  /// [setup] Throws Error(input) if `range_space` was asked for and cannot be used.
  ConstrainedModel(const Assembly& assembly, LinearSolver solver);

  Index coordinates() const override { return assembly().coordinates(); }
  Index constraints() const override { return assembly().rows(); }
  Index internal_states() const override { return assembly().internal_states(); }
  const char* coordinate_name(Index i) const override { return coordinate_names_[i].c_str(); }
  const char* row_name(Index i) const override { return row_names_[i].c_str(); }
  bool rheonomic() const override { return point_.rheonomic(); }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) override {
    return point_.evaluate(t, q, v, z, parts);
  }
  ConstVectorView Phi() const override { return point_.Phi(); }
  ConstVectorView nu() const override { return point_.nu(); }
  ConstVectorView gamma() const override { return point_.gamma(); }
  ConstVectorView Q() const override { return point_.Q(); }
  ConstVectorView z_rate() const override { return point_.z_rate(); }

  void apply_jacobian(ConstVectorView x, VectorView out) const override { kkt_.apply_jacobian(x, out); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override {
    kkt_.apply_jacobian_transpose(y, out);
  }
  void apply_mass(ConstVectorView x, VectorView out) const override { kkt_.apply_mass(x, out); }
  Status factorize(ProjectionWeights weights) override { return kkt_.factorize(weights); }
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return kkt_.solve(f, g, x, lambda);
  }

  Status linearize(ConstVectorView a, ConstVectorView lambda) override;
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) override;
  Status apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                      VectorView r) override;
  Status internal_time_gradient(VectorView r) override;
  Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) override;
  Status apply_time_jacobian(ConstVectorView y, VectorView out) override;
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override;
  using ConstrainedSystem::prepare, ConstrainedSystem::solve_implicit;
  Status prepare(Index first, const Shift* shifts, Index count) override;
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                ComplexView lambda) override;

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    return projection_.positions(t, q, weights, tolerance, report);
  }
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override {
    return projection_.velocities(t, q, v, weights, report);
  }
  Status project_tangent(VectorView dq) override { return projection_.tangent(dq); }

  const void* extension(const char* id) const override;

  // Beyond the view: what the kernel itself asks for, at the last evaluation point.
  const Assembly& assembly() const { return point_.assembly(); }
  ModelPoint& point() { return point_; }
  const ModelPoint& point() const { return point_; }
  ModelKkt& kkt() { return kkt_; }
  const ModelKkt& kkt() const { return kkt_; }
  ModelRank& rank() { return rank_; }
  const ModelRank& rank() const { return rank_; }
  const ModelUnit& unit() const { return kkt_.unit(); }
  /// Work of drivers needs the multipliers.
  EnergyBudget energy(ConstVectorView lambda) const { return energy_.budget(lambda); }
  /// Contractions of the last `linearize`, and the partition.
  Linearization& linearization() { return linearization_; }
  ModelPartition& partition() { return partition_; }
  /// What ExtendedModel works with.
  const InternalLinearization& internal_linearization() const { return internal_linearization_; }
  ImplicitFactors& implicit_factors() { return implicit_factors_; }
  ModelReduction& reduction() { return reduction_; }
  SparseStateSpace& sparse_state_space() { return sparse_state_space_; }
  /// How often something was projected.
  long projections() const { return projection_.projections; }
  /// [step] Counted angles, choice of rows, counters. Restoring forgets the last point.
  void remember(Archive& archive);

 private:
  std::vector<std::string> coordinate_names_, row_names_;
  ModelLayout layout_;
  ModelPoint point_;
  ModelKkt kkt_;
  ModelRank rank_{kkt_};
  ModelProjection projection_{kkt_};
  ModelEnergy energy_{point_};
  Linearization linearization_{point_};
  InternalLinearization internal_linearization_{point_};
  ImplicitFactors implicit_factors_{linearization_, internal_linearization_};
  ModelBlockSolve block_solve_{kkt_, implicit_factors_};
  ModelPartition partition_{kkt_};
  ModelReduction reduction_{kkt_, partition_, linearization_};
  SparseStateSpace sparse_state_space_{kkt_, linearization_, implicit_factors_};
};

}  // namespace trammel
