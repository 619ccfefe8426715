// Optional ability of a ConstrainedSystem: which constraint has which rows, and its own numbers at the last evaluation
// point; for formulations that follow the mechanism's structure (trees, joint coordinates, substructures).
#pragma once

#include "trammel/constraint.h"

namespace trammel {

/// A constraint among the rows of its system. All of it stays as it is for the whole run.
struct ConstraintPlace {
  const char* name;           ///< in the run file
  const Constraint* element;  ///< its rows of both levels; has the extensions that its type has (JointCoordinates, ...)
  Index first_row, rows;      ///< among the rows of the system
  Index velocity_rows;        ///< the last of them that hold for velocities only
};

/// The kernel's view of a model has it.
class SystemConstraints {
 public:
  static constexpr const char* id = "trammel.system_constraints/1";

  /// [setup] Number of constraints, in the order of their rows; 0 <= i < constraint_count().
  virtual Index constraint_count() const = 0;
  virtual ConstraintPlace constraint(Index i) const = 0;
  /// [setup] The row that this body carries by itself, or -1.
  virtual Index intrinsic_row(Index body) const = 0;
  /// [setup] Where the body's state (PlanarBodyState or SpatialBodyState; body -1: ground) stands, with which elements
  /// can be evaluated at the last evaluation point. The address stays, the contents follow the evaluations.
  virtual const void* body_state(Index body) const = 0;
  /// [hot] Phi_q of constraint i against body number `attached` of its own, rows x c, column by column, at the last
  /// evaluation that wanted the Jacobian; nullptr for ground. Only the first columns, as many as the body has
  /// coordinates, belong to the system.
  virtual const double* jacobian_block(Index i, Index attached) const = 0;
  /// [hot] The same of the row that this body carries by itself: c numbers, or nullptr.
  virtual const double* intrinsic_jacobian(Index body) const = 0;

 protected:
  ~SystemConstraints() = default;
};

}  // namespace trammel
