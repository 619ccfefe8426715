// ConstrainedModel: the numbers of an assembly at one point (t, q, v, z); the kernel's ConstrainedSystem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/run_file.h"
#include "linalg/rank.h"
#include "linalg/sparse_rank.h"
#include "model/archive.h"
#include "model/assembly.h"
#include "model/internal_linearization.h"
#include "model/linearization.h"
#include "model/model_partition.h"
#include "model/model_reduction.h"
#include "model/sparse_state_space.h"
#include "record/observation.h"
#include "trammel/all_bodies.h"
#include "trammel/constrained_system.h"
#include "trammel/kkt_solver.h"
#include "trammel/system_extensions.h"

namespace trammel {

/// What evaluating a constraint takes, in little memory: the slots of the assembly are four times as large.
struct ConstraintCall {
  const Constraint* constraint;
  const char *plugin, *name;
  ElementState state;
  const MatrixView* blocks;  ///< one per attached body
  Index first_row, rows;
};

/// Remembers the last point and what was computed there, so that asking again costs nothing: the kernel looks at every
/// accepted state, which usually is where the last or the next stage is evaluated.
class ConstrainedModel final : public ConstrainedSystem, private RowChoice, private BlockSolve {
 public:
  /// [setup] Throws Error(input) if `range_space` was asked for and cannot be used.
  ConstrainedModel(const Assembly& assembly, LinearSolver solver);

  Index coordinates() const override { return assembly_.coordinates(); }
  Index constraints() const override { return assembly_.rows(); }
  Index internal_states() const override { return assembly_.internal_states(); }
  const char* coordinate_name(Index i) const override { return coordinate_names_[i].c_str(); }
  const char* row_name(Index i) const override { return row_names_[i].c_str(); }
  bool rheonomic() const override { return rheonomic_; }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) override;
  ConstVectorView Phi() const override { return view(Phi_); }
  ConstVectorView nu() const override { return view(nu_); }
  ConstVectorView gamma() const override { return view(gamma_); }
  ConstVectorView Q() const override { return view(Q_); }
  ConstVectorView z_rate() const override { return view(z_rate_); }

  void apply_jacobian(ConstVectorView x, VectorView out) const override;
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override;
  void apply_mass(ConstVectorView x, VectorView out) const override;
  Status factorize(ProjectionWeights weights) override;
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;

  Status linearize(ConstVectorView a, ConstVectorView lambda) override;
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) override;
  Status apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                      VectorView r) override;
  Status internal_time_gradient(VectorView r) override;
  Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) override;
  Status apply_time_jacobian(ConstVectorView y, VectorView out) override;
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override;
  Status prepare(double c0, double c1) override;
  Status solve_implicit(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override;
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override;
  Status project_tangent(VectorView dq) override;

  const void* extension(const char* id) const override;
  void solve_block(double* unknowns, Index columns) override;
  void solve_implicit_block(double* unknowns, Index columns, bool transposed) override;

  // Beyond the view: what the kernel itself asks for, at the last evaluation point.
  const Assembly& assembly() const { return assembly_; }
  const char* solver_name() const { return mass_solver_->name(); }

  // Rank. Dependent rows are left out of every solve: their multipliers are 0, they are still evaluated. The choice is
  // kept until the next `choose_rows`.
  /// [step] Chooses at the last evaluation point, which must have the Jacobian. A row is dependent if the sine of its
  /// angle to the span of the others is below `threshold`. Returns the number of rows left out.
  Index choose_rows(double threshold);
  /// [step] Leaves `row` out in place of one that is left out now, if as many rows then depend on others by `threshold`
  /// and all others are farther from them than `distance` (sines of angles). False: the choice stays as it is.
  /// `scratch`: 2 m flags.
  bool exchange_row(Index row, double threshold, double distance, std::vector<unsigned char>& scratch);
  /// [step] A row left out that is farther than `limit` (sine of an angle) from the span of all that are kept, or -1.
  Index regained_row(double limit);
  /// [step] Leaves out all rows of one constraint, until the next `choose_rows`.
  void leave_out(const ConstraintSlot& slot);
  Index redundant() const override { return redundant_; }
  bool is_redundant(Index row) const override { return dropped_[static_cast<std::size_t>(row)] != 0; }
  /// [step] What the rows left out depend on, at the last point of `choose_rows`.
  std::vector<DependentSet> dependent_sets() {
    return trammel::dependent_sets(row_space_.unit().scaled(kkt_), row_space_);
  }
  /// [step] Multipliers of the same reactions with the smallest sum of squares; at the last evaluation point.
  Status minimize_multipliers(VectorView lambda);
  /// [step] The rank as the factorizations saw it, at the last evaluation point, and worst since the last call.
  const RankWatch* watch();
  /// [step] The same by the rows alone, where masses have no say; at the last evaluation point.
  const RankWatch* geometric_watch();
  RankWatch take_closest();
  /// [step] What row `row` nearly is a combination of, at the last evaluation point.
  DependentRow near_combination(Index row);
  const void* body_state(Index body) const;
  ElementState element_state(const ConstraintSlot& slot) const;
  ElementState element_state(const ForceSlot& slot) const;
  /// Counted angles at the last accepted state; the elements unwrap against them.
  VectorView angle_references() { return {angle_references_.data(), static_cast<Index>(angle_references_.size())}; }
  /// Start values of counted angles and internal states.
  void initial_internal(VectorView z);
  /// Moves the references to the angles at the last evaluation point.
  void update_angle_references();
  /// The last evaluation point.
  const std::vector<double>& point_q() const { return q_; }
  const std::vector<double>& point_v() const { return v_; }
  const std::vector<double>& point_z() const { return z_; }
  /// Body states at other coordinates, for differences; the caller moves them back to the last evaluation point.
  void move_states(const std::vector<double>& q, const std::vector<double>& v) {
    assembly_.system.kinematics(view(q), view(v), states_.data());
  }
  /// Bound on the rate of the counted angles, rad/s: the angular speeds of the bodies they belong to, added.
  double fastest_counted_rate() const;
  /// Work of drivers needs the multipliers.
  EnergyBudget energy(ConstVectorView lambda) const;
  /// Generalized force of one constraint's reaction on one of its bodies: -Phi_q^T lambda.
  void reaction(const ConstraintSlot& slot, Index attached, ConstVectorView lambda, VectorView force) const;
  /// Contractions of the last `linearize`, the partition, and M there as blocks.
  Linearization& linearization() { return linearization_; }
  ModelPartition& partition() { return partition_; }
  const RowSpace& row_space() const { return row_space_; }
  /// [setup] From the Jacobian at the last evaluation point: that of the model as drawn.
  void measure_unit() { row_space_.unit().measure(kkt_); }
  const ModelUnit& unit() const { return row_space_.unit(); }
  /// A KKT matrix of this model as looked at in that unit, until the next call.
  const KktMatrix& scaled(const KktMatrix& matrix) { return row_space_.unit().scaled(matrix); }
  const double* mass_blocks() {
    assembly_.system.mass_blocks(states_.data(), mass_.data());
    return mass_.data();
  }
  /// [step] Dynamic settling: from now on time stands still at `t` and -damping M v acts besides, 1/s; 0 ends that.
  void settle_with(double damping, double t) { settling_damping_ = damping, settling_time_ = t, done_ = 0; }
  /// [setup] From now on nu and gamma are those of drivers that stand still where they are at (t, q). What they are at
  /// rest there is taken off: drivers are f(q) = c(t).
  Status hold_drivers(double t, ConstVectorView q);
  bool holds_drivers() const { return !held_nu_.empty(); }
  /// KKT data at the last evaluation point, for rank analyses.
  const KktMatrix& kkt() const { return kkt_; }
  /// The element whose evaluation failed last ("force 'spring' (type 'tsda')"), "" if none did.
  std::string failed_element() const;
  /// Its place in the run file's system: "forces/spring".
  std::string failed_element_key() const;
  /// The element whose outputs at the last (finite) point are not finite, in words, or "".
  std::string find_not_finite();
  /// Forgets the last point: an element's mode changed.
  void invalidate() { done_ = 0; }
  /// [step] Counted angles, choice of rows, counters. Restoring forgets the last point.
  void remember(Archive& archive);

  /// How the last `prepare` factorized: "fronts" or "sparse".
  const char* implicit_solver() const { return linearization_.solver(); }

  long factorizations = 0;
  long jacobians = 0;
  long projections = 0;

 private:
  friend class Linearization;
  static ConstVectorView view(const std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }
  Status find_weak_rows(const Status& singular);
  void keep_rows_of_light_bodies();
  Status evaluate_constraints(unsigned parts);
  Status evaluate_intrinsic(unsigned parts);
  Status evaluate_forces();
  void bind_elements();

  const Assembly& assembly_;
  const std::string system_plugin_;
  std::vector<std::string> coordinate_names_, row_names_;
  bool rheonomic_ = false;

  double settling_damping_ = 0, settling_time_ = 0;
  std::vector<double> settling_force_;
  std::vector<double> held_nu_, held_gamma_;  ///< of moving drivers; empty if none is held

  // The point, what is known there, and the states of bodies (ground last).
  double t_ = 0;
  std::vector<double> q_, v_, z_;
  unsigned done_ = 0;
  const ElementSlot* failed_ = nullptr;
  bool has_velocity_ = false;
  bool factorized_ = false, factorized_identity_ = false;
  ProjectionWeights factor_ = ProjectionWeights::mass;
  std::vector<double> states_;
  Index state_doubles_ = 0;
  std::vector<double> angle_references_;

  // Numbers, and the views the elements write through.
  std::vector<double> Phi_, nu_, gamma_, Q_, z_rate_, Phi_q_, reduced_, intrinsic_, mass_;
  std::vector<ConstraintCall> calls_;
  const AllBodies* all_bodies_ = nullptr;  // the bodies' own rows, where the system does them at once
  std::vector<const void*> attached_;
  std::vector<Index> attached_of_constraint_, attached_of_force_;
  std::vector<MatrixView> block_views_;  // k per constraint, empty for ground
  std::vector<VectorView> force_views_;  // k per force, empty for ground
  std::vector<double> power_;            // scratch of `energy`, and views like force_views_ into it
  std::vector<VectorView> power_views_;
  std::vector<ReductionBlock> reductions_;
  KktMatrix kkt_;

  RowSpace row_space_;
  std::vector<unsigned char> dropped_, weak_;  // per row; weak_: dropped ones and those lost at this point only
  Index redundant_ = 0;
  RankWatch closest_;
  SparseRankWatch sparse_watch_;  // where both solvers are sparse
  std::unique_ptr<KktSolver> mass_solver_, identity_solver_;
  Linearization linearization_;
  InternalLinearization internal_linearization_;
  ModelPartition partition_{*this};
  ModelReduction reduction_{*this};
  SparseStateSpace sparse_state_space_{*this};
  std::vector<double> work_n_, work_n2_, work_m_, zero_n_;
};

}  // namespace trammel
