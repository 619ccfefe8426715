// Bodies and joints in twists, for solvers that eliminate a mechanism body by body rather than by its rows.
#pragma once

#include "trammel/constraint.h"

// A twist of accelerations of a body is (r'', alpha) in global axes about its own centre: 8 numbers, spatial
// (r'', 0, alpha, 0), 4 planar (x'', y'', phi'', 0). A wrench is stored in the same way. Off |p| = 1 too, alpha is what
// turns A(p): dA = (alpha x) A for dp = E(p)^T alpha/2, as quaternions multiply.
namespace trammel {

/// A Jacobian block to convert: `full` has rows x c_b numbers column by column.
struct TwistRows {
  Index body;
  Index rows;
  const double* full;
  double* twist;  ///< a wrench per row: Phi_q E_b
  double* along;  ///< per row: Phi_q n_b, see TwistForm; nullptr where bodies have no intrinsic row
};

/// The coordinates of rigid bodies as twists, a_b = E_b t_b + n_b g_b, with g_b the right-hand side of the intrinsic row; an
/// extension of System, asked of ModelInfo by linear solvers. For models of rigid bodies only. [hot] `states` as
/// BodySystem::kinematics writes them.
class TwistForm {
 public:
  static constexpr const char* id = "trammel.twist_form/1";

  /// [setup] 6 spatial, 3 planar.
  virtual Index size() const = 0;
  /// [hot] Of all bodies: m and the symmetric inertia xx yy zz xy xz yz in global axes, 7 numbers; m and J planar.
  virtual void inertia(const void* states, double* out) const = 0;
  /// [hot] E_b^T f_b of all bodies.
  virtual void wrenches(const void* states, ConstVectorView f, double* out) const = 0;
  /// [hot] a from the twists of all bodies; g as in BodyReduction::expand.
  virtual void accelerations(const void* states, const double* twists, ConstVectorView g, VectorView a) const = 0;
  /// [hot] Fills the blocks' twist rows.
  virtual void rows(const void* states, const TwistRows* blocks, Index count) const = 0;
  /// [hot] n_b^T f_b, one number per intrinsic row; default: there is none.
  virtual void along_intrinsic(const void* states, ConstVectorView f, VectorView out) const {
    (void)states, (void)f, (void)out;
  }

 protected:
  ~TwistForm() = default;
};

/// Where a joint writes its directions.
struct DirectionsOutput {
  double* basis;         ///< `size` twists, first one for each row: it changes this row by 1; then the free ones
  double* shift;         ///< e, 3 numbers (2 planar)
  double* along_child;   ///< per row: Phi_q n of the child; nullptr planar
  double* along_parent;  ///< the same of the other body
};

/// Joints between two bodies that know the directions of one relative to the other, an extension of Constraint; others are
/// taken by their rows. For each row that is independent of the others at all places, and for joints whose rows do not
/// change where both bodies move together: with J of either body in twists, J_other t = -J_child (r'' + alpha x e, alpha).
class FreeDirections {
 public:
  static constexpr const char* id = "trammel.free_directions/1";

  /// [hot] Twists of attached body `child`, 0 or 1, that span all: J_child basis = [I 0].
  virtual void free_directions(const ElementState& s, Index child, const DirectionsOutput& out) const = 0;

 protected:
  ~FreeDirections() = default;
};

/// The elements behind the rows of a KKT matrix, numbered as JacobianBlock::element.
class KktElements {
 public:
  /// [setup]
  virtual const Constraint& constraint(Index element) const = 0;
  /// [setup] Whether some of its rows hold for velocities only.
  virtual bool has_velocity_rows(Index element) const = 0;
  /// [hot] Its state at the matrix's point; stays where it is.
  virtual const ElementState& state(Index element) const = 0;
  /// [hot] Makes its rows in KktMatrix::Phi_q those of the matrix's point.
  virtual Status evaluate_rows(Index element) const = 0;

 protected:
  ~KktElements() = default;
};

/// Solvers that ask for rows one by one, an extension of KktSolver: `evaluate_solve` evaluates no row for them.
class WorksOnElements {
 public:
  static constexpr const char* id = "trammel.works_on_elements/1";

  /// [setup] Before `analyse`, or never: then all rows of the matrix are there. They live as long as the solver.
  virtual void attach(const KktElements& elements) = 0;

 protected:
  ~WorksOnElements() = default;
};

}  // namespace trammel
