// ModelPoint: an assembly at one point (t, q, v, z) - the states of its bodies, and what its elements say there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/archive.h"
#include "model/assembly.h"
#include "model/element_forces.h"
#include "model/element_memory.h"
#include "model/element_round.h"
#include "model/extra_force.h"
#include "model/held_drivers.h"
#include "model/kept_point.h"
#include "model/rows_on_demand.h"
#include "trammel/constrained_system.h"
#include "trammel/extensions/all_bodies.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// What evaluating a constraint takes, in little memory: the slots of the assembly are four times as large.
struct ConstraintCall {
  const Constraint* constraint;
  const char *plugin, *name;
  ElementState state;
  const MatrixView* blocks;  ///< one per attached body
  Index first_row, rows;
};

/// Remembers the last point and what was evaluated there, so that asking again costs nothing: the kernel looks at every
/// accepted state, which usually is where the last or the next stage is evaluated.
class ModelPoint {
 public:
  /// [setup] `workers`: threads that share the elements of large models.
  ModelPoint(const Assembly& assembly, const Workers& workers);
  ModelPoint(const ModelPoint&) = delete;
  ModelPoint& operator=(const ModelPoint&) = delete;

  const Assembly& assembly() const { return assembly_; }
  bool rheonomic() const { return rheonomic_; }

  /// [hot] See ConstrainedSystem.
  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts);
  ConstVectorView Phi() const { return Phi_; }
  ConstVectorView nu() const { return nu_; }
  ConstVectorView gamma() const { return gamma_; }
  ConstVectorView Q() const { return Q_; }
  ConstVectorView z_rate() const { return z_rate_; }

  double t() const { return now_.t; }
  const std::vector<double>& q() const { return now_.q; }
  const std::vector<double>& v() const { return now_.v; }
  const std::vector<double>& z() const { return now_.z; }
  /// Another number after each change of t, q or z: what was factorized before belongs to another point. Back at the
  /// point before it may be that point's number again.
  long moves() const { return now_.move; }
  /// Forgets the last point, as an element's mode changed; or of what is known there these parts: `evaluate_force`
  /// where what forces see changed, and no row, mass or Jacobian did. Returns what was known.
  unsigned invalidate(unsigned parts = ~0u) {
    if (parts != 0) kept_.forget();
    return std::exchange(now_.done, now_.done & ~parts);
  }

  /// The Jacobian and the bodies as KKT solvers see them; without weights and reduced blocks, all rows kept.
  KktMatrix matrix() const;
  /// Phi_q of one constraint against one of its bodies; empty for ground.
  const MatrixView& jacobian_block(const ConstraintSlot& slot, Index attached) const;
  /// The same of a row that a body carries by itself: `body_coordinates()` numbers.
  const double* intrinsic_jacobian(Index row) const {
    rows.settle();
    return intrinsic_.data + row * assembly_.body_coordinates();
  }
  const void* body_state(Index body) const;
  ElementState element_state(const ConstraintSlot& slot) const;
  ElementState element_state(const ForceSlot& slot) const;
  /// Body states at other coordinates, for differences; the caller moves them back to the last evaluation point.
  void move_states(const std::vector<double>& q, const std::vector<double>& v) {
    assembly_.motion.kinematics(view(q), view(v), states_.data);
  }

  /// Counted angles at the last accepted state; the elements unwrap against them.
  VectorView angle_references() { return {angle_references_.data(), static_cast<Index>(angle_references_.size())}; }
  /// Start values of counted angles and internal states.
  void initial_internal(VectorView z);
  /// Moves the references to the angles at the last evaluation point.
  void update_angle_references();
  /// What elements keep of the last accepted step, and see of it.
  ElementMemory& memory() { return memory_; }
  const ElementMemory& memory() const { return memory_; }
  /// [step] The references and memories. Restoring forgets the last point.
  void remember(Archive& archive);

  /// From now on the drivers stand still; null: they move as the run file says. Forgets the last point.
  void hold(std::unique_ptr<const HeldDrivers> held);
  bool holds_drivers() const { return held_ != nullptr; }
  /// From now on `force` acts besides those of the run file; null: none. Forgets the last point.
  void act(std::unique_ptr<ExtraForce> force);
  ExtraForce* extra_force() const { return extra_.get(); }
  /// From now on it is `t` at every evaluation, whatever time it is asked for; empty ends that.
  void stop_clock(std::optional<double> t);

  /// The element whose evaluation failed last, or null; and in which of its functions beside the evaluation, "" if
  /// none.
  const ElementSlot* failed() const { return failed_; }
  const char* failed_in() const { return failed_in_; }
  /// Notes it.
  void fail(const ElementSlot& slot, const char* function = "") { failed_ = &slot, failed_in_ = function; }

  long jacobians = 0, placements = 0;  ///< so far; restarts set them back
  /// Rows that nobody needed at first; turned on for linear solvers that ask for rows one by one.
  RowsOnDemand rows{*this};

 private:
  static ConstVectorView view(const std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }
  void make_room();
  void bind_elements();
  /// To a point whose numbers are not known, or to other velocities.
  void move(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z);
  Status evaluate_constraints(unsigned parts);
  Status evaluate_intrinsic(unsigned parts);
  Status evaluate_forces();

  const Assembly& assembly_;
  const std::string system_plugin_;
  const Workers* workers_;
  bool rheonomic_ = false;
  std::unique_ptr<const HeldDrivers> held_;
  std::unique_ptr<ExtraForce> extra_;
  std::optional<double> stopped_at_;

  // The point, what is known there, and the states of bodies (ground last).
  PointNumbers now_;
  KeptPoint kept_;
  long moves_ = 0;  // so far; never set back: what was worked out at a move is known by its number
  ElementMemory memory_;
  const ElementSlot* failed_ = nullptr;
  const char* failed_in_ = "";
  Index state_doubles_ = 0;
  std::vector<double> angle_references_;

  // Numbers, and the views the elements write through.
  VectorView Phi_, nu_, gamma_, Q_, z_rate_, Phi_q_, intrinsic_, states_;  // parts of `now_.numbers`
  std::vector<ConstraintCall> calls_;
  const AllBodies* all_bodies_ = nullptr;  // the bodies' own rows, where the system does them at once
  std::vector<const void*> attached_;
  std::vector<Index> attached_of_constraint_, attached_of_force_;
  std::vector<MatrixView> block_views_;  // k per constraint, empty for ground
  std::unique_ptr<ElementForces> forces_;
  ElementRound constraint_round_;
  std::vector<const ConstraintSlot*> on_still_bodies_;
};

/// Bound on the rate of the counted angles, rad/s: the angular speeds of the bodies they belong to, added.
double fastest_counted_rate(const ModelPoint& point);

}  // namespace trammel
